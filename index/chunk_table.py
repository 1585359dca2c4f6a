"""ChunkTable: the chunks of one generation by row; both legs count their rows by it.

Rows are in the order of (doc_id, start, end), so the rows of a document are consecutive and row
order is the order in which equal scores are ranked.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from corpora.document import Chunk
from index.array_file import load_array, save_array
from index.string_column import StringColumn, write_column

_CHUNK = TypeAdapter(Chunk)


class ChunkTable:
    """Read access to the ``chunks`` folder of a generation."""

    def __init__(self, folder: Path) -> None:
        self._records = StringColumn(folder, "records")
        self._languages = StringColumn(folder, "languages")
        self._text_keys = load_array(folder / "text_keys.npy", dtype=np.uint8)  # (n, 16)
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

    def text_key(self, row: int) -> bytes:
        """Hash of the chunk's text without its header; equal for equal texts."""
        return bytes(self._text_keys[row])

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


class WrittenChunks(NamedTuple):
    """What a build must know of the table it has written."""

    chunks: int
    documents: int
    languages: tuple[str, ...]
    chunk_ids_sha256: str


class ChunkTableWriter:
    """Collects chunks in row order, then writes the ``chunks`` folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._records: list[bytes] = []
        self._text_keys = bytearray()
        self._languages: list[str] = []
        self._documents: list[str] = []
        self._document_of: list[int] = []
        self._ids = hashlib.sha256()

    def add(self, indexed: IndexedChunk) -> None:
        """Append a row."""
        chunk = indexed.chunk
        record = _CHUNK.dump_python(chunk, mode="json")
        self._records.append(json.dumps(record, ensure_ascii=False).encode())
        self._text_keys += hashlib.sha256(indexed.text.encode()).digest()[:16]
        self._languages.append(chunk.language)
        if not self._documents or self._documents[-1] != chunk.doc_id:
            self._documents.append(chunk.doc_id)
        self._document_of.append(len(self._documents) - 1)
        self._ids.update(f"{chunk.chunk_id}\n".encode())

    def finish(self) -> WrittenChunks:
        """Write the files."""
        self._folder.mkdir(parents=True)
        languages = sorted(set(self._languages))
        codes = {language: code for code, language in enumerate(languages)}
        language = np.array([codes[name] for name in self._languages], dtype=np.int32)
        text_keys = np.frombuffer(bytes(self._text_keys), dtype=np.uint8).reshape(-1, 16)
        write_column(self._folder, "records", self._records)
        write_column(self._folder, "languages", _encoded(languages))
        write_column(self._folder, "documents", _encoded(self._documents))
        save_array(self._folder / "language.npy", language)
        save_array(self._folder / "text_keys.npy", text_keys)
        save_array(self._folder / "document.npy", np.array(self._document_of, dtype=np.int32))
        return WrittenChunks(
            chunks=len(self._records),
            documents=len(self._documents),
            languages=tuple(languages),
            chunk_ids_sha256=self._ids.hexdigest(),
        )


def _encoded(values: list[str]) -> Iterator[bytes]:
    return (value.encode() for value in values)
