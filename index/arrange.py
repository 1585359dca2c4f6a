"""Arranging a leg's vectors for search: as they are, or in clusters whose recall is measured.

Recall is measured on queries of the build's own: stretches of the indexed texts, as long as a
question, that the encoder reads as queries (``sample_queries.py``). For each, the true 100 nearest
rows are found exactly; searches will then read just as far as it takes to find the share of them
that the configuration asks for. If that is too far to be worth it, the leg stays exact, and the
record says why.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from index.array_file import create_array, load_array
from index.clusters import find_centroids, nearest_centroid, write_clusters
from index.config import IndexConfig
from index.inner_products import inner_products
from index.manifest import DenseSearch
from index.top_k import best_places

_CLUSTERS_PER_ROOT = 4
"""Clusters, as a multiple of the square root of the number of rows."""
_FARTHEST = 0.25
"""Share of the rows beyond which reading on is no better than reading all."""
_BLOCK = 16_384


def arrange_vectors(
    folder: Path,
    *,
    queries: Callable[[], NDArray[np.float32]],
    config: IndexConfig,
    tell: Callable[[int], None],
) -> DenseSearch:
    """Put ``vectors.npy`` and ``keys.npy``, which are in row order, into the order of their search.

    Where clusters are made, ``queries`` gives sample vectors (m, dimension), and ``tell`` hears of
    how many vectors the cluster is known.
    """
    vectors = load_array(folder / "vectors.npy", dtype=np.float32)
    n = len(vectors)
    if n <= config.exact_up_to:
        return DenseSearch(index_type="flat", compared=n)
    tell(0)
    centroids = find_centroids(vectors, min(n, int(_CLUSTERS_PER_ROOT * n**0.5)))
    cluster_of = nearest_centroid(vectors, centroids, tell)
    sample = queries()
    needed = np.array([_rows_to_read(query, vectors, centroids, cluster_of) for query in sample])
    top_10, top_100 = needed[:, :10], needed
    compared = max(
        _reaching(top_10, config.recall_at_10),
        _reaching(top_100, config.recall_at_100),
        config.depth,  # so that a short ranking is the head of a deep one
    )
    if compared > _FARTHEST * n:
        note = f"since clusters would compare {compared} of {n} rows"
        return DenseSearch(index_type="flat", compared=n, note=note)
    rows = write_clusters(folder, centroids=centroids, cluster_of=cluster_of)
    _reorder(folder / "vectors.npy", rows)
    _reorder(folder / "keys.npy", rows)
    return DenseSearch(
        index_type="clusters",
        compared=compared,
        clusters=len(np.unique(cluster_of)),
        recall_at_10=round(float((top_10 <= compared).mean()), 4),
        recall_at_100=round(float((top_100 <= compared).mean()), 4),
        sample_queries=len(sample),
    )


def _rows_to_read(
    query: NDArray[np.float32],
    vectors: NDArray[np.float32],
    centroids: NDArray[np.float32],
    cluster_of: NDArray[np.int32],
) -> NDArray[np.int64]:
    """For each of the 100 nearest rows, best first: how many rows a search must ask for to see it.

    A search reads whole clusters, nearest first, until it has that many; so a row is seen if the
    clusters before its own hold fewer.
    """
    scores = inner_products(query, vectors)
    nearest = best_places(np.arange(len(scores)), scores, 100)
    order = np.argsort(-inner_products(query, centroids), kind="stable")
    sizes = np.bincount(cluster_of, minlength=len(centroids))[order]
    before = np.empty(len(order), dtype=np.int64)
    before[order] = np.cumsum(sizes) - sizes
    return before[cluster_of[nearest]] + 1


def _reaching(needed: NDArray[np.int64], recall: float) -> int:
    """The smallest number of rows with which that share of ``needed`` is seen."""
    return int(np.quantile(needed, recall, method="higher"))


def _reorder(path: Path, rows: NDArray[np.int32]) -> None:
    """Rewrite an array so that its place i holds what was row ``rows[i]``."""
    old = np.load(path, mmap_mode="r", allow_pickle=False)
    beside = path.with_suffix(".tmp")
    new = create_array(beside, dtype=old.dtype, length=len(old), columns=old.shape[1])
    for start in range(0, len(rows), _BLOCK):
        new[start : start + _BLOCK] = old[rows[start : start + _BLOCK]]
    beside.replace(path)
