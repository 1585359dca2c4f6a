"""Writing postings of documents handed over one by one as their terms.

Blocks of postings are spooled to a file and at the end dealt out to their terms' ranges, so memory
holds the vocabulary and one block, whatever the size of the corpus.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from index.array_file import create_array, save_array
from index.string_column import write_column

BLOCK_POSTINGS = 2_000_000
"""Postings dealt out at a time: some 100 MB of arrays."""


class PostingsWriter:
    """Writes the folder that ``Postings`` reads."""

    def __init__(self, folder: Path, *, block_postings: int = BLOCK_POSTINGS) -> None:
        folder.mkdir(parents=True)
        self._folder = folder
        self._block_postings = block_postings
        self._spooled = folder / "spool"
        self._numbers: dict[str, int] = {}  # term -> number of first appearance
        self._lengths = array("i")
        self._block = array("i")  # number, row, frequency of each posting

    def add(self, terms: Sequence[str], *, length: int) -> None:
        """Append a document; its row is the number of documents added before."""
        row = len(self._lengths)
        self._lengths.append(length)
        numbers = self._numbers
        for term, frequency in Counter(terms).items():
            self._block.extend((numbers.setdefault(term, len(numbers)), row, frequency))
        if len(self._block) >= 3 * self._block_postings:
            self._spool_block()

    def finish(self) -> None:
        """Write the folder's files."""
        self._spool_block()
        by_bytes = sorted((term.encode("utf-8"), n) for term, n in self._numbers.items())
        write_column(self._folder, "terms", (term for term, _ in by_bytes))
        order = np.empty(len(by_bytes), dtype=np.int64)  # number of first appearance -> sorted row
        order[[n for _, n in by_bytes]] = np.arange(len(by_bytes))
        lengths = np.array(self._lengths, dtype=np.int32)
        save_lengths(self._folder, lengths)
        _deal_out(self._folder, self._spooled, order, lengths, self._block_postings)
        self._spooled.unlink()

    def _spool_block(self) -> None:
        with self._spooled.open("ab") as file:
            self._block.tofile(file)
        del self._block[:]


def save_lengths(folder: Path, lengths: NDArray[np.int32]) -> None:
    """Write the documents' lengths and their sum."""
    save_array(folder / "lengths.npy", lengths)
    total = lengths.sum(dtype=np.int64)
    save_array(folder / "total_length.npy", np.array([total], dtype=np.int64))


def pair_keys(frequencies: NDArray[np.int32], lengths: NDArray[np.int32]) -> NDArray[np.int64]:
    """One number per pair, in the order of the pairs."""
    return frequencies.astype(np.int64) << 32 | lengths


def save_pairs(folder: Path, keys: NDArray[np.int64]) -> None:
    """Write the pairs, given as ascending keys."""
    pairs = np.stack((keys >> 32, keys & 0xFFFFFFFF), axis=1)
    save_array(folder / "pairs.npy", pairs.astype(np.int32))


def _deal_out(
    folder: Path,
    spooled: Path,
    order: NDArray[np.int64],
    lengths: NDArray[np.int32],
    block_postings: int,
) -> None:
    """Move the postings, spooled in document order, to the ranges of their terms."""
    documents_per_term = np.zeros(len(order), dtype=np.int64)
    known_pairs = np.zeros(0, dtype=np.int64)
    for block in _blocks(spooled, block_postings):
        documents_per_term += np.bincount(order[block[:, 0]], minlength=len(order))
        known_pairs = np.union1d(known_pairs, pair_keys(block[:, 2], lengths[block[:, 1]]))
    save_pairs(folder, known_pairs)
    starts = np.concatenate(([0], np.cumsum(documents_per_term))).astype(np.int64)
    save_array(folder / "starts.npy", starts)
    documents = create_array(folder / "documents.npy", dtype=np.int32, length=int(starts[-1]))
    impacts = create_array(folder / "impacts.npy", dtype=np.int32, length=int(starts[-1]))
    cursor = starts[:-1].copy()
    for block in _blocks(spooled, block_postings):
        terms = order[block[:, 0]]
        by_term = np.argsort(terms, kind="stable")  # keeps document order within a term
        present, first, n = np.unique(terms[by_term], return_index=True, return_counts=True)
        within = np.arange(len(terms)) - np.repeat(first, n)
        places = np.repeat(cursor[present], n) + within
        rows = block[by_term, 1]
        documents[places] = rows
        impacts[places] = known_pairs.searchsorted(pair_keys(block[by_term, 2], lengths[rows]))
        cursor[present] += n


def _blocks(spooled: Path, block_postings: int) -> Iterable[NDArray[np.int32]]:
    with spooled.open("rb") as file:
        while data := file.read(block_postings * 12):
            yield np.frombuffer(data, dtype=np.int32).reshape(-1, 3)
