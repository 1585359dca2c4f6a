"""Mentions: which chunks name what other chunks are about, as compressed sparse rows on disk.

A name has *units*, the documents and sections that bear it as title or heading, and *rows*, the
chunks whose text mentions it. Kept are names with a unit, and names without one that recur in 2 to
``MOST_DOCUMENTS`` documents: once links nothing, everywhere says nothing.

Names are known by 64 bits of a hash of their key, so memory does not hold the strings; among five
million names the chance that any two collide is one in a million. Where in a chunk a name stands is
not stored: ``find_name`` reads it off the text of the few hits that are shown.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from index.array_file import load_array, save_array
from index.chunk_table import IndexedChunk
from index.names import MOST_WORDS, Word, hash_of, key_of, names_in, words_of
from index.titles import Titles
from index.units import Unit, units_of

MOST_DOCUMENTS = 10
"""A name without a unit in more documents than this links too much to say anything."""

_Ints = NDArray[np.int32] | NDArray[np.int64]


class Mentions:
    """Read access to a folder that ``write_mentions`` has written; safe to share."""

    def __init__(self, folder: Path) -> None:
        self._keys = load_array(folder / "keys.npy", dtype=np.uint64)
        self._documents = load_array(folder / "documents.npy", dtype=np.int32)
        self._units = _Lists(folder, "units")
        self._rows = _Lists(folder, "rows")
        self._named = _Lists(folder, "named")
        self._borne = _Lists(folder, "borne")

    def __len__(self) -> int:
        return len(self._keys)

    def names_in_words(self, text: str) -> frozenset[int]:
        """Every known name that the words of ``text`` hold, also inside longer ones."""
        found = (self._number(hash_of(key_of(words))) for words in _windows(words_of(text)))
        return frozenset(number for number in found if number is not None)

    def find_name(self, name: int, text: str) -> tuple[int, int] | None:
        """Span of the first mention of ``name`` in ``text``."""
        wanted = int(self._keys[name])
        for words in _windows(words_of(text)):
            if hash_of(key_of(words)) == wanted:
                return words[0].start, words[-1].end
        return None

    def named(self, row: int) -> NDArray[np.int32]:
        """Names that the chunk's text mentions, ascending."""
        return self._named[row]

    def borne(self, row: int) -> NDArray[np.int32]:
        """Names that the chunk's document and sections bear."""
        return self._borne[row]

    def units(self, name: int) -> list[Unit]:
        """Documents and sections that bear the name."""
        return [Unit(int(first), int(last)) for first, last in self._units[name].reshape(-1, 2)]

    def rows(self, name: int) -> NDArray[np.int32]:
        """Chunks that mention the name, ascending; none where too many documents do."""
        return self._rows[name]

    def documents(self, name: int) -> int:
        """Number of documents that mention the name."""
        return int(self._documents[name])

    def _number(self, key: int) -> int | None:
        place = int(np.searchsorted(self._keys, np.uint64(key)))
        return place if place < len(self) and int(self._keys[place]) == key else None


class _Lists:
    """A list of int32 for each owner, all in one array."""

    def __init__(self, folder: Path, name: str) -> None:
        self._starts = load_array(folder / f"{name}.starts.npy", dtype=np.int64)
        self._values = load_array(folder / f"{name}.npy", dtype=np.int32)

    def __getitem__(self, owner: int) -> NDArray[np.int32]:
        return self._values[self._starts[owner] : self._starts[owner + 1]]


def write_mentions(
    folder: Path, chunks: Iterable[IndexedChunk], document_of: NDArray[np.int32]
) -> int:
    """Write the mention index of a generation's chunks, in row order; gives the number of names."""
    folder.mkdir(parents=True)
    units = list(units_of(chunks))
    unit_keys = np.fromiter((hash_of(key) for key, _ in units), np.uint64, len(units))
    spans = np.array([span for _, span in units], dtype=np.int32).reshape(-1, 2)
    mentions, rows = _mentions(chunks, Titles(key for key, _ in units))

    known, number = np.unique(mentions, return_inverse=True)
    n_all = int(document_of.max(initial=0)) + 1
    in_documents = np.unique(number * n_all + document_of[rows]) // n_all  # each document once
    frequency = np.bincount(in_documents, minlength=len(known))
    is_rare = (frequency >= 2) & (frequency <= MOST_DOCUMENTS)
    keys = np.union1d(known[is_rare], unit_keys)

    kept = np.isin(mentions, keys)
    names, where = np.searchsorted(keys, mentions[kept]), rows[kept]
    n_documents = np.zeros(len(keys), dtype=np.int32)
    held = np.isin(known, keys)
    n_documents[np.searchsorted(keys, known[held])] = frequency[held]
    few = n_documents[names] <= MOST_DOCUMENTS
    unit_names = np.searchsorted(keys, unit_keys)
    lengths = spans[:, 1] - spans[:, 0] + 1
    row_of_unit = np.repeat(spans[:, 0] - np.cumsum(lengths) + lengths, lengths)
    unit_rows = row_of_unit + np.arange(lengths.sum())

    save_array(folder / "keys.npy", keys.astype(np.uint64))
    save_array(folder / "documents.npy", n_documents)
    _write_lists(folder, "units", unit_names, spans, len(keys))
    _write_lists(folder, "rows", names[few], where[few], len(keys))
    _write_lists(folder, "named", where, names, len(document_of))
    _write_lists(folder, "borne", unit_rows, np.repeat(unit_names, lengths), len(document_of))
    return len(keys)


def _mentions(
    chunks: Iterable[IndexedChunk], titles: Titles
) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """(hash of a name, row) of every name in every chunk, each name once a chunk."""
    hashes, rows = array("Q"), array("i")
    for row, (chunk, text, _) in enumerate(chunks):
        words = words_of(text)
        names = {name.key for name in names_in(text, words, chunk.language)}
        names.update(titles.mentioned(text, words))
        found = sorted(map(hash_of, names))
        hashes.extend(found)
        rows.extend([row] * len(found))
    return np.frombuffer(hashes, dtype=np.uint64), np.frombuffer(rows, dtype=np.int32)


def _write_lists(folder: Path, name: str, owners: _Ints, values: _Ints, n_owners: int) -> None:
    """Values by owner in the order given; values of shape (n, 2) lie in pairs."""
    width = values.shape[1] if values.ndim > 1 else 1
    counts = np.bincount(owners, minlength=n_owners) * width
    starts = np.concatenate(([0], np.cumsum(counts)))
    ordered = values[np.argsort(owners, kind="stable")]
    save_array(folder / f"{name}.starts.npy", starts.astype(np.int64))
    save_array(folder / f"{name}.npy", ordered.astype(np.int32).reshape(-1))


def _windows(words: Sequence[Word]) -> Iterator[Sequence[Word]]:
    """Runs of 1 to ``MOST_WORDS`` words; of those that begin alike the longest first."""
    for first in range(len(words)):
        for end in range(min(first + MOST_WORDS, len(words)), first, -1):
            yield words[first:end]
