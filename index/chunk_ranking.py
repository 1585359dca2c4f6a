"""ChunkRanking: both legs searched deep and at the same time, fused, bridged, equal texts once."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpora.hit import Mode
from index.bridges import Bridged, Bridges, Link
from index.chunk_table import ChunkTable
from index.config import IndexConfig
from index.dense_legs import DenseLegs
from index.fuse_legs import fuse_legs
from index.lexical import LexicalIndex
from index.ranking import Ranking

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


class RankedChunks:
    """A ranking with each text once, at its best place; told a page at a time."""

    def __init__(
        self, bridged: Bridged, *, sparse: Ranking, dense: Ranking, texts: list[bytes], depth: int
    ) -> None:
        self._bridged = bridged
        self._sparse = sparse
        self._dense = dense
        first: dict[bytes, int] = {}
        # Place of the first row with the same text, by place of the bridged ranking, (n,)
        self._head = np.array([first.setdefault(t, n) for n, t in enumerate(texts)], dtype=np.int64)
        self._places = np.fromiter(first.values(), dtype=np.int64)[:depth]

    def page(self, start: int, end: int) -> list[RankedChunk]:
        """Ranks ``start`` to ``end - 1``, as far as there are so many."""
        return [self._ranked(place) for place in self._places[start:end].tolist()]

    def _ranked(self, place: int) -> RankedChunk:
        rows = self._bridged.ranking.rows
        row, score = self._bridged.ranking[place]
        alike = rows[self._head == place].tolist()
        return RankedChunk(
            row=row,
            score=score,
            sparse=_found(self._sparse, row),
            dense=_found(self._dense, row),
            link=self._bridged.links.get(row),
            duplicates=tuple(alike[1:]),
        )


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
    ) -> RankedChunks:
        """The ranking of the admitted rows, (n,), None for all; as deep as the configuration says.

        Names are followed in mode ``hybrid`` alone.
        """
        depth = self._config.depth
        sparse = dense = Ranking()
        coming = None
        if mode != "sparse" and query.strip():
            coming = self._threads.submit(self._dense.search, query, k=depth, admitted=admitted)
        if mode != "dense":
            sparse = self._lexical.search(query, k=depth, admitted=admitted)
        if coming is not None:
            dense = coming.result()
        bridged = Bridged(self._fuse(query, mode, sparse, dense), {})
        if bridges and mode == "hybrid":
            bridged = self._bridges.follow(query, bridged.ranking, admitted)
        texts = self._table.text_keys(bridged.ranking.rows)
        return RankedChunks(bridged, sparse=sparse, dense=dense, texts=texts, depth=depth)

    def _fuse(self, query: str, mode: Mode, sparse: Ranking, dense: Ranking) -> Ranking:
        match mode:
            case "sparse":
                return sparse
            case "dense":
                return dense
            case "hybrid":
                abroad = self._dense.abroad(query) if dense else None
                return fuse_legs(sparse, dense, self._config, abroad=abroad)


def _found(leg: Ranking, row: int) -> Found | None:
    place = leg.place(row)
    return None if place is None else Found(rank=place, score=leg[place].score)
