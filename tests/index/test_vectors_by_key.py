"""Filling the matrix of a new leg from whatever holds its vectors."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from index.dense import stored_vectors
from index.vectors_by_key import VectorsByKey


def keys(*names: str) -> NDArray[np.uint8]:
    padded = [name.encode().ljust(32, b"\0") for name in names]
    return np.frombuffer(b"".join(padded), dtype=np.uint8).reshape(-1, 32)


def vectors(*values: float) -> NDArray[np.float32]:
    return np.array([[value, -value] for value in values], dtype=np.float32)


def written(folder: Path) -> list[float]:
    return [float(row[0]) for _, block in stored_vectors(folder) for row in block]


def test_every_row_takes_the_vector_of_its_key_from_any_block(tmp_path: Path) -> None:
    leg = VectorsByKey(tmp_path, keys("b", "a", "c", "a"), 2)
    assert [*leg.missing()] == [0, 1, 2, 3]
    leg.take(keys("a", "unknown"), vectors(1, 9))
    assert [*leg.missing()] == [0, 2]
    leg.take(keys("c", "b"), vectors(3, 2))
    assert [*leg.missing()] == []
    assert written(tmp_path) == [2, 1, 3, 1]


def test_the_first_vector_of_a_key_is_kept(tmp_path: Path) -> None:
    leg = VectorsByKey(tmp_path, keys("a", "b"), 2)
    leg.take(keys("a"), vectors(1))
    leg.take(keys("a", "b"), vectors(5, 2))
    assert written(tmp_path) == [1, 2]


def test_keys_that_differ_in_their_last_byte_are_two(tmp_path: Path) -> None:
    names = np.zeros((3, 32), dtype=np.uint8)
    names[1, 31] = 1
    names[2, 0] = 1
    leg = VectorsByKey(tmp_path, names, 2)
    leg.take(names[[2, 1]], vectors(3, 2))
    assert [*leg.missing()] == [0]
    leg.take(names[[0]], vectors(1))
    assert written(tmp_path) == [1, 2, 3]


def test_an_empty_block_and_an_empty_leg_are_nothing(tmp_path: Path) -> None:
    leg = VectorsByKey(tmp_path / "one", keys("a"), 2)
    leg.take(keys(), np.empty((0, 2), dtype=np.float32))
    assert [*leg.missing()] == [0]
    VectorsByKey(tmp_path / "none", keys(), 2).take(keys("a"), vectors(1))
    assert written(tmp_path / "none") == []
