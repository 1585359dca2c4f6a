"""Compiled functions work whatever becomes of the cache on disk."""

import ctypes
import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest

from corpora.compiled import compiled, foreign


def loaded(path: Path) -> Callable[[int], int]:
    spec = importlib.util.spec_from_file_location("doubling", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function: Callable[[int], int] = module.double
    return function


def test_without_a_place_for_the_cache_it_is_compiled_in_memory() -> None:
    namespace: dict[str, Callable[[int], int]] = {}
    exec("def double(x):\n    return 2 * x\n", namespace)
    assert compiled(namespace["double"], "int64")(4) == 8


@pytest.mark.parametrize("damage", [b"", b"\x80garbage", b"\x80\x04K\x05."])
def test_a_damaged_cache_is_passed_over(tmp_path: Path, damage: bytes) -> None:
    source = tmp_path / "doubling.py"
    source.write_text("def double(x):\n    return 2 * x\n")
    assert compiled(loaded(source), "int64")(4) == 8
    cached = list((tmp_path / "__pycache__").glob("*.nb*"))
    assert cached
    for file in cached:
        file.write_bytes(damage)
    assert compiled(loaded(source), "int64")(4) == 8


def test_compiled_code_calls_a_c_library() -> None:
    def distance(a: int, b: int, absolute: Callable[[int], int]) -> int:
        return absolute(a - b)

    labs = foreign(ctypes.CDLL(None).labs, "int64(int64)")
    assert compiled(distance, "int64, int64, int64(int64)")(3, 10, labs) == 7
