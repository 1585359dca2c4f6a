"""The dense leg: inner products of unit vectors in an exact FAISS index, memory-mapped.

Why exact: up to about 200,000 chunks it takes 10 to 30 ms a query, is the same on every run, and
needs no recall figure. Other index types have a place in the manifest (``index_type``).

Every query is searched alone: FAISS multiplies batches in another order, and a score must not
depend on what else was asked.
"""

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from corpora.encoder_card import EncoderCard
from index.array_file import load_array, save_array
from index.embed import KEY_BYTES
from index.encoder import Encoder, load_encoder
from index.errors import IndexCorrupt, IndexingError
from index.fuse import ScoredRow

if TYPE_CHECKING:
    import faiss

INDEX_TYPE = "flat"
_FEW = 0.05
"""Share of admitted rows below which they are copied out and searched alone, which is cheaper."""


class DenseIndex:
    """Search by meaning with one encoder; safe to share between threads."""

    def __init__(self, folder: Path, card: EncoderCard) -> None:
        self.card = card
        self._index = _read(folder / "vectors.faiss")
        self._encoder: Encoder | None = None
        self._lock = threading.Lock()

    @property
    def n_chunks(self) -> int:
        """Rows with a vector."""
        return int(self._index.ntotal)

    @property
    def dimension(self) -> int:
        """Length of the vectors."""
        return int(self._index.d)

    def search(
        self, query: str, *, k: int, admitted: NDArray[np.bool_] | None = None
    ) -> list[ScoredRow]:
        """The k admitted rows of highest inner product, best first, ties in row order.

        The encoder is loaded by the first search.
        """
        with self._lock:
            if self._encoder is None:
                self._encoder = load_encoder(self.card)
        return self.search_vector(self._encoder.encode_query(query), k=k, admitted=admitted)

    def search_vector(
        self, vector: NDArray[np.float32], *, k: int, admitted: NDArray[np.bool_] | None = None
    ) -> list[ScoredRow]:
        """As ``search``, for a vector of shape (dimension,)."""
        import faiss

        if admitted is None:
            return _nearest(self._index, vector, k, self.n_chunks, None)
        rows = np.flatnonzero(admitted)
        if len(rows) >= _FEW * self.n_chunks:
            bitmap = np.packbits(admitted, bitorder="little")
            selector = faiss.SearchParameters(  # the stubs lack both constructors' Python forms
                sel=faiss.IDSelectorBitmap(bitmap)  # type: ignore[call-arg, arg-type]
            )
            return _nearest(self._index, vector, k, len(rows), selector)
        if not len(rows):
            return []
        few = faiss.IndexFlatIP(self.dimension)
        few.add(self._index.reconstruct_batch(rows))
        return [
            ScoredRow(int(rows[row]), score)
            for row, score in _nearest(few, vector, k, len(rows), None)
        ]


def write_dense(folder: Path, *, keys: Sequence[bytes], vectors: NDArray[np.float32]) -> None:
    """Write vectors (n, dimension) and the key of each row.

    Raises:
        IndexingError: the file cannot be written.
    """
    import faiss

    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    index = faiss.IndexFlatIP(vectors.shape[1])
    index.add(np.ascontiguousarray(vectors))
    path = folder / "vectors.faiss"
    try:
        faiss.write_index(index, str(path))
    except RuntimeError as error:
        message = f"{path.name!r} cannot be written ({str(error).rpartition(': ')[2]}); free space"
        raise IndexingError(message) from error
    key_bytes = np.frombuffer(b"".join(keys), dtype=np.uint8).reshape(-1, KEY_BYTES)
    save_array(folder / "keys.npy", key_bytes)


def stored_vectors(folder: Path) -> Iterator[tuple[bytes, NDArray[np.float32]]]:
    """(key, vector) of every row of a folder that ``write_dense`` has written."""
    index = _read(folder / "vectors.faiss")
    keys = load_array(folder / "keys.npy", dtype=np.uint8)
    if len(keys) != index.ntotal:
        message = f"'keys.npy' has {len(keys)} rows, 'vectors.faiss' {index.ntotal}"
        raise IndexCorrupt(message)
    vectors = index.reconstruct_n(0, index.ntotal)
    for key, vector in zip(keys, vectors, strict=True):
        yield key.tobytes(), vector


def _read(path: Path) -> "faiss.Index":
    import faiss

    try:
        return faiss.read_index(str(path), faiss.IO_FLAG_MMAP_IFC)
    except RuntimeError as error:
        message = f"{path.name!r} of the index cannot be read; run `make index` again"
        raise IndexCorrupt(message) from error


def _nearest(
    index: "faiss.Index",
    vector: NDArray[np.float32],
    k: int,
    n_admitted: int,
    parameters: "faiss.SearchParameters | None",
) -> list[ScoredRow]:
    """Exact top k with ties in row order.

    FAISS picks freely among equal scores at the cut, so more is fetched until the cut is clear.
    """
    wanted = min(k, n_admitted)
    fetched = min(n_admitted, wanted + 16)
    while fetched:
        scores, rows = index.search(vector.reshape(1, -1), fetched, params=parameters)
        if fetched == n_admitted or scores[0, -1] < scores[0, wanted - 1]:
            order = np.lexsort((rows[0], -scores[0]))[:wanted]
            return [ScoredRow(int(rows[0, i]), float(scores[0, i])) for i in order]
        fetched = min(n_admitted, 2 * fetched)
    return []
