"""Vectors of a corpus of any size, drawn around real embeddings.

A new vector is a real one plus a random combination of the differences to some of its neighbours:
it varies in the directions in which embeddings vary there, as much as they do. Why not noise alike
in all directions: in 384 dimensions that makes vectors which are near nothing, and what an index of
clusters or graphs is good for would not be measured.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from index.array_file import create_array
from index.inner_products import faiss_threads

_NEIGHBOURS = 48
_COMBINED = 16
"""Neighbours drawn for each new vector."""
_SPREAD = 0.25
"""Standard deviation of each weight: 16 of them give the covariance of the neighbourhood."""
_BLOCK = 2_048

Vectors = NDArray[np.float32]


def distinct_vectors(vectors: Vectors) -> Vectors:
    """Those that differ, in order of first appearance; zero vectors are left out."""
    first = np.sort(np.unique(vectors, axis=0, return_index=True)[1])
    distinct = vectors[first]
    return np.ascontiguousarray(distinct[np.linalg.norm(distinct, axis=1) > 0])


def nearest_neighbours(vectors: Vectors, tell: Callable[[int, int], None]) -> NDArray[np.int64]:
    """Rows of each vector's 48 nearest others, (n, 48), fewer where there are fewer vectors.

    ``tell`` hears for how many vectors they are known, and of how many.
    """
    import faiss

    wanted = min(_NEIGHBOURS + 1, len(vectors))
    found = []
    with faiss_threads(1):
        for start in range(0, len(vectors), _BLOCK):
            block = vectors[start : start + _BLOCK]
            found.append(
                faiss.knn(block, vectors, wanted, metric=faiss.METRIC_INNER_PRODUCT)[1][:, 1:]
            )
            tell(start + len(block), len(vectors))
    return np.vstack(found).astype(np.int64)


def draw_vectors(
    path: Path, real: Vectors, neighbours: NDArray[np.int64], *, n: int, seed: int
) -> None:
    """Write (n, dimension) unit vectors to ``path``: as many real ones as fit, then new ones.

    They stand in random order, so that those drawn around one vector are not side by side.
    """
    random = np.random.default_rng((seed, n))
    vectors = create_array(path, dtype=np.float32, length=n, columns=real.shape[1])
    places = random.permutation(n)
    kept = random.permutation(len(real))[:n]
    vectors[places[: len(kept)]] = real[kept]
    for start in range(len(kept), n, _BLOCK):
        block = places[start : start + _BLOCK]
        base = random.integers(0, len(real), len(block))
        vectors[block] = _jittered(real, base, neighbours[base], random)


def _jittered(
    real: Vectors, base: NDArray[np.int64], near: NDArray[np.int64], random: np.random.Generator
) -> Vectors:
    centres = real[base]
    moved = centres.copy()
    combined = min(_COMBINED, near.shape[1])
    chosen = random.random(near.shape).argsort(axis=1)[:, :combined]
    weights = random.normal(0, _SPREAD, chosen.shape).astype(np.float32)
    for column in range(combined):
        neighbour = real[np.take_along_axis(near, chosen[:, column : column + 1], axis=1)[:, 0]]
        moved += weights[:, column : column + 1] * (neighbour - centres)
    lengths = np.linalg.norm(moved, axis=1, keepdims=True)
    return np.asarray(moved / np.maximum(lengths, 1e-12), dtype=np.float32)
