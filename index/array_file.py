"""Arrays on disk as ``.npy`` files: written whole, opened memory-mapped, no pickle."""

import os
from math import prod
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from index.errors import IndexCorrupt

Scalar = TypeVar("Scalar", bound=np.generic)

_PENDING_BYTES = 4_000_000


def save_array(path: Path, array: NDArray[Any]) -> None:
    """Write ``array`` to ``path``; ``index.sync`` brings it to the disk.

    Why not ``np.save``: on a full disk it loses the error number that tells a full disk apart.
    """
    contiguous = np.ascontiguousarray(array)
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(
            file, np.lib.format.header_data_from_array_1_0(contiguous)
        )
        file.write(contiguous.view(np.uint8).data if contiguous.size else b"")


class ArrayWriter:
    """Writes a one-dimensional array piece by piece; the file is that of ``save_array``.

    No file is held open between pieces, so an abandoned writer leaves none to close.
    """

    def __init__(self, path: Path, *, dtype: DTypeLike) -> None:
        self._path = path
        self._dtype = np.dtype(dtype)
        self._length = 0
        self._pending = bytearray()
        with path.open("wb") as file:
            self._write_header(file)

    def extend(self, values: bytes | NDArray[Any]) -> None:
        """Append values, given as their bytes or as an array of the type."""
        data = values.tobytes() if isinstance(values, np.ndarray) else values
        self._pending += data
        self._length += len(data) // self._dtype.itemsize
        if len(self._pending) >= _PENDING_BYTES:
            self._append()

    def finish(self) -> None:
        """Complete the file; its header has room for any length."""
        self._append()
        with self._path.open("r+b") as file:
            self._write_header(file)

    def _append(self) -> None:
        with self._path.open("ab") as file:
            file.write(self._pending)
        self._pending.clear()

    def _write_header(self, file: BinaryIO) -> None:
        header = {"descr": self._dtype.str, "fortran_order": False, "shape": (self._length,)}
        np.lib.format.write_array_header_1_0(file, header)


def create_array(
    path: Path, *, dtype: DTypeLike, length: int, columns: int | None = None
) -> NDArray[Any]:
    """A writable memory-mapped array of zeros at ``path``: (length,) or (length, columns).

    The space is reserved first: touching an unreserved page of a full disk kills the process.
    """
    shape = (length,) if columns is None else (length, columns)
    array: NDArray[Any] = np.zeros((0, *shape[1:]), dtype=dtype)
    if length == 0:
        save_array(path, array)
        return array
    header = {"descr": array.dtype.str, "fortran_order": False, "shape": shape}
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
        file.flush()
        os.posix_fallocate(file.fileno(), file.tell(), prod(shape) * array.dtype.itemsize)
    mapped: NDArray[Any] = np.load(path, mmap_mode="r+", allow_pickle=False)
    return mapped


def load_array(path: Path, *, dtype: type[Scalar]) -> NDArray[Scalar]:
    """The array at ``path``, memory-mapped and read-only.

    Raises:
        IndexCorrupt: the file is absent, short, or holds another type.
    """
    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        message = f"{path.name!r} of the index cannot be read ({error}); run `make index` again"
        raise IndexCorrupt(message) from error
    if array.dtype != np.dtype(dtype):
        message = f"{path.name!r} holds {array.dtype}, expected {np.dtype(dtype)}; run `make index`"
        raise IndexCorrupt(message)
    return array.view(np.ndarray)  # type: ignore[no-any-return]
