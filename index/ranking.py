"""Ranking: rows of an index and their scores, best first, in columns."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray


class ScoredRow(NamedTuple):
    """A row and its score in one ranking."""

    row: int
    score: float


class Ranking(Sequence[ScoredRow]):
    """A sequence of ``ScoredRow`` kept as two arrays: legs are searched a thousand rows deep, and
    making an object of each would cost more than finding it.
    """

    __slots__ = ("rows", "scores")

    def __init__(self, rows: ArrayLike = (), scores: ArrayLike = ()) -> None:
        self.rows: NDArray[np.int64] = np.asarray(rows, dtype=np.int64)
        """(n,)"""
        self.scores: NDArray[np.float64] = np.asarray(scores, dtype=np.float64)
        """(n,)"""

    @classmethod
    def of(cls, scored: Iterable[tuple[int, float]]) -> "Ranking":
        """The pairs in the order they are given."""
        pairs = list(scored)
        return cls([row for row, _ in pairs], [score for _, score in pairs])

    def in_order(self) -> "Ranking":
        """Best first, equal scores by row."""
        return self._at(np.lexsort((self.rows, -self.scores)))

    def place(self, row: int) -> int | None:
        """Where a row stands, from 0."""
        places = np.flatnonzero(self.rows == row)
        return int(places[0]) if len(places) else None

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[ScoredRow]:
        return map(ScoredRow, self.rows.tolist(), self.scores.tolist())

    @overload
    def __getitem__(self, place: int) -> ScoredRow: ...
    @overload
    def __getitem__(self, place: slice) -> "Ranking": ...
    def __getitem__(self, place: int | slice) -> "ScoredRow | Ranking":
        if isinstance(place, slice):
            return self._at(place)
        return ScoredRow(int(self.rows[place]), float(self.scores[place]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ranking | list) and [*self] == [*other]

    __hash__ = None  # type: ignore[assignment] # equal to a list of the same rows

    def __repr__(self) -> str:
        return f"Ranking({[*self]})"

    def _at(self, places: slice | NDArray[np.int64]) -> "Ranking":
        return Ranking(self.rows[places], self.scores[places])
