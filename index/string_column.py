"""Many byte strings in two memory-mapped arrays: all bytes in a row, and where each one starts."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpora.compiled import compiled
from index.array_file import ArrayWriter, load_array, save_array
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

    def all_raw(self) -> Iterator[bytes]:
        """Every row's bytes in order; holds the whole column in memory."""
        blob = self._blob.tobytes()
        for start, end in pairwise(self._offsets.tolist()):
            yield blob[start:end]

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


class ColumnWriter:
    """Writes a column value by value; holds their offsets in memory."""

    def __init__(self, folder: Path, name: str) -> None:
        self._blob = ArrayWriter(folder / f"{name}.blob.npy", dtype=np.uint8)
        self._offsets_path = folder / f"{name}.offsets.npy"
        self._offsets = array("q", [0])

    def add(self, value: bytes) -> None:
        """Append a row."""
        self._blob.extend(value)
        self._offsets.append(self._offsets[-1] + len(value))

    def finish(self) -> None:
        """Complete the files."""
        self._blob.finish()
        save_array(self._offsets_path, np.array(self._offsets, dtype=np.int64))


def write_column(folder: Path, name: str, values: Iterable[bytes]) -> None:
    """Write ``values`` in the order given."""
    writer = ColumnWriter(folder, name)
    for value in values:
        writer.add(value)
    writer.finish()
