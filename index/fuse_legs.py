"""The lexical and the dense leg fused as an index's configuration says."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from index.config import IndexConfig
from index.fuse import Run, ScoredRow, fuse_runs


def fuse_legs(
    sparse: Sequence[ScoredRow],
    dense: Sequence[ScoredRow],
    config: IndexConfig,
    *,
    abroad: NDArray[np.bool_] | None = None,
) -> list[ScoredRow]:
    """One ranking, best first; ``abroad`` are the rows, (n,), whose words are not the query's."""
    return fuse_runs(
        [
            Run(rows=sparse, weight=1 - config.weight_dense, blind_to=abroad),
            Run(rows=dense, weight=config.weight_dense),
        ],
        method=config.fusion,
        rrf_k=config.rrf_k,
        foreign=config.foreign,
    )
