"""Several encoders as one dense leg: which of them read a query, and for which chunks they speak.

An encoder reads what is written in the scripts of its languages; elsewhere its vectors are noise
(all-MiniLM-L6-v2 on Chinese: nDCG .305 against .963 for BM25). A query whose language can be told
is left to the encoders that name it. Of these a later one joins only where the ones before leave
chunks uncovered: English questions over English text stay with the first, English questions over
Chinese text need the multilingual one.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from index.chunk_table import ChunkTable
from index.dense import DenseIndex
from index.fuse import min_max
from index.query_language import language_of_query
from index.ranking import Ranking
from index.script import script_of_language, script_of_text


@dataclass(frozen=True, slots=True, kw_only=True)
class _Voice:
    """An encoder, the scripts it reads and the rows it speaks for, (n,)."""

    index: DenseIndex
    scripts: frozenset[str | None]
    covers: NDArray[np.bool_]


class DenseLegs:
    """The dense leg of a searcher; no encoder at all is a leg that finds nothing."""

    def __init__(
        self, indexes: Sequence[DenseIndex], table: ChunkTable, *, languages: Sequence[str]
    ) -> None:
        # A chunk in none of ``languages``, those of the corpus, is a wrong guess of the detector:
        # whoever reads its script speaks for it.
        self._table = table
        self._languages = languages
        claimed = {name for index in indexes for name in index.card.languages if name in languages}
        self._abroad: dict[frozenset[str], NDArray[np.bool_] | None] = {}
        self._voices = [
            _Voice(
                index=index,
                scripts=frozenset(map(script_of_language, index.card.languages)),
                covers=table.in_languages(_covered(index, claimed, table.languages)),
            )
            for index in indexes
        ]

    def __bool__(self) -> bool:
        return bool(self._voices)

    def search(self, query: str, *, k: int, admitted: NDArray[np.bool_] | None = None) -> Ranking:
        """The k best admitted rows; empty where no encoder reads the query's script.

        One encoder gives its inner products. Of several, each row has the mean, over the encoders
        that speak for it, of their min-max normalised scores (0 where it is not among their best).
        """
        voices = self._choose(query)
        found = [
            voice.index.search(query, k=k, admitted=_both(voice.covers, admitted))
            for voice in voices
        ]
        if len(found) <= 1:
            return found[0] if found else Ranking()
        rows = np.unique(np.concatenate([ranking.rows for ranking in found]))
        said = np.zeros(len(rows))
        for ranking in found:
            said[np.searchsorted(rows, ranking.rows)] += min_max(ranking.scores)
        speaking = np.sum([voice.covers[rows] for voice in voices], axis=0)
        return Ranking(rows, said / speaking).in_order()[:k]

    def abroad(self, query: str) -> NDArray[np.bool_] | None:
        """True for rows in another language than the query's that an encoder reads with it, (n,).

        Their words are not the query's: only their meaning can be found. None: there are none.
        """
        script, told = script_of_text(query), self._language(query)
        others = frozenset(
            language
            for voice in self._readers(query)
            for language in voice.index.card.languages
            if language in self._languages
            and (language != told if told else script not in (None, script_of_language(language)))
        )
        if others not in self._abroad:
            rows = self._table.in_languages(others)
            self._abroad[others] = rows if rows.any() else None
        return self._abroad[others]

    def _choose(self, query: str) -> list[_Voice]:
        """Encoders that read the query, each adding rows that those before do not speak for."""
        chosen: list[_Voice] = []
        spoken_for: NDArray[np.bool_] | None = None
        for voice in self._readers(query):
            if spoken_for is None or bool((voice.covers & ~spoken_for).any()):
                chosen.append(voice)
                spoken_for = voice.covers if spoken_for is None else spoken_for | voice.covers
        return chosen

    def _readers(self, query: str) -> list[_Voice]:
        """Encoders that name the query's language; where none does, those that read its script."""
        script, told = script_of_text(query), self._language(query)
        readers = [voice for voice in self._voices if script is None or script in voice.scripts]
        return [voice for voice in readers if told in voice.index.card.languages] or readers

    def _language(self, query: str) -> str | None:
        expected = [*self._languages, *(n for v in self._voices for n in v.index.card.languages)]
        return language_of_query(query, expected=expected)


def _covered(
    index: DenseIndex, claimed: Collection[str], languages: Sequence[str]
) -> frozenset[str]:
    """Languages an encoder speaks for: its own, and those of its scripts that none claims."""
    own = set(index.card.languages)
    scripts = set(map(script_of_language, own))
    return frozenset(
        language
        for language in languages
        if language in own
        or language == "und"
        or (language not in claimed and script_of_language(language) in scripts)
    )


def _both(
    covers: NDArray[np.bool_], admitted: NDArray[np.bool_] | None
) -> NDArray[np.bool_] | None:
    allowed = covers if admitted is None else covers & admitted
    return None if allowed.all() else allowed
