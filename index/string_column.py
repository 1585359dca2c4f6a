"""Many byte strings in two memory-mapped arrays: all bytes in a row, and where each one starts."""

from collections.abc import Iterable, Sequence
from itertools import accumulate
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from index.array_file import load_array, save_array
from index.compiled import compiled
from index.find_strings import SIGNATURE, find_strings


class StringColumn:
    """Read access to a column that ``write_column`` has written; rows count from 0."""

    def __init__(self, folder: Path, name: str) -> None:
        self._blob = load_array(folder / f"{name}.blob.npy", dtype=np.uint8)
        self._offsets = load_array(folder / f"{name}.offsets.npy", dtype=np.int64)

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def __getitem__(self, row: int) -> str:
        return self.raw(row).decode("utf-8")

    def raw(self, row: int) -> bytes:
        """The row's bytes."""
        return self._blob[self._offsets[row] : self._offsets[row + 1]].tobytes()

    def row_of(self, value: str) -> int | None:
        """Row of ``value`` in a column that was written in ascending byte order, else None."""
        wanted = value.encode("utf-8", "surrogatepass")
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self.raw(middle) < wanted:
                low = middle + 1
            else:
                high = middle
        return low if low < len(self) and self.raw(low) == wanted else None

    def rows_of(self, values: Sequence[str]) -> NDArray[np.int64]:
        """``row_of`` many values at once, -1 for absent ones; compiled, so slow at first only."""
        wanted = [value.encode("utf-8", "surrogatepass") for value in values]
        offsets = np.array([0, *accumulate(map(len, wanted))], dtype=np.int64)
        joined = np.frombuffer(b"".join(wanted), dtype=np.uint8)
        rows: NDArray[np.int64] = compiled(find_strings, SIGNATURE)(
            self._blob, self._offsets, joined, offsets
        )
        return rows


def write_column(folder: Path, name: str, values: Iterable[bytes]) -> None:
    """Write ``values`` in the order given."""
    blob = bytearray()
    offsets = [0]
    for value in values:
        blob += value
        offsets.append(len(blob))
    save_array(folder / f"{name}.blob.npy", np.frombuffer(bytes(blob), dtype=np.uint8))
    save_array(folder / f"{name}.offsets.npy", np.array(offsets, dtype=np.int64))
