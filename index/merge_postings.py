"""Postings made from postings: rows dropped, renumbered and brought together, no text analysed.

The files are byte for byte those that ``PostingsWriter`` would write for the same documents, so an
index that has been updated a thousand times is as exact and as small as one built anew. Work goes
through the postings in ranges of terms; memory holds the vocabulary and one range.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from index.array_file import ArrayWriter, save_array
from index.postings import Postings
from index.postings_writer import BLOCK_POSTINGS, pair_keys, save_lengths, save_pairs
from index.string_column import write_column


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Postings to take over."""

    postings: Postings
    new_rows: NDArray[np.int64]
    """New row of each document, -1 for one to leave out, (n,); none twice, over all sources."""


class _Counted:
    """A source, and what is left of it."""

    def __init__(self, source: Source, block_postings: int) -> None:
        self.postings = source.postings
        self.new_rows = source.new_rows
        self.n_kept = np.zeros(len(self.postings.terms), dtype=np.int64)  # documents per term
        uses = np.zeros(len(self.postings.pairs), dtype=np.int64)
        for terms in _ranges(self.postings.starts, block_postings):
            starts = self.postings.starts[terms.start : terms.stop + 1]
            span = slice(starts[0], starts[-1])
            kept = self.new_rows[self.postings.documents[span]] >= 0
            before = np.concatenate(([0], np.cumsum(kept)))
            self.n_kept[terms] = np.diff(before[starts - starts[0]])
            uses += np.bincount(self.postings.impacts[span][kept], minlength=len(uses))
        self.keys = pair_keys(self.postings.pairs[:, 0], self.postings.pairs[:, 1])
        self.used_keys = self.keys[uses > 0]

    def terms(self) -> Iterator[bytes]:
        """Terms that still have a document, ascending."""
        all_terms = self.postings.terms.all_raw()
        return (term for term, n in zip(all_terms, self.n_kept.tolist(), strict=True) if n)


def merge_postings(
    folder: Path,
    sources: Sequence[Source],
    *,
    n_documents: int,
    block_postings: int = BLOCK_POSTINGS,
) -> None:
    """Write ``folder`` from ``sources``, which together give each of ``n_documents`` rows."""
    folder.mkdir(parents=True)
    lengths = np.zeros(n_documents, dtype=np.int32)
    for source in sources:
        kept = source.new_rows >= 0
        lengths[source.new_rows[kept]] = source.postings.lengths[kept]
    save_lengths(folder, lengths)
    counted = [_Counted(source, block_postings) for source in sources]
    keys = np.unique(np.concatenate([left.used_keys for left in counted]))
    save_pairs(folder, keys)
    terms_left = sorted(chain.from_iterable(left.terms() for left in counted))
    numbers = {term: number for number, term in enumerate(dict.fromkeys(terms_left))}
    write_column(folder, "terms", numbers)
    n_per_term = np.zeros(len(numbers), dtype=np.int64)
    new_terms: list[NDArray[np.int64]] = []  # per source, of the terms it keeps, ascending
    for left in counted:
        new = np.fromiter((numbers[term] for term in left.terms()), dtype=np.int64)
        n_per_term[new] += left.n_kept[left.n_kept > 0]
        new_terms.append(new)
    starts = np.concatenate(([0], np.cumsum(n_per_term))).astype(np.int64)
    save_array(folder / "starts.npy", starts)
    documents = ArrayWriter(folder / "documents.npy", dtype=np.int32)
    impacts = ArrayWriter(folder / "impacts.npy", dtype=np.int32)
    for terms in _ranges(starts, block_postings):
        parts = [
            _renumbered(left, new, terms, keys)
            for left, new in zip(counted, new_terms, strict=True)
        ]
        term_of, rows, impact_of = np.concatenate(parts, axis=1)
        order = np.argsort(term_of * n_documents + rows, kind="stable")  # fast on sorted runs
        documents.extend(rows[order].astype(np.int32))
        impacts.extend(impact_of[order].astype(np.int32))
    documents.finish()
    impacts.finish()


def _renumbered(
    source: _Counted, new_terms: NDArray[np.int64], terms: slice, keys: NDArray[np.int64]
) -> NDArray[np.int64]:
    """New term, row and impact of the kept postings of new terms ``terms``, (3, n)."""
    postings = source.postings
    kept_terms = np.flatnonzero(source.n_kept)
    first, last = new_terms.searchsorted((terms.start, terms.stop))
    if first == last:
        return np.zeros((3, 0), dtype=np.int64)
    span = slice(postings.starts[kept_terms[first]], postings.starts[kept_terms[last - 1] + 1])
    rows = source.new_rows[postings.documents[span]]
    is_kept = rows >= 0
    term_of = np.repeat(new_terms[first:last], source.n_kept[kept_terms[first:last]])
    old_keys = source.keys[postings.impacts[span][is_kept]]
    return np.stack((term_of, rows[is_kept], keys.searchsorted(old_keys)))


def _ranges(starts: NDArray[np.int64], block_postings: int) -> Iterator[slice]:
    """All terms in ranges of at most so many postings, or of a single term."""
    first = 0
    while first < len(starts) - 1:
        fitting = int(starts.searchsorted(starts[first] + block_postings, side="right")) - 1
        last = max(first + 1, fitting)
        yield slice(first, last)
        first = last
