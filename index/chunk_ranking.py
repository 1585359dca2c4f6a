"""ChunkRanking: both legs searched deep and at the same time, fused, bridged, equal texts once."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpora.hit import Mode
from index.bridges import Bridged, Bridges, Link
from index.chunk_table import ChunkTable
from index.config import IndexConfig
from index.dense_legs import DenseLegs
from index.fuse import ScoredRow
from index.fuse_legs import fuse_legs
from index.lexical import LexicalIndex

_DENSE_THREADS = 4
"""Searches whose dense leg may be under way at once; more wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A row in one leg."""

    rank: int
    """From 0."""
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedChunk:
    """A row of a ranking, and the rows of equal text that it stands for."""

    row: int
    score: float
    sparse: Found | None
    dense: Found | None
    link: Link | None
    duplicates: tuple[int, ...]


class ChunkRanking:
    """Ranks the chunks of one generation; safe to share between threads."""

    def __init__(
        self,
        *,
        lexical: LexicalIndex,
        dense: DenseLegs,
        bridges: Bridges,
        table: ChunkTable,
        config: IndexConfig,
    ) -> None:
        self._lexical = lexical
        self._dense = dense
        self._bridges = bridges
        self._table = table
        self._config = config
        self._threads = ThreadPoolExecutor(_DENSE_THREADS, thread_name_prefix="dense")

    def close(self) -> None:
        """Let the threads end."""
        self._threads.shutdown()

    def rank(
        self, query: str, mode: Mode, admitted: NDArray[np.bool_] | None, *, bridges: bool
    ) -> tuple[RankedChunk, ...]:
        """The ranking of the admitted rows, (n,), None for all; as deep as the configuration says.

        Names are followed in mode ``hybrid`` alone.
        """
        depth = self._config.depth
        sparse: list[ScoredRow] = []
        dense: list[ScoredRow] = []
        coming = None
        if mode != "sparse" and query.strip():
            coming = self._threads.submit(self._dense.search, query, k=depth, admitted=admitted)
        if mode != "dense":
            sparse = self._lexical.search(query, k=depth, admitted=admitted)
        if coming is not None:
            dense = coming.result()
        bridged = Bridged(self._fuse(query, mode, sparse, dense), {})
        if bridges and mode == "hybrid":
            bridged = self._bridges.follow(query, bridged.rows, admitted)
        return self._collapse(bridged, _places(sparse), _places(dense))[:depth]

    def _fuse(
        self, query: str, mode: Mode, sparse: list[ScoredRow], dense: list[ScoredRow]
    ) -> list[ScoredRow]:
        match mode:
            case "sparse":
                return sparse
            case "dense":
                return dense
            case "hybrid":
                abroad = self._dense.abroad(query) if dense else None
                return fuse_legs(sparse, dense, self._config, abroad=abroad)

    def _collapse(
        self, bridged: Bridged, sparse: dict[int, Found], dense: dict[int, Found]
    ) -> tuple[RankedChunk, ...]:
        """The ranking with each text once, at its best place."""
        alike: dict[bytes, list[ScoredRow]] = {}
        keys = self._table.text_keys([scored.row for scored in bridged.rows])
        for key, scored in zip(keys, bridged.rows, strict=True):
            alike.setdefault(key, []).append(scored)
        return tuple(
            RankedChunk(
                row=best.row,
                score=best.score,
                sparse=sparse.get(best.row),
                dense=dense.get(best.row),
                link=bridged.links.get(best.row),
                duplicates=tuple(other.row for other in others),
            )
            for best, *others in alike.values()
        )


def _places(rows: Sequence[ScoredRow]) -> dict[int, Found]:
    return {scored.row: Found(rank=rank, score=scored.score) for rank, scored in enumerate(rows)}
