"""Postings on disk: which documents hold a term, and how often, as compressed sparse rows.

``terms``: sorted UTF-8 dictionary; ``starts[t] : starts[t + 1]`` is term t's range in
``documents`` (ascending row numbers) and ``frequencies``; ``lengths``: the documents' lengths. All
memory-mapped, so opening costs nothing and many processes share one copy.

Why not stored scores (as bm25s does): k1, b and the variant would be frozen into the files.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from index.array_file import create_array, load_array, save_array
from index.string_column import StringColumn, write_column

_BLOCK_POSTINGS = 2_000_000
"""Postings held in memory while building: 24 MB."""


class PostingList(NamedTuple):
    """Documents that hold a term, ascending, and the term's frequency in each."""

    documents: NDArray[np.int32]
    frequencies: NDArray[np.int32]


class Postings:
    """Read access to a folder that ``PostingsWriter`` has written."""

    def __init__(self, folder: Path) -> None:
        self.terms = StringColumn(folder, "terms")
        self.lengths = load_array(folder / "lengths.npy", dtype=np.int32)
        self._starts = load_array(folder / "starts.npy", dtype=np.int64)
        self._documents = load_array(folder / "documents.npy", dtype=np.int32)
        self._frequencies = load_array(folder / "frequencies.npy", dtype=np.int32)

    @property
    def n_documents(self) -> int:
        """Documents, including those without terms."""
        return len(self.lengths)

    def document_frequencies(self) -> NDArray[np.int64]:
        """Number of documents per term, (n_terms,)."""
        return np.diff(self._starts)

    def posting_list(self, term_row: int) -> PostingList:
        """The documents of one term."""
        span = slice(self._starts[term_row], self._starts[term_row + 1])
        return PostingList(self._documents[span], self._frequencies[span])


class PostingsWriter:
    """Writes postings of documents handed over one by one as their terms.

    Blocks of postings are spooled to a file and at the end dealt out to their terms' ranges, so
    memory holds the vocabulary and one block, whatever the size of the corpus.
    """

    def __init__(self, folder: Path, *, block_postings: int = _BLOCK_POSTINGS) -> None:
        folder.mkdir(parents=True)
        self._folder = folder
        self._block_postings = block_postings
        self._spooled = folder / "spool"
        self._file = self._spooled.open("wb")
        self._numbers: dict[str, int] = {}  # term -> number of first appearance
        self._lengths: list[int] = []
        self._block: list[tuple[int, int, int]] = []

    def add(self, terms: Sequence[str], *, length: int) -> None:
        """Append a document; its row is the number of documents added before."""
        row = len(self._lengths)
        self._lengths.append(length)
        for term, frequency in Counter(terms).items():
            number = self._numbers.setdefault(term, len(self._numbers))
            self._block.append((number, row, frequency))
        if len(self._block) >= self._block_postings:
            self._spool_block()

    def finish(self) -> None:
        """Write the folder's files."""
        self._spool_block()
        self._file.close()
        by_bytes = sorted((term.encode("utf-8"), n) for term, n in self._numbers.items())
        write_column(self._folder, "terms", (term for term, _ in by_bytes))
        order = np.empty(len(by_bytes), dtype=np.int64)  # number of first appearance -> sorted row
        order[[n for _, n in by_bytes]] = np.arange(len(by_bytes))
        save_array(self._folder / "lengths.npy", np.array(self._lengths, dtype=np.int32))
        _deal_out(self._folder, self._spooled, order, self._block_postings)
        self._spooled.unlink()

    def _spool_block(self) -> None:
        self._file.write(np.array(self._block, dtype=np.int32).reshape(-1, 3).tobytes())
        self._block.clear()


def _deal_out(folder: Path, spooled: Path, order: NDArray[np.int64], block_postings: int) -> None:
    """Move the postings, spooled in document order, to the ranges of their terms."""
    frequencies_per_term = np.zeros(len(order), dtype=np.int64)
    for block in _blocks(spooled, block_postings):
        frequencies_per_term += np.bincount(order[block[:, 0]], minlength=len(order))
    starts = np.concatenate(([0], np.cumsum(frequencies_per_term)))
    save_array(folder / "starts.npy", starts.astype(np.int64))
    total = int(starts[-1])
    documents = create_array(folder / "documents.npy", dtype=np.int32, length=total)
    frequencies = create_array(folder / "frequencies.npy", dtype=np.int32, length=total)
    cursor = starts[:-1].copy()
    for block in _blocks(spooled, block_postings):
        terms = order[block[:, 0]]
        by_term = np.argsort(terms, kind="stable")  # keeps document order within a term
        present, first, n = np.unique(terms[by_term], return_index=True, return_counts=True)
        within = np.arange(len(terms)) - np.repeat(first, n)
        places = np.repeat(cursor[present], n) + within
        documents[places] = block[by_term, 1]
        frequencies[places] = block[by_term, 2]
        cursor[present] += n


def _blocks(spooled: Path, block_postings: int) -> Iterable[NDArray[np.int32]]:
    with spooled.open("rb") as file:
        while data := file.read(block_postings * 12):
            yield np.frombuffer(data, dtype=np.int32).reshape(-1, 3)
