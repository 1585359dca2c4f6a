"""A small real store on disk and ToySearcher, the simplest honest Searcher over it."""

import hashlib
import json
import math
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from corpora.document import Segment
from corpora.hit import Filters, Hit
from corpora.store import STORE_FILE, STORE_SCHEMA, TABLES, DocumentStore
from index.analyzer import Analyzer
from index.searcher import Passage

from .scripted_search import ScriptedSearch, add_korren_documents


@dataclass(frozen=True, kw_only=True)
class Part:
    """One segment of a toy document."""

    text: str
    page: int | None = None
    heading: tuple[str, ...] = ()
    kind: str = "sentence"
    role: str = "body"
    hidden: bool = False


class ToySearcher:
    """Ranks chunks by the summed idf of shared terms; equal scores by chunk id. No second leg."""

    corpus = "toy"
    fingerprint = "0" * 64
    languages = frozenset({"en", "zh"})

    def __init__(self, store: DocumentStore) -> None:
        self.store = store
        self.calls: list[dict[str, object]] = []
        self._analyzer = Analyzer(languages=("en", "zh"))
        self._documents = {document.doc_id: document for document in store.documents()}
        self._terms = {
            chunk: Counter(self.content_tokens(self._text(chunk.doc_id, chunk.start, chunk.end)))
            for chunk in store.chunks()
        }

    def search(
        self,
        queries: Sequence[str],
        *,
        k: int,
        mode: str = "hybrid",
        filters: Filters | None = None,
        page: int = 1,
    ) -> list[list[Hit]]:
        self.calls.append({"queries": list(queries), "k": k, "mode": mode, "page": page})
        return [self._rank(query, filters)[(page - 1) * k : page * k] for query in queries]

    def open(
        self, doc_id: str, span: tuple[int, int] | None = None, *, filters: Filters | None = None
    ) -> Passage:
        document = self._documents[doc_id]
        start, end = span or (0, len(document.text))
        return Passage(
            doc_id=doc_id,
            title=document.title,
            uri=document.uri,
            start=start,
            end=end,
            text=document.text[start:end],
            page=document.page_at(start),
            segments=tuple(self.segments(doc_id, start, end)),
        )

    def find(
        self, doc_id: str, text: str, *, filters: Filters | None = None
    ) -> list[tuple[int, int]]:
        found, start = [], self._documents[doc_id].text.find(text)
        while start >= 0:
            found.append((start, start + len(text)))
            start = self._documents[doc_id].text.find(text, start + 1)
        return found

    def segments(self, doc_id: str, start: int, end: int) -> list[Segment]:
        return [item for item in self.store.segments(doc_id, start, end) if not item.hidden]

    def content_tokens(self, text: str) -> list[str]:
        return self._analyzer.query_terms(text).content

    def idf(self, token: str) -> float:
        frequency = sum(token in terms for terms in self._terms.values())
        return math.log(1 + (len(self._terms) - frequency + 0.5) / (frequency + 0.5))

    def _text(self, doc_id: str, start: int, end: int) -> str:
        return self._documents[doc_id].text[start:end]

    def _rank(self, query: str, filters: Filters | None) -> list[Hit]:
        wanted = set(self.content_tokens(query))
        scored = []
        for chunk, terms in self._terms.items():
            if filters and filters.labels_any and not set(filters.labels_any) & set(chunk.labels):
                continue
            score = sum(self.idf(token) for token in sorted(wanted) if token in terms)
            if score > 0:
                scored.append((-score, chunk.chunk_id, chunk))
        hits = []
        for rank, (negative, chunk_id, chunk) in enumerate(sorted(scored, key=lambda row: row[:2])):
            document = self._documents[chunk.doc_id]
            hits.append(
                Hit(
                    chunk_id=chunk_id,
                    doc_id=chunk.doc_id,
                    title=document.title,
                    uri=document.uri,
                    page=chunk.page,
                    heading_path=chunk.heading_path,
                    start=chunk.start,
                    end=chunk.end,
                    text=document.text[chunk.start : chunk.end],
                    score=-negative,
                    rank=rank,
                    legs={"sparse": rank, "dense": None},
                    segments=tuple(self.store.segments(chunk.doc_id, chunk.start, chunk.end)),
                    labels=chunk.labels,
                )
            )
        return hits


