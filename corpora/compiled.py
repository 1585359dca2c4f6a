"""Compiling a Python function to machine code with numba, on first use.

Why not numba's decorators on the functions: they import numba (0.5 s) and look for a cache folder
as soon as our module is imported. Compiled code is cached beside the module, or in the user's cache
folder; where neither can be written, or what lies there is damaged, it is compiled in memory.
"""

import ctypes
import re
from collections.abc import Callable
from functools import cache
from typing import Any

_COMMA = re.compile(r", (?![^(]*\))")
_FOREIGN = re.compile(r"(\w+)\((.*)\)")


@cache
def compiled(function: Callable[..., Any], signature: str) -> Callable[..., Any]:
    """``function`` as machine code that runs without the interpreter's lock.

    ``signature`` names the argument types by comma: ``int64``, ``float64``, an array of either
    sort as ``int32[]``, which takes read-only and writable contiguous arrays alike, or a
    ``foreign`` function as ``int32(intp, int32)``.
    """
    import numba

    types = tuple(_type(name) for name in _COMMA.split(signature))
    try:
        return numba.njit([types], nogil=True, cache=True)(function)
    except Exception:  # noqa: BLE001 - a cache may fail in any way, and searching must not
        return numba.njit([types], nogil=True)(function)


def foreign(function: Callable[..., Any], signature: str) -> object:
    """A C library's ``function``, loaded by ctypes, as an argument of compiled code.

    ``signature`` is its type as ``compiled`` names it; pointers are ``intp``.
    """
    address = ctypes.cast(function, ctypes.c_void_p).value  # type: ignore[arg-type]
    return _foreign_class()(address, _type(signature))


@cache
def _foreign_class() -> type:
    import numba

    class Foreign(numba.types.WrapperAddressProtocol):
        """An address and its type, by the two names that numba asks for."""

        def __init__(self, address: int, kind: Any) -> None:
            self._address = address
            self._kind = kind

        def __wrapper_address__(self) -> int:
            return self._address

        def signature(self) -> Any:
            return self._kind.signature

    return Foreign


def _type(name: str) -> object:
    import numba

    if match := _FOREIGN.fullmatch(name):
        result, arguments = match.groups()
        return numba.types.FunctionType(_type(result)(*map(_type, arguments.split(", "))))  # type: ignore[operator]
    scalar = numba.types.__dict__[name.removesuffix("[]")]
    return numba.types.Array(scalar, 1, "C", readonly=True) if name.endswith("[]") else scalar
