"""Clusters: which stored vectors lie together, so that a search reads those near the query alone.

Vectors of a cluster are consecutive in ``vectors.npy``; a *place* is a position there, a *row* one
of the chunk table:

    centroids.npy  (m, dimension) float32, unit vectors
    starts.npy     (m + 1,) int64: cluster i has the places starts[i] to starts[i + 1] - 1
    rows.npy       (n,) int32: row of each place

How far a search reads is a number of rows, not of clusters: clusters of unequal size then cost the
same, and under a filter, where only admitted rows count, the search goes on until it has compared
as many admitted ones. So a filter costs no recall.

Why clusters of whole vectors, not codes: what is read is scored exactly at once, ties included, and
no second copy lies on disk. Why not HNSW: its graph depends on the order in which threads add to
it, one thread takes far longer, and a filter leaves it walking among rows it may not return.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from index.array_file import load_array, save_array
from index.errors import IndexCorrupt
from index.inner_products import faiss_threads, inner_products

_SEED = 17
_ITERATIONS = 10
_SAMPLE_PER_CLUSTER = 40
"""Vectors k-means sees of each cluster: FAISS warns below 39, and more only take longer."""
_BLOCK = 16_384
_THREADS = 1
"""A sum's last bits may depend on how many threads share it, and two builds must not differ."""


class Clusters:
    """Read access to the three files; memory-mapped."""

    def __init__(self, folder: Path, n_rows: int) -> None:
        self._centroids = load_array(folder / "centroids.npy", dtype=np.float32)
        self._starts = load_array(folder / "starts.npy", dtype=np.int64)
        self.rows = load_array(folder / "rows.npy", dtype=np.int32)
        """Row of each place, (n,)."""
        sizes = np.diff(self._starts)
        if (
            len(sizes) != len(self._centroids)
            or len(self.rows) != n_rows
            or sizes.min(initial=1) < 1
            or (self._starts[0], self._starts[-1]) != (0, n_rows)
        ):
            message = f"'starts.npy' does not divide {n_rows} vectors; run `make index` again"
            raise IndexCorrupt(message)
        self._sizes = sizes

    def near(
        self, query: NDArray[np.float32], n_rows: int, admitted: NDArray[np.bool_] | None
    ) -> NDArray[np.int64]:
        """Places of the admitted rows in the nearest clusters that hold ``n_rows`` of them."""
        if admitted is None:
            return np.flatnonzero(self._spread(self._nearest(query, self._sizes, n_rows)))
        eligible = admitted[self.rows]
        counts = np.add.reduceat(eligible, self._starts[:-1], dtype=np.int64)
        return np.flatnonzero(eligible & self._spread(self._nearest(query, counts, n_rows)))

    def _nearest(
        self, query: NDArray[np.float32], counts: NDArray[np.int64], n_rows: int
    ) -> NDArray[np.bool_]:
        """True for the nearest clusters whose ``counts`` reach ``n_rows``, (m,)."""
        order = np.argsort(-inner_products(query, self._centroids), kind="stable")
        reached = int(np.searchsorted(np.cumsum(counts[order]), n_rows))
        nearest = np.zeros(len(order), dtype=np.bool_)
        nearest[order[: reached + 1]] = True
        return nearest

    def _spread(self, clusters: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Each cluster's value at each of its places, (n,)."""
        return np.repeat(clusters, self._sizes)


def find_centroids(vectors: NDArray[np.float32], n_clusters: int) -> NDArray[np.float32]:
    """Spherical k-means over an even sample of ``vectors`` (n, dimension): (m, dimension).

    Source: Dhillon and Modha, Machine Learning 42, 2001.
    """
    import faiss

    wanted = min(len(vectors), n_clusters * _SAMPLE_PER_CLUSTER)
    sample = vectors[np.linspace(0, len(vectors) - 1, wanted).astype(np.int64)]
    kmeans = faiss.Kmeans(
        vectors.shape[1],
        n_clusters,
        niter=_ITERATIONS,
        seed=_SEED,
        spherical=True,
        min_points_per_centroid=1,
        max_points_per_centroid=_SAMPLE_PER_CLUSTER,
    )
    with faiss_threads(_THREADS):
        kmeans.train(sample)
    return np.asarray(kmeans.centroids, dtype=np.float32)


def nearest_centroid(
    vectors: NDArray[np.float32], centroids: NDArray[np.float32], tell: Callable[[int], None]
) -> NDArray[np.int32]:
    """Number of the centroid of highest inner product for each vector, (n,).

    ``tell`` hears how many vectors are done.
    """
    import faiss

    quantizer = faiss.IndexFlatIP(centroids.shape[1])
    quantizer.add(centroids)
    nearest = np.empty(len(vectors), dtype=np.int32)
    with faiss_threads(_THREADS):
        for start in range(0, len(vectors), _BLOCK):
            block = np.ascontiguousarray(vectors[start : start + _BLOCK])
            nearest[start : start + _BLOCK] = quantizer.search(block, 1)[1][:, 0]
            tell(start + len(block))
    return nearest


def write_clusters(
    folder: Path, *, centroids: NDArray[np.float32], cluster_of: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Write the three files, without clusters that hold nothing; the row of each place, (n,)."""
    sizes = np.bincount(cluster_of, minlength=len(centroids))
    rows = np.argsort(cluster_of, kind="stable").astype(np.int32)
    save_array(folder / "centroids.npy", centroids[sizes > 0])
    save_array(folder / "starts.npy", np.concatenate(([0], np.cumsum(sizes[sizes > 0]))))
    save_array(folder / "rows.npy", rows)
    return rows
