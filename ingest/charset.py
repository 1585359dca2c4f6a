"""Charset of a file: its mark, UTF-8, what it says of itself, then what is most likely.

Why not charset-normalizer alone: it takes Western texts for cp1250 (``Pičce ŕ changer``), short
ones for Chinese or for a Mac's, and a UTF-8 text with one damaged byte for something else.
"""

import codecs
import re
from typing import NamedTuple

from ingest.language import detect_language

_BYTE_ORDER_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_BARE_UTF16 = (("utf-16-le", 1), ("utf-16-be", 0))
"""With the place, 0 or 1 in each pair, where the NUL of a Western letter stands."""
_SAMPLE_BYTES = 4096
_DECLARED = re.compile(
    rb"<meta\s[^>]*?charset\s*=\s*[\"']?\s*([\w.:-]+)|<\?xml\s[^>]*?encoding\s*=\s*[\"']([\w.:-]+)",
    re.IGNORECASE,
)
_LATIN_NAMES = {"iso8859-1", "ascii", "latin-1", "cp1252"}
_HIGH_RUN = re.compile(rb"[\x80-\xff]+")
_MOST_HIGH = 0.3
"""Share of bytes above 127; no Western text has more, no Cyrillic or Chinese one has less."""
_MOST_JOINED = 0.4
"""Share of such bytes that stand three or more together, as Chinese ones among much English do."""
_CODE_PAGES = {
    **dict.fromkeys(("bs", "cs", "hr", "hu", "pl", "ro", "sk", "sl", "sq"), "cp1250"),
    **dict.fromkeys(("az", "tr"), "cp1254"),
    **dict.fromkeys(("lt", "lv"), "cp1257"),
}
"""By language; the others are written in cp1252."""
_NO_WORD = re.compile(r"[^\W\d_][¹³¿£¯\x80-\x9f]|[¹³£¯\x80-\x9f][^\W\d_]")
"""Never in a Western word; in cp1250 they are letters of the commonest Polish words."""


class Decoded(NamedTuple):
    """A file's text and the charset it was read in."""

    text: str
    charset: str


def decode_bytes(content: bytes, *, declared: str = "") -> Decoded | None:
    """Text of a file, None if it is none; ``declared`` is the charset that it names, if any."""
    for mark, charset in _BYTE_ORDER_MARKS:
        if content.startswith(mark):
            # A damaged tail must not hide the rest: U+FFFD marks the place.
            return Decoded(content.decode(charset, errors="replace"), charset)
    bare = bare_utf16(content)
    for charset in filter(None, (bare, "utf-8", _known(declared))):
        try:
            return Decoded(content.decode(charset), charset)
        except ValueError:
            continue
    return _nearly_utf8(content) or _western(content) or _guessed(content)


def bare_utf16(content: bytes) -> str:
    """The charset of UTF-16 without a mark, told by its NULs; empty: it is none."""
    sample = content[:_SAMPLE_BYTES]
    half = len(sample) // 2
    for charset, place in _BARE_UTF16:
        there, elsewhere = sample[place::2].count(0), sample[1 - place :: 2].count(0)
        if half and len(content) % 2 == 0 and there > 0.4 * half and elsewhere < 0.02 * half:
            return charset
    return ""


def declared_charset(content: bytes) -> str:
    """What an HTML or XML text says of itself, true or not; empty: nothing."""
    found = _DECLARED.search(content[:_SAMPLE_BYTES])
    return (found.group(1) or found.group(2)).decode("ascii") if found else ""


def _known(name: str) -> str:
    """Python's name of a charset; empty for none, and for Latin-1, which is said of much else."""
    try:
        codec = codecs.lookup(name) if name else None
    except LookupError:
        return ""
    is_text = codec is not None and getattr(codec, "_is_text_encoding", True)
    return codec.name if codec is not None and is_text and codec.name not in _LATIN_NAMES else ""


def _nearly_utf8(content: bytes) -> Decoded | None:
    """UTF-8 with a few bytes damaged: it has far more sequences that only UTF-8 has."""
    text = content.decode("utf-8", errors="replace")
    n_bad = text.count("\ufffd")
    n_good = sum(sign > "\x7f" for sign in text) - n_bad
    return Decoded(text, "utf-8") if n_good > 3 * n_bad else None


def _western(content: bytes) -> Decoded | None:
    """A text in the Latin alphabet with single bytes for its other letters."""
    runs = [len(run) for run in _HIGH_RUN.findall(content)]
    n_high = sum(runs)
    n_joined = sum(run for run in runs if run > 2)
    if n_high > _MOST_HIGH * len(content) or n_joined > _MOST_JOINED * n_high:
        return None
    text = content.decode("cp1252", errors="replace")
    charset = _CODE_PAGES.get(detect_language(text), "cp1252")
    if charset == "cp1252" and ("\ufffd" in text or _NO_WORD.search(text)):
        charset = "cp1250"
    try:
        return Decoded(content.decode(charset), charset)
    except ValueError:
        return None


def _guessed(content: bytes) -> Decoded | None:
    from charset_normalizer import from_bytes

    best = from_bytes(content).best()
    return Decoded(str(best), best.encoding) if best is not None else None
