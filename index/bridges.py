"""Bridges: chunks that the best hits lead to by name, brought up behind the hit that names them.

Multi-hop questions fail in retrieval first: the second document shares few words with the question,
but the first one names it. Names lead

- from the question to the documents and sections that bear a name in it,
- from a hit to the documents and sections that bear a name in its text,
- from a hit to chunks of other documents that mention the same rare name.

A chunk gains a share of the score of the hit that leads to it, the less the more documents mention
or bear the name, and never passes that hit. So the first place of a ranking stays what it was, and
questions that one document answers lose next to nothing. Names that the question has already are
not followed: what bears or mentions them was found by them.
"""

from collections.abc import Iterator, Mapping
from math import log1p, sqrt
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from index.config import BridgeWeights
from index.ranking import Ranking
from index.units import Unit

_BEHIND = 0.999
"""A raised chunk has at most this share of the leading hit's score, so it stands behind it."""


class Link(NamedTuple):
    """Why a chunk was brought up."""

    source: int | None
    """Row of the hit that leads to it; None: the question itself."""
    name: int
    """Number of the name in the mention index."""
    mentioned_in: int | None
    """Row whose text mentions it; None: the question's."""
    gain: float
    """What it adds to the score, at most."""


class Bridged(NamedTuple):
    """A ranking, best first, and the link by which each raised row came to its place."""

    ranking: Ranking
    links: dict[int, Link]


class Names(Protocol):
    """What is asked of a mention index; rows are chunks or whole documents."""

    def names_in_words(self, text: str) -> frozenset[int]:
        """Every known name that the words of ``text`` hold."""
        ...

    def named(self, row: int) -> NDArray[np.int32]:
        """Names that the row's text mentions."""
        ...

    def borne(self, row: int) -> NDArray[np.int32]:
        """Names that the row's document and sections bear."""
        ...

    def units(self, name: int) -> list[Unit]:
        """What bears the name."""
        ...

    def rows(self, name: int) -> NDArray[np.int32]:
        """Rows that mention the name, ascending; none where too many documents do."""
        ...

    def documents(self, name: int) -> int:
        """Number of documents that mention the name."""
        ...


class Bridges:
    """Follows the names of one generation; safe to share between threads."""

    def __init__(
        self, names: Names, document_of: NDArray[np.int32], weights: BridgeWeights
    ) -> None:
        self._names = names
        self._document_of = document_of
        self._weights = weights
        self._n_documents = int(document_of[-1]) + 1 if len(document_of) else 0

    def follow(
        self, question: str, ranking: Ranking, admitted: NDArray[np.bool_] | None
    ) -> Bridged:
        """``ranking`` with the rows that names lead to, out of ``admitted``, (n,); None: all."""
        if not ranking:
            return Bridged(ranking, {})
        asked = self._names.names_in_words(question)
        found = dict(zip(ranking.rows.tolist(), ranking.scores.tolist(), strict=True))
        best = ranking[0].score
        links: dict[int, Link] = {}

        def raised(
            scores: Mapping[int, float], led: Iterator[tuple[int, Link]]
        ) -> dict[int, float]:
            highest = dict(scores)
            for row, link in led:
                if admitted is not None and not admitted[row]:
                    continue
                ceiling = best if link.source is None else scores[link.source]
                score = min(scores.get(row, 0.0) + link.gain, _BEHIND * ceiling)
                if score > highest.get(row, 0.0):
                    highest[row], links[row] = score, link
            return highest

        named = raised(found, self._from_question(asked, found, best))
        sources = _in_order(named).rows[: self._weights.sources].tolist()
        reached = raised(
            named, (led for source in sources for led in self._from_hit(source, asked, named))
        )
        return Bridged(_in_order(reached), links)

    def _from_question(
        self, asked: frozenset[int], scores: Mapping[int, float], best: float
    ) -> Iterator[tuple[int, Link]]:
        for name in sorted(asked):
            gain = self._weights.question * best
            for row, share in self._bearers(name, scores, apart_from=None):
                yield row, Link(None, name, None, gain * share)

    def _from_hit(
        self, source: int, asked: frozenset[int], scores: Mapping[int, float]
    ) -> Iterator[tuple[int, Link]]:
        named = {int(name) for name in self._names.named(source)} - asked
        for name in sorted(named):
            gain = self._weights.title * scores[source]
            for row, share in self._bearers(name, scores, apart_from=source):
                yield row, Link(source, name, source, gain * share)
        borne = {int(name) for name in self._names.borne(source)} - asked
        for name in sorted(named | borne):
            rows = self._names.rows(name)
            share = 1 / sqrt(max(1, self._names.documents(name)))
            gain = self._weights.shared * scores[source] * share
            for row in rows[self._document_of[rows] != self._document_of[source]]:
                yield int(row), Link(source, name, source if name in named else int(row), gain)

    def _bearers(
        self, name: int, scores: Mapping[int, float], *, apart_from: int | None
    ) -> Iterator[tuple[int, float]]:
        """The best row of every unit that bears the name, and its share of the gain."""
        units = self._names.units(name)
        share = self._rarity(name) / sqrt(max(1, len(units)))
        for unit in units:
            if apart_from is None or not unit.first <= apart_from <= unit.last:
                yield _best_of(unit, scores), share

    def _rarity(self, name: int) -> float:
        """From 1 for a name that one document mentions down to ln 2 / ln(1 + N) for one in all."""
        n = max(1, self._names.documents(name))
        return log1p(self._n_documents / n) / log1p(self._n_documents)


def _in_order(scores: Mapping[int, float]) -> Ranking:
    return Ranking([*scores], [*scores.values()]).in_order()


def _best_of(unit: Unit, scores: Mapping[int, float]) -> int:
    """The best hit within the unit; its opening, which says what it is about, if there is none."""
    if unit.last - unit.first < len(scores):
        inside = [row for row in range(unit.first, unit.last + 1) if row in scores]
    else:
        inside = [row for row in scores if unit.first <= row <= unit.last]
    return min(inside, key=lambda row: (-scores[row], row), default=unit.first)
