"""The document store on disk (SQLite, WAL): its tables, and reading them.

``ingest`` writes it, ``index`` and ``search_agent`` read it; nothing else is shared between them.
Documents are never overwritten: a replaced or removed one keeps its text with ``last_seen`` set, so
that a saved citation can still be opened, until ``ingest --purge``.

Why not one row per segment with its text: a segment's text is ``document.text[start:end]`` by
definition, so only spans are stored and no copy can drift.
"""

import json
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

from pydantic import TypeAdapter

from corpora.document import Chunk, Document, Location, Segment
from corpora.errors import CorpusNotFound, StoreCorrupt

STORE_FILE = "store.sqlite"
STORE_SCHEMA = 1
_SCHEME = "corpus:///"

TABLES = """
CREATE TABLE IF NOT EXISTS documents (
  doc_id TEXT PRIMARY KEY, uri TEXT NOT NULL, title TEXT NOT NULL, text TEXT NOT NULL,
  text_sha256 TEXT NOT NULL, source_sha256 TEXT NOT NULL, media_type TEXT NOT NULL,
  language TEXT NOT NULL, labels TEXT NOT NULL, date TEXT, date_source TEXT,
  page_spans TEXT NOT NULL, metadata TEXT NOT NULL,
  first_seen TEXT NOT NULL, last_seen TEXT, replaced_by TEXT
);
CREATE TABLE IF NOT EXISTS locations (
  uri TEXT PRIMARY KEY, doc_id TEXT NOT NULL, labels TEXT NOT NULL, mtime REAL,
  parent_doc_id TEXT, member_path TEXT
);
CREATE INDEX IF NOT EXISTS locations_by_document ON locations (doc_id);
CREATE TABLE IF NOT EXISTS segments (
  doc_id TEXT NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL, kind TEXT NOT NULL,
  heading_path TEXT NOT NULL, page_spans TEXT NOT NULL, boxes TEXT NOT NULL, role TEXT NOT NULL,
  hidden INTEGER NOT NULL, ocr_confidence REAL, "table" TEXT,
  PRIMARY KEY (doc_id, start, "end")
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS chunks (
  doc_id TEXT NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL, heading_path TEXT NOT NULL,
  page INTEGER, language TEXT NOT NULL, labels TEXT NOT NULL, header TEXT NOT NULL,
  n_tokens INTEGER NOT NULL,
  PRIMARY KEY (doc_id, start, "end")
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sources (
  path TEXT PRIMARY KEY, source_sha256 TEXT, size INTEGER, mtime_ns INTEGER, inode INTEGER,
  state TEXT NOT NULL, reason TEXT NOT NULL, doc_id TEXT, parser TEXT NOT NULL
);
"""
"""A document with ``last_seen`` NULL is current; only current documents have chunk rows.
``sources`` holds one row per scanned file, whatever became of it. Lists are stored as JSON."""

_DOCUMENT = TypeAdapter(Document)
_SEGMENT = TypeAdapter(Segment)
_CHUNK = TypeAdapter(Chunk)
_LOCATION = TypeAdapter(Location)
_COUNTS = TypeAdapter(dict[str, int])
_DOCUMENT_COLUMNS = (
    "doc_id, uri, title, text, text_sha256, source_sha256, media_type, language, labels, date,"
    " date_source, page_spans, metadata"
)
_JSON_COLUMNS = {"labels", "page_spans", "metadata", "heading_path", "boxes", "table"}


