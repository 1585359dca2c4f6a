"""VectorsByKey: a matrix on disk that is filled as its vectors turn up, whatever brings them.

The generation in use, the shards of a killed build and the encoder all give blocks of (keys,
vectors); each row that asks for one of the keys takes its vector. No more than a block is in
memory: the matrix is a mapped file, and the keys take 40 bytes a row.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from index.array_file import create_array, save_array

Keys = NDArray[np.uint8]
"""Hashes, (n, 32)."""


class VectorsByKey:
    """``vectors.npy`` and ``keys.npy`` of a new leg, in row order."""

    def __init__(self, folder: Path, keys: Keys, dimension: int) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        save_array(folder / "keys.npy", keys)
        self._vectors = create_array(
            folder / "vectors.npy", dtype=np.float32, length=len(keys), columns=dimension
        )
        names = _as_names(keys)
        self._order = np.argsort(names, kind="stable")
        self._sorted = names[self._order]
        self._missing = np.ones(len(keys), dtype=np.bool_)

    def take(self, keys: Keys, vectors: NDArray[np.float32]) -> None:
        """Give each row without a vector that of its key, where ``keys`` (m, 32) holds it."""
        names = _as_names(keys)
        first = np.searchsorted(self._sorted, names, side="left")
        counts = np.searchsorted(self._sorted, names, side="right") - first
        sources = np.repeat(np.arange(len(names)), counts)
        within = np.arange(len(sources)) - np.repeat(np.cumsum(counts) - counts, counts)
        rows = self._order[np.repeat(first, counts) + within]
        wanted = self._missing[rows]
        self._vectors[rows[wanted]] = vectors[sources[wanted]]
        self._missing[rows] = False

    def missing(self) -> NDArray[np.int64]:
        """Rows that have no vector yet, ascending."""
        return np.flatnonzero(self._missing)


def _as_names(keys: Keys) -> NDArray[np.bytes_]:
    """Keys as one comparable value each; numpy's byte strings ignore zeros at the end of both."""
    return np.ascontiguousarray(keys).view(f"S{keys.shape[1]}").ravel()
