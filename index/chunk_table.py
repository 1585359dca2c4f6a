"""ChunkTable: the chunks of one generation by row; both legs count their rows by it.

Rows are in the order of (doc_id, start, end), so the rows of a document are consecutive and row
order is the order in which equal scores are ranked.
"""

import hashlib
import json
from array import array
from bisect import bisect_left
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from corpora.document import Chunk, parse_span_id
from index.array_file import load_array, save_array
from index.string_column import ColumnWriter, StringColumn, write_column

_CHUNK = TypeAdapter(Chunk)


class ChunkTable:
    """Read access to the ``chunks`` folder of a generation."""

    def __init__(self, folder: Path) -> None:
        self._records = StringColumn(folder, "records")
        self._languages = StringColumn(folder, "languages")
        self._text_keys = load_array(folder / "text_keys.npy", dtype=np.uint8)  # (n, 16)
        self.terms_keys = load_array(folder / "terms_keys.npy", dtype=np.uint8)
        """Hash of all that decides a row's terms under one analyzer, (n, 16)."""
        self._language = load_array(folder / "language.npy", dtype=np.int32)  # (n,)
        self.document_of = load_array(folder / "document.npy", dtype=np.int32)
        """Number of the row's document in ``documents``, (n,)."""
        self.documents = StringColumn(folder, "documents")
        """Ids of documents with chunks, ascending."""

    def __len__(self) -> int:
        return len(self._records)

    @property
    def languages(self) -> tuple[str, ...]:
        """Languages of the chunks, ascending."""
        return tuple(self._languages[i] for i in range(len(self._languages)))

    def chunk(self, row: int) -> Chunk:
        """The chunk as ingestion stored it."""
        return _CHUNK.validate_json(self._records.raw(row))

    def rows_of(self, document: int) -> range:
        """Rows of a document, given by its number."""
        first, end = np.searchsorted(self.document_of, (document, document + 1))
        return range(int(first), int(end))

    def row_of(self, chunk_id: str) -> int | None:
        """Row of a chunk, None where there is no such one."""
        try:
            doc_id, start, end = parse_span_id(chunk_id)
        except ValueError:
            return None
        document = self.documents.row_of(doc_id)
        rows = range(0) if document is None else self.rows_of(document)
        place = bisect_left(rows, start, key=lambda row: self.chunk(row).start)
        at_start = takewhile(lambda row: self.chunk(row).start == start, rows[place:])
        return next((row for row in at_start if self.chunk(row).end == end), None)

    def text_keys(self, rows: NDArray[np.int64]) -> list[bytes]:
        """Hashes of the chunks' texts without their headers; equal for equal texts."""
        keys = np.ascontiguousarray(self._text_keys[rows])
        return list(map(bytes, keys.view(f"V{keys.shape[1]}").ravel().tolist()))

    def in_languages(self, languages: frozenset[str]) -> NDArray[np.bool_]:
        """True for the rows in one of ``languages``, (n,)."""
        codes = [i for i, language in enumerate(self.languages) if language in languages]
        return np.isin(self._language, codes)

    def chunk_ids_sha256(self) -> str:
        """Hash over all chunk ids in row order; reads every record."""
        digest = hashlib.sha256()
        for row in range(len(self)):
            digest.update(f"{self.chunk(row).chunk_id}\n".encode())
        return digest.hexdigest()


class IndexedChunk(NamedTuple):
    """A chunk as the legs see it."""

    chunk: Chunk
    text: str
    """Its visible text."""
    title: str
    """Title of its document."""

    @property
    def indexed_text(self) -> str:
        """Header and text, what both legs index; never what is quoted."""
        header = self.chunk.header
        return f"{header}\n{self.text}" if header else self.text

    @property
    def terms_key(self) -> bytes:
        """Equal for chunks to which any analyzer gives equal terms."""
        return _short_hash(f"{self.chunk.language}\0{self.indexed_text}")


class WrittenChunks(NamedTuple):
    """What a build must know of the table it has written."""

    chunks: int
    documents: int
    languages: dict[str, int]
    """Chunks in each language, by name."""
    chunk_ids_sha256: str


class ChunkTableWriter:
    """Writes the ``chunks`` folder row by row; memory holds some 100 bytes a row."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self._folder = folder
        self._records = ColumnWriter(folder, "records")
        self._documents = ColumnWriter(folder, "documents")
        self._text_keys = bytearray()
        self._terms_keys = bytearray()
        self._languages: dict[str, int] = {}  # language -> number of first appearance
        self._language = array("i")
        self._document_of = array("i")
        self._last_document: str | None = None
        self._n_documents = 0
        self._ids = hashlib.sha256()

    def add(self, indexed: IndexedChunk) -> None:
        """Append a row."""
        chunk = indexed.chunk
        record = _CHUNK.dump_python(chunk, mode="json")
        self._records.add(json.dumps(record, ensure_ascii=False).encode())
        self._text_keys += _short_hash(indexed.text)
        self._terms_keys += indexed.terms_key
        self._language.append(self._languages.setdefault(chunk.language, len(self._languages)))
        if self._last_document != chunk.doc_id:
            self._last_document = chunk.doc_id
            self._documents.add(chunk.doc_id.encode())
            self._n_documents += 1
        self._document_of.append(self._n_documents - 1)
        self._ids.update(f"{chunk.chunk_id}\n".encode())

    def finish(self) -> WrittenChunks:
        """Complete the files."""
        self._records.finish()
        self._documents.finish()
        languages = sorted(self._languages)
        write_column(self._folder, "languages", (language.encode() for language in languages))
        first_seen = np.array(self._language, dtype=np.int32)
        counts = np.bincount(first_seen, minlength=len(languages)).tolist()
        codes = np.array([languages.index(name) for name in self._languages], dtype=np.int32)
        save_array(self._folder / "language.npy", codes[first_seen])
        save_array(self._folder / "document.npy", np.array(self._document_of, dtype=np.int32))
        save_array(self._folder / "text_keys.npy", _key_rows(self._text_keys))
        save_array(self._folder / "terms_keys.npy", _key_rows(self._terms_keys))
        return WrittenChunks(
            chunks=len(self._language),
            documents=self._n_documents,
            languages={name: counts[self._languages[name]] for name in languages},
            chunk_ids_sha256=self._ids.hexdigest(),
        )


def _short_hash(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()[:16]


def _key_rows(keys: bytearray) -> NDArray[np.uint8]:
    return np.frombuffer(keys, dtype=np.uint8).reshape(-1, 16)
