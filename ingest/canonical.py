"""Canonical text: one ``str`` with LF line ends, NFC, and U+FFFD for what cannot be stored.

Everything downstream addresses this text by code points, so it is fixed here once and for all.
"""

import re
import unicodedata
from typing import NamedTuple

CANONICAL_VERSION = 1
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_BYTE_ORDER_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)


class Canonical(NamedTuple):
    """A canonical text and how many characters had to be replaced in it."""

    text: str
    n_replaced: int


class Decoded(NamedTuple):
    """A file's text and the charset it was read in."""

    text: str
    charset: str


def canonical_text(raw: str) -> Canonical:
    """The canonical form of ``raw``; applying it twice is applying it once."""
    text = raw.replace("\r\n", "\n").replace("\r", "\n")
    text, n_replaced = _UNSTORABLE.subn("\N{REPLACEMENT CHARACTER}", text)
    return Canonical(unicodedata.normalize("NFC", text), n_replaced)


def decode_bytes(content: bytes) -> Decoded | None:
    """Text of a file: byte order mark, then strict UTF-8, then a guess; None if it is no text."""
    for mark, charset in _BYTE_ORDER_MARKS:
        if content.startswith(mark):
            # A damaged tail must not hide the rest: U+FFFD marks the place.
            return Decoded(content.decode(charset, errors="replace"), charset)
    try:
        return Decoded(content.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        pass
    from charset_normalizer import from_bytes

    best = from_bytes(content).best()
    return Decoded(str(best), best.encoding) if best is not None else None
