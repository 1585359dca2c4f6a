"""StoreWriter: writes the document store, one transaction per content, all of it repeatable.

Beside the tables that everyone reads (corpora.store) it keeps ``ingest_facts``: how each document
was read, so that the next ingest knows what is still up to date.
"""

import errno
import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from corpora.document import Chunk, Document, DocumentState, Location, Segment
from corpora.errors import StoreCorrupt
from corpora.store import STORE_FILE, STORE_SCHEMA, TABLES
from ingest.errors import IngestError
from ingest.settings import Settings

_FACTS_TABLE = """
CREATE TABLE IF NOT EXISTS ingest_facts (
  doc_id TEXT PRIMARY KEY, parser TEXT NOT NULL, chunking TEXT NOT NULL, title_source TEXT NOT NULL,
  missing TEXT NOT NULL, cut_spans TEXT NOT NULL, pages INTEGER NOT NULL, replaced INTEGER NOT NULL,
  placement TEXT NOT NULL,  digest TEXT NOT NULL
)
"""
_SIGNATURES_TABLE = """
CREATE TABLE IF NOT EXISTS ingest_signatures (doc_id TEXT PRIMARY KEY, minhash BLOB NOT NULL);
"""
_SETTINGS_TABLE = """
CREATE TABLE IF NOT EXISTS ingest_settings (
  languages TEXT NOT NULL, ocr_languages TEXT NOT NULL, exclude TEXT NOT NULL
);
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRow:
    """What became of one scanned file."""

    path: str
    source_sha256: str | None
    size: int
    mtime_ns: int
    inode: int
    state: DocumentState
    reason: str
    doc_id: str | None
    parser: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """How a document was read."""

    doc_id: str
    parser: str
    chunking: str
    """Digest of tokenizer and chunk settings its chunks were made with."""
    title_source: str
    missing: str
    """What could not be read of it; empty for state ``ok``."""
    cut_spans: str
    """JSON list of segments' spans that had to be cut to fit the encoder."""
    pages: int
    replaced: int
    """Characters that became U+FFFD."""
    placement: str
    """Digest of the document's places and of what the corpus card says of them."""
    digest: str
    """Hash of everything of the document that the fingerprint covers."""