class ToyCorpus:
    """Writes source files and the store's rows as ingestion would; ``open`` searches them."""

    def __init__(self, folder: Path) -> None:
        self.source_root = folder / "source"
        self.ingest_folder = folder / "ingest"
        self.source_root.mkdir(parents=True)
        self.ingest_folder.mkdir()
        with self._connection() as connection:
            connection.executescript(TABLES)
            connection.execute(f"PRAGMA user_version = {STORE_SCHEMA}")

    def add(
        self,
        path: str,
        *parts: Part | str,
        title: str = "",
        labels: tuple[str, ...] = (),
        chunk_size: int = 3,
        overlap: int = 0,
        date: str | None = None,
    ) -> str:
        """One document, its parts joined by line ends; its doc_id."""
        segments = [part if isinstance(part, Part) else Part(text=part) for part in parts]
        text = "\n".join(part.text for part in segments)
        source = text.encode()
        (self.source_root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.source_root / path).write_bytes(source)
        digest = hashlib.sha256(source).hexdigest()
        doc_id = f"d_{digest[:16]}"
        spans, start = [], 0
        for part in segments:
            spans.append((start, start + len(part.text)))
            start += len(part.text) + 1
        pages = [
            [part.page, start, end + 1]
            for part, (start, end) in zip(segments, spans, strict=True)
            if part.page is not None
        ]
        with self._connection() as connection:
            self._insert(
                connection,
                "documents",
                doc_id,
                f"corpus:///{path}",
                title or path,
                text,
                hashlib.sha256(text.encode()).hexdigest(),
                digest,
                "text/plain",
                "en",
                json.dumps(labels),
                date,
                None,
                json.dumps(pages),
                "{}",
                "2026-01-01",
                None,
                None,
            )
            location = [f"corpus:///{path}", doc_id, json.dumps(labels), None, None, None]
            self._insert(connection, "locations", *location)
            for part, (start, end) in zip(segments, spans, strict=True):
                page_spans = [] if part.page is None else [[part.page, start, end]]
                self._insert(
                    connection,
                    "segments",
                    doc_id,
                    start,
                    end,
                    part.kind,
                    json.dumps(part.heading),
                    json.dumps(page_spans),
                    "[]",
                    part.role,
                    int(part.hidden),
                    None,
                    None,
                )
            for group in _chunks(segments, chunk_size, overlap):
                first, last = group[0], group[-1]
                self._insert(
                    connection,
                    "chunks",
                    doc_id,
                    spans[first][0],
                    spans[last][1],
                    json.dumps(segments[first].heading),
                    segments[first].page,
                    "en",
                    json.dumps(labels),
                    title,
                    0,
                )
        return doc_id

    def execute(self, sql: str, *values: object) -> None:
        """Change the store behind everybody's back."""
        with self._connection() as connection:
            connection.execute(sql, values)

    def store(self) -> DocumentStore:
        return DocumentStore(self.ingest_folder)

    def open(self) -> ToySearcher:
        return ToySearcher(self.store())

    def _connection(self) -> "_Closing":
        return _Closing(self.ingest_folder / STORE_FILE)

    @staticmethod
    def _insert(connection: sqlite3.Connection, table: str, *values: object) -> None:
        marks = ", ".join("?" * len(values))
        connection.execute(f"INSERT INTO {table} VALUES ({marks})", values)


class _Closing:
    """A connection that commits and closes."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path)
        self._connection.execute("PRAGMA synchronous = OFF")  # tests need not survive a power cut

    def __enter__(self) -> sqlite3.Connection:
        return self._connection

    def __exit__(self, *error: object) -> None:
        self._connection.commit()
        self._connection.close()


def _chunks(segments: Sequence[Part], size: int, overlap: int) -> list[list[int]]:
    groups: list[list[int]] = []
    for position, part in enumerate(segments):
        is_new_section = position > 0 and segments[position - 1].heading != part.heading
        if not groups or is_new_section:
            groups.append([])
        elif len(groups[-1]) == size:
            groups.append(list(range(position - overlap, position)))
        groups[-1].append(position)
    return groups


@pytest.fixture
def corpus(tmp_path: Path) -> ToyCorpus:
    """An empty corpus to add documents to."""
    return ToyCorpus(tmp_path / "corpus")


@pytest.fixture
def part() -> Callable[..., Part]:
    """Makes one segment of a toy document with page, heading, kind, role or hidden."""
    return Part


@pytest.fixture
def search(corpus: ToyCorpus, tmp_path: Path) -> ScriptedSearch:
    """Scripted searches over the corpus of the two-hop question."""
    add_korren_documents(corpus)
    return ScriptedSearch(corpus.open(), corpus.source_root, tmp_path)
