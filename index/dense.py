"""The dense leg: inner products of unit vectors, memory-mapped, exact or near enough by measure.

Up to about 200,000 chunks every vector is compared with the query. Above, the vectors lie in
clusters and those near the query are compared, as many as a recall measured at build time asks for
(``arrange.py``). Either way a score is the exact float32 inner product and equal scores stand in
row order; a filter that admits few rows is always searched exactly.

In memory stand the cluster sizes and what one query needs, about 16 bytes a row compared; the rest
are mapped pages of ``vectors.npy``, which the system takes back when it needs them.
"""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpora.encoder_card import EncoderCard
from index.array_file import load_array
from index.clusters import Clusters
from index.embed import KEY_BYTES
from index.encoder import Encoder, load_encoder
from index.errors import IndexCorrupt
from index.inner_products import inner_products
from index.ranking import Ranking
from index.top_k import best_places

_FEW = 0.05
"""Share of admitted rows below which all of them are compared."""
_BLOCK = 16_384


class DenseIndex:
    """Search by meaning with one encoder; safe to share between threads.

    ``compared`` is how many admitted rows a query is compared with at least; None for all.
    """

    def __init__(self, folder: Path, card: EncoderCard, *, compared: int | None = None) -> None:
        self.card = card
        self._vectors = load_vectors(folder)
        self._compared = len(self._vectors) if compared is None else compared
        self._clusters = None if compared is None else Clusters(folder, len(self._vectors))
        self._encoder: Encoder | None = None
        self._lock = threading.Lock()

    @property
    def n_chunks(self) -> int:
        """Rows with a vector."""
        return len(self._vectors)

    @property
    def dimension(self) -> int:
        """Length of the vectors."""
        return int(self._vectors.shape[1])

    def search(self, query: str, *, k: int, admitted: NDArray[np.bool_] | None = None) -> Ranking:
        """The k admitted rows of highest inner product, best first, ties in row order.

        The encoder is loaded by the first search.
        """
        with self._lock:
            if self._encoder is None:
                self._encoder = load_encoder(self.card)
        return self.search_vector(self._encoder.encode_query(query), k=k, admitted=admitted)

    def search_vector(
        self, vector: NDArray[np.float32], *, k: int, admitted: NDArray[np.bool_] | None = None
    ) -> Ranking:
        """As ``search``, for a vector of shape (dimension,); works in the calling thread alone."""
        places = self._places(vector, k, admitted)
        scores = inner_products(vector, self._vectors, places)
        rows: NDArray[np.integer[Any]] = np.arange(self.n_chunks) if places is None else places
        if self._clusters is not None:
            rows = self._clusters.rows[rows]
        best = best_places(rows, scores, k)
        return Ranking(rows[best], scores[best])

    def _places(
        self, vector: NDArray[np.float32], k: int, admitted: NDArray[np.bool_] | None
    ) -> NDArray[np.int64] | None:
        """What the query is compared with; None for everything."""
        n_admitted = self.n_chunks if admitted is None else int(np.count_nonzero(admitted))
        wanted = max(self._compared, k)
        if self._clusters is not None and n_admitted > max(wanted, _FEW * self.n_chunks):
            return self._clusters.near(vector, wanted, admitted)
        if admitted is None:
            return None
        return np.flatnonzero(admitted if self._clusters is None else admitted[self._clusters.rows])


def load_vectors(folder: Path) -> NDArray[np.float32]:
    """The (n, dimension) vectors of a leg, memory-mapped.

    Raises:
        IndexCorrupt: they cannot be read, or are not as many as the keys.
    """
    vectors = load_array(folder / "vectors.npy", dtype=np.float32)
    keys = load_array(folder / "keys.npy", dtype=np.uint8)
    if vectors.ndim != 2 or keys.shape != (len(vectors), KEY_BYTES):
        message = f"'keys.npy' {keys.shape} does not fit 'vectors.npy' {vectors.shape} of the index"
        raise IndexCorrupt(message)
    return vectors


def stored_vectors(folder: Path) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.float32]]]:
    """Keys (m, 32) and vectors (m, dimension) of a leg, in blocks, in no promised order."""
    vectors = load_vectors(folder)
    keys = load_array(folder / "keys.npy", dtype=np.uint8)
    for start in range(0, len(keys), _BLOCK):
        yield keys[start : start + _BLOCK], vectors[start : start + _BLOCK]
