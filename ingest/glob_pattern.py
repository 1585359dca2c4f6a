"""Globs over corpus-relative paths: ``**`` crosses folders, ``*`` and ``?`` do not.

A name is the same name in NFC and NFD: which of the two a file has is up to the system that wrote
it, and a restriction must not hang on that.
"""

import re
import unicodedata
from functools import lru_cache

from ingest.errors import IngestError

_PART = re.compile(r"\*\*/|\*\*|\*|\?|\[!?[^\]]+\]|.", re.DOTALL)


def matches_any(path: str, globs: tuple[str, ...]) -> bool:
    """Whether one of ``globs`` describes the whole of ``path`` (parted by ``/``).

    Raises:
        IngestError: a glob is none, as ``[z-a]``.
    """
    path = unicodedata.normalize("NFC", path)
    return any(_compiled(glob).fullmatch(path) for glob in globs)


@lru_cache(maxsize=1024)
def _compiled(glob: str) -> re.Pattern[str]:
    parts = _PART.findall(unicodedata.normalize("NFC", glob))
    try:
        return re.compile("".join(map(_translated, parts)), re.DOTALL)
    except re.error as error:
        message = f"{glob!r} is no glob: {error}"
        raise IngestError(message) from error


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
            signs = part[1:-1].replace("\\", r"\\").replace("[", r"\[")
            return "[" + signs.replace("!", "^", part[1] == "!") + "]"
        case _:
            return re.escape(part)
