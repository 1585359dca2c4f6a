"""The lexical and the dense leg fused as an index's configuration says."""

import numpy as np
from numpy.typing import NDArray

from index.config import IndexConfig
from index.fuse import Run, fuse_runs
from index.ranking import Ranking


def fuse_legs(
    sparse: Ranking,
    dense: Ranking,
    config: IndexConfig,
    *,
    abroad: NDArray[np.bool_] | None = None,
) -> Ranking:
    """One ranking, best first; ``abroad`` are the rows, (n,), whose words are not the query's."""
    return fuse_runs(
        [
            Run(ranking=sparse, weight=1 - config.weight_dense, blind_to=abroad),
            Run(ranking=dense, weight=config.weight_dense),
        ],
        method=config.fusion,
        rrf_k=config.rrf_k,
        foreign=config.foreign,
    )