class DocumentStore:
    """Read-only access to one ingest folder; safe to share between threads.

    Raises (on opening):
        CorpusNotFound: there is no store.
        StoreCorrupt: the file is damaged or of a newer schema.
    """

    def __init__(self, ingest_folder: Path) -> None:
        self.path = ingest_folder / STORE_FILE
        if not self.path.is_file():
            message = f"no documents at {str(self.path)!r}; run `deepsearch ingest` (make ingest)"
            raise CorpusNotFound(message)
        self._lock = threading.Lock()
        try:
            self._connection = sqlite3.connect(
                f"{self.path.resolve().as_uri()}?mode=ro", uri=True, check_same_thread=False
            )
            self._connection.row_factory = sqlite3.Row
            schema = self._connection.execute("PRAGMA user_version").fetchone()[0]
            self._connection.execute("SELECT count(*) FROM documents").fetchone()
        except sqlite3.DatabaseError as error:
            message = (
                f"{str(self.path)!r} cannot be read ({error}); delete the folder and ingest again"
            )
            raise StoreCorrupt(message) from error
        if schema > STORE_SCHEMA:
            message = f"{str(self.path)!r} has schema {schema}, this version reads {STORE_SCHEMA}"
            raise StoreCorrupt(message)

    def close(self) -> None:
        """Release the file."""
        self._connection.close()

    def documents(self, *, with_history: bool = False) -> Iterator[Document]:
        """Current documents by doc_id; with history also replaced and removed ones."""
        where = "" if with_history else "WHERE last_seen IS NULL"
        for row in self._rows(f"SELECT {_DOCUMENT_COLUMNS} FROM documents {where} ORDER BY doc_id"):
            yield _DOCUMENT.validate_python(row)

    def document(self, doc_id: str) -> Document | None:
        """The document, current or not; None if it was never ingested or has been purged."""
        rows = self._rows(f"SELECT {_DOCUMENT_COLUMNS} FROM documents WHERE doc_id = ?", doc_id)
        for row in rows:
            return _DOCUMENT.validate_python(row)
        return None

    def document_at(self, uri: str) -> Document | None:
        """The current document that lies at ``uri``, its own place or another; None without one."""
        sql = (
            f"SELECT {_DOCUMENT_COLUMNS} FROM documents WHERE last_seen IS NULL"
            " AND doc_id = (SELECT doc_id FROM locations WHERE uri = ?)"
        )
        for row in self._rows(sql, uri):
            return _DOCUMENT.validate_python(row)
        return None

    def standing(self, doc_id: str) -> tuple[bool, str | None]:
        """(is current, doc_id of what replaced it); (False, None) also for an unknown document."""
        sql = "SELECT last_seen, replaced_by FROM documents WHERE doc_id = ?"
        for row in self._rows(sql, doc_id):
            replaced_by = row["replaced_by"]
            return row["last_seen"] is None, None if replaced_by is None else str(replaced_by)
        return False, None

    def locations(self, doc_id: str) -> list[Location]:
        """Every place of the document, by URI."""
        sql = "SELECT * FROM locations WHERE doc_id = ? ORDER BY uri"
        return [_LOCATION.validate_python(row) for row in self._rows(sql, doc_id)]

    def segments(self, doc_id: str, start: int = 0, end: int | None = None) -> list[Segment]:
        """Segments that overlap ``[start, end)``, in text order; all of the document by default."""
        sql = (
            'SELECT * FROM segments WHERE doc_id = ? AND "end" > ? AND start < ?'
            ' ORDER BY start, "end"'
        )
        stop = end if end is not None else 2**62
        return [_SEGMENT.validate_python(row) for row in self._rows(sql, doc_id, start, stop)]

    def chunks(self) -> Iterator[Chunk]:
        """All chunks of current documents, by (doc_id, start); some thousands in memory."""
        sql = (
            'SELECT * FROM chunks WHERE (doc_id, start, "end") > (?, ?, ?)'
            ' ORDER BY doc_id, start, "end" LIMIT 4096'
        )
        last: tuple[object, ...] = ("", -1, -1)
        while rows := self._rows(sql, *last):
            for row in rows:
                yield _CHUNK.validate_python(row)
            last = (rows[-1]["doc_id"], rows[-1]["start"], rows[-1]["end"])

    def counts(self) -> dict[str, int]:
        """Numbers of current documents and their segments and chunks."""
        sql = """SELECT (SELECT count(*) FROM documents WHERE last_seen IS NULL) AS documents,
          (SELECT count(*) FROM segments JOIN documents USING (doc_id) WHERE last_seen IS NULL)
            AS segments, (SELECT count(*) FROM chunks) AS chunks"""
        return _COUNTS.validate_python(self._rows(sql)[0])

    def outer_uri(self, uri: str, source_root: Path) -> str:
        """The URI of the file that holds what lies at ``uri``: itself, or its container's."""
        path = uri.removeprefix(_SCHEME)
        parts = path.split("!/")  # which may also be the end of a folder's name
        outer = ("!/".join(parts[:n]) for n in range(1, len(parts)))
        found = next((each for each in outer if (source_root / each).is_file()), path)
        return _SCHEME + found

    def source_path(self, uri: str, source_root: Path) -> Path:
        """Where the file of a ``corpus:///`` URI lies; a member's is that of its container."""
        return source_root / self.outer_uri(uri, source_root).removeprefix(_SCHEME)

    def _rows(self, sql: str, *values: object) -> list[dict[str, object]]:
        try:
            with self._lock:
                rows = self._connection.execute(sql, values).fetchall()
            return [
                {
                    key: json.loads(value) if key in _JSON_COLUMNS and value else value
                    for key, value in zip(row.keys(), row, strict=True)
                }
                for row in rows
            ]
        except (sqlite3.DatabaseError, json.JSONDecodeError) as error:
            message = (
                f"{str(self.path)!r} cannot be read ({error}); delete the folder and ingest again"
            )
            raise StoreCorrupt(message) from error
