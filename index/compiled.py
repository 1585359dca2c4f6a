"""Compiling a Python function to machine code with numba, on first use.

Why not numba's decorators on the functions: they import numba (0.5 s) and look for a cache folder
as soon as our module is imported. Compiled code is cached beside the module, or in the user's cache
folder; where neither can be written, or what lies there is damaged, it is compiled in memory.
"""

from collections.abc import Callable
from functools import cache
from typing import Any


@cache
def compiled(function: Callable[..., Any], signature: str) -> Callable[..., Any]:
    """``function`` as machine code that runs without the interpreter's lock.

    ``signature`` names the argument types by comma: ``int64``, ``float64``, or an array of either
    sort as ``int32[]``, which takes read-only and writable contiguous arrays alike.
    """
    import numba

    types = tuple(_type(name) for name in signature.split(", "))
    try:
        return numba.njit([types], nogil=True, cache=True)(function)
    except Exception:  # noqa: BLE001 - a cache may fail in any way, and searching must not
        return numba.njit([types], nogil=True)(function)


def _type(name: str) -> object:
    import numba

    scalar = numba.types.__dict__[name.removesuffix("[]")]
    return numba.types.Array(scalar, 1, "C", readonly=True) if name.endswith("[]") else scalar
