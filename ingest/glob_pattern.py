"""Globs over corpus-relative paths: ``**`` crosses folders, ``*`` and ``?`` do not."""

import re
from functools import lru_cache

_PART = re.compile(r"\*\*/|\*\*|\*|\?|\[!?[^\]]+\]|.", re.DOTALL)


def matches_any(path: str, globs: tuple[str, ...]) -> bool:
    """Whether one of ``globs`` describes the whole of ``path`` (parted by ``/``)."""
    return any(_compiled(glob).fullmatch(path) for glob in globs)


@lru_cache(maxsize=1024)
def _compiled(glob: str) -> re.Pattern[str]:
    return re.compile("".join(_translated(part) for part in _PART.findall(glob)), re.DOTALL)


def _translated(part: str) -> str:
    match part:
        case "**/":
            return "(?:.*/)?"
        case "**":
            return ".*"
        case "*":
            return "[^/]*"
        case "?":
            return "[^/]"
        case _ if len(part) > 1:
            return "[" + part[1:-1].replace("\\", r"\\").replace("!", "^", part[1] == "!") + "]"
        case _:
            return re.escape(part)