class StoreWriter:
    """The one writer of a store; hold the folder's lock around it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / STORE_FILE
        with self._mapped():
            self._connection = sqlite3.connect(self.path, isolation_level=None)
            schema = self._connection.execute("PRAGMA user_version").fetchone()[0]
            if schema > STORE_SCHEMA:
                self._connection.close()
                message = (
                    f"{str(self.path)!r} has schema {schema}, this version writes {STORE_SCHEMA}"
                )
                raise StoreCorrupt(message)
            self._connection.execute("PRAGMA journal_mode = WAL")
            # With WAL this loses nothing to kill -9: a commit is in the system's cache by then. A
            # power cut may take back the last commits, whole and in order, never damage the store;
            # the next ingest makes them anew, and no manifest speaks of them (see ``sync``).
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.executescript(
                TABLES + _FACTS_TABLE + ";" + _SIGNATURES_TABLE + _SETTINGS_TABLE
            )
            self._connection.execute(f"PRAGMA user_version = {STORE_SCHEMA}")

    def close(self) -> None:
        """Fold the log into the store and release it."""
        self._connection.close()

    def sync(self) -> None:
        """Bring all commits to the disk itself; after this not even a power cut takes them back."""
        self._rows("PRAGMA wal_checkpoint(PASSIVE)")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing: what is written inside is there after the end, or none of it is."""
        with self._mapped():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    def sources(self) -> dict[str, SourceRow]:
        """All source rows by path."""
        with self._mapped():
            return sources_in(self._connection)

    def facts(self) -> dict[str, Facts]:
        """Facts of the current documents by doc_id."""
        with self._mapped():
            return facts_in(self._connection)

    def settings(self) -> Settings:
        """Under which all rows were made; none where that is not known."""
        with self._mapped():
            return settings_in(self._connection)

    def save_settings(self, settings: Settings) -> None:
        """Replace them."""
        self._execute("DELETE FROM ingest_settings")
        self._insert("ingest_settings", settings._asdict())

    def current_uris(self) -> dict[str, str]:
        """URI of each current document by doc_id."""
        with self._mapped():
            return uris_in(self._connection)

    def counts(self) -> tuple[int, int, int]:
        """Current documents, their segments and chunks."""
        sql = """SELECT (SELECT count(*) FROM documents WHERE last_seen IS NULL),
          (SELECT count(*) FROM segments JOIN documents USING (doc_id) WHERE last_seen IS NULL),
          (SELECT count(*) FROM chunks)"""
        documents, segments, chunks = self._rows(sql)[0]
        return int(documents), int(segments), int(chunks)

    def save_sources(self, rows: Sequence[SourceRow]) -> None:
        """Insert or replace source rows."""
        for row in rows:
            self._insert("sources", _row(row))

    def forget_source(self, path: str, uri: str) -> None:
        """Drop the row and the location of a file that is gone."""
        self._execute("DELETE FROM sources WHERE path = ?", path)
        self._execute("DELETE FROM locations WHERE uri = ?", uri)

    def save_document(self, document: Document, facts: Facts, *, seen: str) -> None:
        """Insert or replace a document, current from now on; ``first_seen`` stays the first."""
        found = self._rows("SELECT first_seen FROM documents WHERE doc_id = ?", document.doc_id)
        first_seen = found[0]["first_seen"] if found else seen
        row = {**_row(document), "first_seen": first_seen, "last_seen": None, "replaced_by": None}
        self._insert("documents", row)
        self._insert("ingest_facts", _row(facts))

    def save_signature(self, doc_id: str, signature: bytes) -> None:
        """Insert or replace the MinHash of a document's text."""
        self._insert("ingest_signatures", {"doc_id": doc_id, "minhash": signature})

    def signatures(self) -> Iterator[tuple[sqlite3.Row, bytes | None]]:
        """(doc_id, uri, date, n_chars, metadata) of current documents by doc_id, with MinHash."""
        sql = """SELECT doc_id, uri, date, length(text) AS n_chars, metadata, minhash FROM documents
          LEFT JOIN ingest_signatures USING (doc_id) WHERE last_seen IS NULL ORDER BY doc_id"""
        with self._mapped():
            for row in _each_row(self._connection, sql):
                yield row, row["minhash"]

    def text(self, doc_id: str) -> str:
        """Text of a document."""
        return str(self._rows("SELECT text FROM documents WHERE doc_id = ?", doc_id)[0]["text"])

    def save_segments(self, doc_id: str, segments: Sequence[Segment]) -> None:
        """Replace the segments of a document."""
        self._execute("DELETE FROM segments WHERE doc_id = ?", doc_id)
        self._insert_all("segments", [_row(segment) for segment in segments])

    def save_chunks(self, doc_id: str, chunks: Sequence[Chunk]) -> None:
        """Replace the chunks of a document."""
        self._execute("DELETE FROM chunks WHERE doc_id = ?", doc_id)
        self._insert_all("chunks", [_row(chunk) for chunk in chunks])

    def save_locations(self, doc_id: str, locations: Sequence[Location]) -> None:
        """Replace the places of a document."""
        self._execute("DELETE FROM locations WHERE doc_id = ?", doc_id)
        for location in locations:
            self._insert("locations", _row(location))

    def retire(self, doc_id: str, *, replaced_by: str | None, seen: str) -> None:
        """Make a document history: text and segments stay, chunks and places go."""
        self._execute("DELETE FROM chunks WHERE doc_id = ?", doc_id)
        self._execute("DELETE FROM locations WHERE doc_id = ?", doc_id)
        self._execute(
            "UPDATE documents SET last_seen = ?, replaced_by = ? WHERE doc_id = ?",
            seen,
            replaced_by,
            doc_id,
        )

    def _insert(self, table: str, row: dict[str, object]) -> None:
        self._insert_all(table, [row])

    def _insert_all(self, table: str, rows: Sequence[dict[str, object]]) -> None:
        if not rows:
            return
        names = list(rows[0])
        columns = ", ".join(f'"{name}"' for name in names)
        marks = ", ".join("?" * len(names))
        values = ([_stored(row[name]) for name in names] for row in rows)
        self._connection.executemany(
            f"INSERT OR REPLACE INTO {table} ({columns}) VALUES ({marks})", values
        )

    def _execute(self, sql: str, *values: object) -> None:
        self._connection.execute(sql, values)

    def _rows(self, sql: str, *values: object) -> list[sqlite3.Row]:
        with self._mapped():
            return _rows(self._connection, sql, *values)

    @contextmanager
    def _mapped(self) -> Iterator[None]:
        """The boundary to sqlite3 and the disk below it."""
        try:
            yield
        except sqlite3.OperationalError as error:
            if "full" in str(error):
                raise IngestError(disk_full(self.path)) from error
            message = f"{str(self.path)!r} cannot be written: {error}"
            raise IngestError(message) from error
        except sqlite3.DatabaseError as error:
            message = (
                f"{str(self.path)!r} cannot be read ({error}); delete the folder and ingest again"
            )
            raise StoreCorrupt(message) from error


