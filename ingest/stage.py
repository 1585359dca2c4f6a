"""The ingest stage on disk: its folder, lock and store, and the manifest that is written last."""

import functools
import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args

from corpora.document import DocumentState
from corpora.encoder_card import EncoderCard
from corpora.manifest import read_manifest, write_atomically, write_manifest
from ingest.assemble import Chunking
from ingest.chunk import CHUNK_VERSION
from ingest.config import IngestConfig
from ingest.digest import digest_of
from ingest.errors import IngestError
from ingest.lock import locked
from ingest.readers import named_parsers
from ingest.report import Change, IngestProgress, IngestReport, NearDuplicate, Problem
from ingest.writer import StoreWriter, disk_full, is_disk_full

PROBLEMS_FILE = "problems.jsonl"
DUPLICATES_FILE = "near_duplicates.jsonl"
_LIBRARIES = (
    "charset-normalizer",
    "lxml",
    "markdown-it-py",
    "py3langid",
    "pypdfium2",
    "python-calamine",
    "selectolax",
    "tokenizers",
)
_RUN_ONLY = {"rehash", "retry_problems", "workers", "recycle_after_files"}
"""Settings of one run; they change nothing about the result."""
_SEEN_IN_DOCUMENTS = {
    "near_duplicates",
    "parser",
    "max_reader_memory_bytes",
    "max_reader_cpu_s",
    "max_reader_wall_s",
}
"""Settings whose effect shows in the documents themselves, or in the report alone."""
_REASONS_SHOWN = 20
Progress = Callable[[IngestProgress], None]


@contextmanager
def opened_stage(folder: Path, *, root: Path, corpus: str) -> Iterator[StoreWriter]:
    """The folder's store, locked for us.

    Raises:
        IngestBusy: another ingest runs in this folder.
        IngestError: the folder holds another corpus, or the disk is full.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with locked(folder):
            manifest = read_manifest(folder)
            if manifest is not None and manifest.get("root_sha256") != root_sha256(root):
                message = (
                    f"{str(folder)!r} holds {manifest.get('corpus')!r} of another folder than"
                    f" {str(root)!r}; give {corpus!r} another --corpus name or delete the former"
                )
                raise IngestError(message)
            writer = StoreWriter(folder)
            try:
                yield writer
            finally:
                writer.close()
    except OSError as error:
        if is_disk_full(error):
            raise IngestError(disk_full(folder)) from error
        message = f"{str(folder)!r} cannot be written: {error.strerror or error}"
        raise IngestError(message) from error


def root_sha256(root: Path) -> str:
    """Names a source folder without telling its path."""
    return hashlib.sha256(os.fsencode(root.resolve())).hexdigest()


@functools.cache
def library_versions() -> dict[str, str]:
    """Versions of what shapes a document's text; they cannot change while this process runs."""
    return {name: version(name) for name in _LIBRARIES}


def limits_changed(folder: Path, config: IngestConfig) -> bool:
    """Whether the ingest before ran under other limits, so that its failures may be none now."""
    manifest = read_manifest(folder)
    return manifest is not None and manifest.get("config") != _lasting(config)


def finish_stage(
    folder: Path,
    writer: StoreWriter,
    *,
    corpus: str,
    root: Path,
    encoder: EncoderCard,
    config: IngestConfig,
    chunking: Chunking,
    changes: Mapping[Change, int],
    seconds: float,
    duplicates: Sequence[NearDuplicate] = (),
    languages: Sequence[str] = (),
    cross_lingual: bool = False,
    search: Mapping[str, object] = MappingProxyType({}),
) -> IngestReport:
    """Write problems and manifest where they differ from those on disk, and report.

    Raises:
        IngestError: no document has text.
    """
    sources = sorted(writer.sources().values(), key=lambda row: row.path)
    states = Counter(row.state for row in sources)
    problems = [
        Problem(path=row.path, state=row.state, reason=row.reason)
        for row in sources
        if row.state not in {"ok", "duplicate"}
    ]
    _write_lines(
        folder / PROBLEMS_FILE,
        ({"uri": f"corpus:///{problem.path}", **problem.model_dump()} for problem in problems),
    )
    _write_lines(folder / DUPLICATES_FILE, (each.model_dump() for each in duplicates))
    n_documents, n_segments, n_chunks = writer.counts()
    if n_chunks == 0:
        (folder / "manifest.json").unlink(missing_ok=True)
        seen = ", ".join(f"{n} {state}" for state, n in sorted(states.items()))
        message = f"no text found in {len(sources)} files ({seen}); reasons are in {PROBLEMS_FILE}"
        raise IngestError(message)
    facts = writer.facts()
    parsers = named_parsers(fact.parser for fact in facts.values())
    parsers["chunk"] = str(CHUNK_VERSION)
    fingerprint = digest_of(
        {
            "config": config.model_dump(exclude=_RUN_ONLY | _SEEN_IN_DOCUMENTS),
            "parsers": parsers,
            "chunking": chunking.digest,
            "documents": sorted((doc_id, fact.digest) for doc_id, fact in facts.items()),
        }
    )
    skipped: dict[str, dict[str, Any]] = {}
    for state in sorted(states.keys() - {"ok"}):
        reasons = Counter(row.reason for row in sources if row.state == state)
        common = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))[:_REASONS_SHOWN]
        skipped[state] = {"files": states[state], "reasons": dict(common)}
    content: dict[str, Any] = {
        "stage": "ingest",
        "corpus": corpus,
        "root_sha256": root_sha256(root),
        "fingerprint": fingerprint,
        "config": _lasting(config),
        "encoder": encoder.name,
        "languages": list(languages),
        "cross_lingual": cross_lingual,
        "search": dict(search),
        "chunking": chunking.manifest(),
        "counts": {
            "read": len(sources),
            "written": n_documents,
            "segments": n_segments,
            "chunks": n_chunks,
            "replaced_characters": sum(fact.replaced for fact in facts.values()),
            "skipped": skipped,
        },
        "versions": {"parsers": parsers, "libraries": library_versions()},
    }
    writer.sync()
    _write_changed_manifest(folder, content, seconds=seconds)
    return IngestReport(
        documents={state: states.get(state, 0) for state in get_args(DocumentState)},
        changes={change: changes.get(change, 0) for change in get_args(Change)},
        segments=n_segments,
        chunks=n_chunks,
        problems=problems,
        duplicates=list(duplicates),
        seconds=round(seconds, 3),
        fingerprint=fingerprint,
    )


def _lasting(config: IngestConfig) -> dict[str, Any]:
    return config.model_dump(mode="json", exclude=_RUN_ONLY)


def _write_lines(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    lines = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    if not path.exists() or path.read_text(encoding="utf-8") != lines:
        write_atomically(path, lines)


def _write_changed_manifest(folder: Path, content: dict[str, Any], *, seconds: float) -> None:
    """An ingest that found nothing new leaves the manifest's bytes, and so Make, alone."""
    before = read_manifest(folder)
    if before is not None:
        lasting = {key: value for key, value in before.items() if key not in {"schema", "seconds"}}
        if lasting == json.loads(json.dumps(content)):
            return
    write_manifest(folder, {**content, "seconds": round(seconds, 3)})
