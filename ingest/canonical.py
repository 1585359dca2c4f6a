"""Canonical text: one ``str`` with LF line ends, NFC, and U+FFFD for what cannot be stored.

Everything downstream addresses this text by code points, so it is fixed here once and for all.
"""

import re
import unicodedata
from typing import NamedTuple

CANONICAL_VERSION = 2
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class Canonical(NamedTuple):
    """A canonical text and how many characters had to be replaced in it."""

    text: str
    n_replaced: int


def canonical_text(raw: str) -> Canonical:
    """The canonical form of ``raw``; applying it twice is applying it once."""
    if raw.isascii() and "\r" not in raw and "\0" not in raw:
        return Canonical(raw, 0)
    text = raw.replace("\r\n", "\n").replace("\r", "\n")
    text, n_replaced = _UNSTORABLE.subn("\N{REPLACEMENT CHARACTER}", text)
    return Canonical(unicodedata.normalize("NFC", text), n_replaced)