def sources_in(connection: sqlite3.Connection) -> dict[str, SourceRow]:
    """All source rows by path."""
    columns = ", ".join(SourceRow.__dataclass_fields__)
    rows = _each_row(connection, f"SELECT {columns} FROM sources")
    return {row["path"]: SourceRow(**dict(row)) for row in rows}


def facts_in(connection: sqlite3.Connection) -> dict[str, Facts]:
    """Facts of the current documents by doc_id."""
    sql = """SELECT ingest_facts.* FROM ingest_facts JOIN documents USING (doc_id)
      WHERE last_seen IS NULL"""
    return {row["doc_id"]: Facts(**dict(row)) for row in _each_row(connection, sql)}


def uris_in(connection: sqlite3.Connection) -> dict[str, str]:
    """URI of each current document by doc_id."""
    rows = _each_row(connection, "SELECT doc_id, uri FROM documents WHERE last_seen IS NULL")
    return {row["doc_id"]: row["uri"] for row in rows}


def settings_in(connection: sqlite3.Connection) -> Settings:
    """Under which all rows were made; none in a store of a version that did not keep them."""
    if not _rows(connection, "SELECT 1 FROM sqlite_master WHERE name = 'ingest_settings'"):
        return Settings()
    rows = _rows(connection, "SELECT * FROM ingest_settings")
    return Settings(**dict(rows[0])) if rows else Settings()


def _rows(connection: sqlite3.Connection, sql: str, *values: object) -> list[sqlite3.Row]:
    return list(_each_row(connection, sql, *values))


def _each_row(connection: sqlite3.Connection, sql: str, *values: object) -> Iterator[sqlite3.Row]:
    cursor = connection.cursor()
    cursor.row_factory = sqlite3.Row
    return iter(cursor.execute(sql, values))


def disk_full(path: Path) -> str:
    """The one line a user gets when the disk is full."""
    return (
        f"no space left for {str(path)!r}; free some and run ingest again, finished files are kept"
    )


def is_disk_full(error: OSError) -> bool:
    """Whether the system says that nothing more can be written."""
    return error.errno in {errno.ENOSPC, errno.EFBIG, errno.EDQUOT}


def _row(record: Document | Segment | Chunk | Location | SourceRow | Facts) -> dict[str, object]:
    return {name: getattr(record, name) for name in record.__dataclass_fields__}


def _stored(value: object) -> object:
    """Lists and mappings as JSON, flags as numbers; the rest as it is."""
    if value == ():  # most segments have no boxes and no pages
        return "[]"
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, tuple | list | dict):
        return json.dumps(value, ensure_ascii=False)
    return value
