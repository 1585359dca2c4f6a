"""Words of a text as they stand: identifiers whole and in their parts, no case folding yet."""

import re
import sys
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import groupby

from index.script import is_unspaced

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})")
"""Between a small letter and a capital, and before the last capital of an acronym that a word
follows (HTTP|Server); two small letters, so that the plural PCRs stays one word."""


@cache
def _compound_pattern() -> re.Pattern[str]:
    """Letters, digits, marks and ``_``, joined by ``- . /`` or an apostrophe; ``C++``, ``C#``.

    Without the marks, words of Devanagari, Thai or vowelled Arabic would be cut at vowel signs.
    """
    marks = "".join(
        re.escape(chr(code))
        for code in range(min(0x20000, sys.maxunicode))
        if unicodedata.category(chr(code)).startswith("M")
    )
    run = rf"[\w{marks}]+"
    return re.compile(rf"{run}(?:[-./'’]{run})*(?:\+\+|#(?!\w))?")


def compounds(text: str) -> Iterator[str]:
    """Maximal runs that may be one identifier, in text order."""
    for match in _compound_pattern().finditer(text):
        yield match.group()


@lru_cache(maxsize=65536)
def split_compound(compound: str) -> tuple[tuple[str, bool], ...]:
    """(word, is whole identifier) for everything a compound is searched by.

    ``HK-204/B`` gives itself, HK, 204, B; ``read_file`` itself, read, file; ``well-known`` only its
    parts; a run of Chinese its character bigrams, or the character if it is one alone.
    """
    core = compound.rstrip("+#")
    words: list[tuple[str, bool]] = []
    pieces = [piece for piece in re.split(r"[-./'’_]", core) if piece]
    is_symbolic = core != compound
    is_numbered = len(pieces) > 1 and ("_" in core or any(c.isdigit() for c in core))
    if (is_symbolic or is_numbered) and not any(map(is_unspaced, core)) and pieces:
        words.append((compound.strip("_"), True))
    for piece in _without_possessive(core, pieces):
        words += _split_piece(piece)
    return tuple(words)


def _without_possessive(core: str, pieces: list[str]) -> list[str]:
    is_possessive = core[-2:] in ("'s", "’s") and len(pieces) > 1
    return pieces[:-1] if is_possessive else pieces


def _split_piece(piece: str) -> Iterator[tuple[str, bool]]:
    for unspaced, group in groupby(piece, is_unspaced):
        run = "".join(group)
        if unspaced:
            yield from ((run[i : i + 2], True) for i in range(max(1, len(run) - 1)))
            continue
        parts = _CAMEL.split(run)
        if len(parts) > 1:
            yield run, True
        yield from ((part, False) for part in parts)
