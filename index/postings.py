"""Postings on disk: which documents hold a term, and with what impact, as compressed sparse rows.

``terms``: sorted UTF-8 dictionary; ``starts[t] : starts[t + 1]`` is term t's range in
``documents`` (ascending row numbers) and ``impacts``; ``lengths``: the documents' lengths. All
memory-mapped, so opening costs nothing and many processes share one copy.

An impact is the number of a pair (frequency of the term, length of the document) in ``pairs``,
which holds each pair that occurs once, ascending: some thousands, however large the corpus. All
that BM25 asks of a posting is in its pair, so a query reads weights from a table of a few kilobytes
and neither divides nor looks at lengths.

Why not stored scores (as bm25s does): k1, b and the variant would be frozen into the files.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from index.array_file import load_array
from index.string_column import StringColumn


class PostingList(NamedTuple):
    """Documents that hold a term, ascending, and the term's impact in each."""

    documents: NDArray[np.int32]
    impacts: NDArray[np.int32]


class Postings:
    """Read access to a folder that ``PostingsWriter`` has written."""

    def __init__(self, folder: Path) -> None:
        self.terms = StringColumn(folder, "terms")
        self.lengths = load_array(folder / "lengths.npy", dtype=np.int32)
        self.pairs = load_array(folder / "pairs.npy", dtype=np.int32)
        """Frequency and length of each impact, (n_pairs, 2)."""
        self.starts = load_array(folder / "starts.npy", dtype=np.int64)
        self.documents = load_array(folder / "documents.npy", dtype=np.int32)
        self.impacts = load_array(folder / "impacts.npy", dtype=np.int32)
        self._total_length = load_array(folder / "total_length.npy", dtype=np.int64)

    @property
    def n_documents(self) -> int:
        """Documents, including those without terms."""
        return len(self.lengths)

    @property
    def average_length(self) -> float:
        """Mean of the documents' lengths, 0 without documents."""
        return int(self._total_length[0]) / max(1, self.n_documents)

    def document_frequencies(self, term_rows: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """Number of documents per term, of all terms unless told which."""
        if term_rows is None:
            return np.diff(self.starts)
        return self.starts[term_rows + 1] - self.starts[term_rows]

    def posting_list(self, term_row: int) -> PostingList:
        """The documents of one term."""
        span = slice(self.starts[term_row], self.starts[term_row + 1])
        return PostingList(self.documents[span], self.impacts[span])
