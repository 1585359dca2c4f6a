"""A small ingest folder written row by row, so that these tests do not depend on ingestion."""

import hashlib
import json
import re
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpora.manifest import write_manifest
from corpora.store import STORE_FILE, STORE_SCHEMA, TABLES


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A document of the fixture: paragraphs are its chunks, sentences its segments."""

    doc_id: str
    text: str
    title: str = ""
    language: str = "en"
    labels: tuple[str, ...] = ()
    uri: str = ""
    places: tuple[tuple[str, tuple[str, ...]], ...] = ()
    media_type: str = "text/plain"
    date: str | None = None
    hidden: str | None = None
    headings: tuple[tuple[str, ...], ...] = ()
    """Heading path of each paragraph; none by default."""


WriteIngest = Callable[[Sequence[Source]], Path]


def write_ingest_folder(build_folder: Path, sources: Sequence[Source]) -> None:
    """Write ``build_folder/ingest`` anew."""
    folder = build_folder / "ingest"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / STORE_FILE).unlink(missing_ok=True)
    connection = sqlite3.connect(folder / STORE_FILE)
    connection.execute("PRAGMA synchronous = OFF")  # tests need not survive a power cut
    connection.executescript(TABLES)
    connection.execute(f"PRAGMA user_version = {STORE_SCHEMA}")
    for source in sources:
        _insert(connection, source)
    connection.commit()
    connection.close()
    fingerprint = hashlib.sha256(repr(sorted(sources, key=lambda s: s.doc_id)).encode()).hexdigest()
    write_manifest(
        folder,
        {
            "stage": "ingest",
            "fingerprint": fingerprint,
            "counts": {"documents": len(sources)},
            "chunking": {"tokenizer_sha256": "", "max_tokens": 222, "header": 32},
        },
    )


def _insert(connection: sqlite3.Connection, source: Source) -> None:
    uri = source.uri or f"corpus:///{source.doc_id}.txt"
    sha256 = hashlib.sha256(source.text.encode()).hexdigest()
    labels = json.dumps(source.labels)
    connection.execute(
        "INSERT INTO documents VALUES (?,?,?,?,?,?,?,?,?,?,NULL,'[]','{}','2026-01-01',NULL,NULL)",
        (
            source.doc_id, uri, source.title or source.doc_id, source.text, sha256, sha256,
            source.media_type, source.language, labels, source.date,
        ),
    )  # fmt: skip
    for place, place_labels in source.places or ((uri, source.labels),):
        connection.execute(
            "INSERT INTO locations VALUES (?,?,?,NULL,NULL,NULL)",
            (place, source.doc_id, json.dumps(place_labels)),
        )
    for number, paragraph in enumerate(re.finditer(r"[^\n]+", source.text)):
        path = json.dumps(source.headings[number] if source.headings else ())
        connection.execute(
            "INSERT INTO chunks VALUES (?,?,?,?,NULL,?,?,?,?)",
            (
                source.doc_id, paragraph.start(), paragraph.end(), path, source.language, labels,
                source.title, len(paragraph.group().split()),
            ),
        )  # fmt: skip
        for sentence in re.finditer(r"[^.。]+[.。]?", paragraph.group()):
            connection.execute(
                "INSERT INTO segments VALUES (?,?,?,'sentence','[]','[]','[]','body',?,NULL,NULL)",
                (
                    source.doc_id,
                    paragraph.start() + sentence.start(),
                    paragraph.start() + sentence.end(),
                    int(source.hidden is not None and source.hidden in sentence.group()),
                ),
            )


HARBOUR = Source(
    doc_id="d_1",
    title="Harbour report",
    text="The harbour of Bremen was enlarged in 1897.\nIts cranes carry part HK-204/B.",
    labels=("public",),
    uri="corpus:///ports/harbour.txt",
    date="2024-05-03",
)
LIGHTHOUSE = Source(
    doc_id="d_2",
    title="Lighthouse",
    text="The lighthouse keeper logged every storm. A storm broke the lamp in 1901.",
    labels=("secret",),
    uri="corpus:///towers/lighthouse.md",
    media_type="text/markdown",
    date="2023",
)
CHINESE = Source(
    doc_id="d_3",
    title="水库",
    text="三峡水库位于长江上游。水库的总库容为三百九十三亿立方米。",
    language="zh",
    uri="corpus:///zh/reservoir.txt",
)
