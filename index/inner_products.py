"""Inner products of one query with stored vectors: the one kernel that every dense score is from.

It scores a row alike whether all rows, a list of them or a few are asked for, so that an
approximate search, a filtered one and an exact one agree to the last bit. Why not a FAISS index's
``search``: it scores rows in fours, with other last bits than the same row alone, and picks freely
among equal scores.

One query is one thread: FAISS gives up the interpreter's lock, so queries run side by side.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray


def inner_products(
    query: NDArray[np.float32],
    vectors: NDArray[np.float32],
    places: NDArray[np.int64] | None = None,
) -> NDArray[np.float32]:
    """Products of ``query`` (dimension,) with all of ``vectors`` (n, dimension), or those named.

    ``places`` (m,) must lie in 0 to n - 1: nothing checks them.
    """
    import faiss

    query = np.ascontiguousarray(query, dtype=np.float32)
    n, dimension = vectors.shape if places is None else (len(places), vectors.shape[1])
    products = np.empty(n, dtype=np.float32)
    if n == 0:
        return products
    pointers = [faiss.swig_ptr(array) for array in (products, query, vectors)]
    with faiss_threads(1):  # the stubs lack both functions
        if places is None:
            faiss.fvec_inner_products_ny(*pointers, dimension, n)  # type: ignore[attr-defined]
        else:
            pointers.append(faiss.swig_ptr(places))
            faiss.fvec_inner_products_by_idx(*pointers, dimension, 1, n)  # type: ignore[attr-defined]
    return products


@contextmanager
def faiss_threads(n_threads: int) -> Iterator[None]:
    """FAISS works with that many threads when called from this thread; others keep their number."""
    import faiss

    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(n_threads)
    try:
        yield
    finally:
        faiss.omp_set_num_threads(before)
