"""Words of a text as they stand: identifiers whole and in their parts, no case folding yet."""

import re
import sys
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import groupby
from typing import Literal

from index.script import is_unspaced

Form = Literal["word", "whole", "bigram"]
"""A word or part of one, the whole of a split identifier, a piece of unspaced text."""

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})")
"""Between a small letter and a capital, and before the last capital of an acronym that a word
follows (HTTP|Server); two small letters, so that the plural PCRs stays one word."""


def compounds(text: str) -> list[str]:
    """Maximal runs that may be one identifier, in text order."""
    return _pattern_for(text).findall(text)


def placed_compounds(text: str) -> Iterator[re.Match[str]]:
    """The same runs with their places."""
    return _pattern_for(text).finditer(text)


def _pattern_for(text: str) -> re.Pattern[str]:
    return _ascii_pattern() if text.isascii() else _unicode_pattern()


def _pattern(character: str) -> re.Pattern[str]:
    """Runs joined by ``- . /`` or an apostrophe, and the tails of ``C++`` and ``C#``."""
    run = rf"{character}+"
    return re.compile(rf"{run}(?:[-./'’]{run})*(?:\+\+|#(?!\w))?")


@cache
def _ascii_pattern() -> re.Pattern[str]:
    return _pattern("[A-Za-z0-9_]")


@cache
def _unicode_pattern() -> re.Pattern[str]:
    """Letters, digits, ``_`` and marks, or Devanagari, Thai and vowelled Arabic would be cut."""
    codes = range(min(0x20000, sys.maxunicode))
    marks = [chr(code) for code in codes if unicodedata.category(chr(code)).startswith("M")]
    return _pattern(rf"[\w{''.join(map(re.escape, marks))}]")


@lru_cache(maxsize=65536)
def split_compound(compound: str) -> tuple[tuple[str, Form], ...]:
    """Everything a compound is searched by.

    ``HK-204/B`` gives itself, HK, 204, B; ``read_file`` itself, read, file; ``well-known`` only its
    parts; a run of Chinese its character bigrams, or the character if it is one alone.
    """
    core = compound.rstrip("+#")
    pieces = [piece for piece in re.split(r"[-./'’_]", core) if piece]
    is_numbered = len(pieces) > 1 and ("_" in core or any(map(str.isdigit, core)))
    words: list[tuple[str, Form]] = []
    if pieces and (is_numbered or core != compound) and not any(map(is_unspaced, core)):
        words.append((compound.strip("_"), "whole"))
    is_possessive = len(pieces) > 1 and core[-2:] in ("'s", "’s")
    for piece in pieces[:-1] if is_possessive else pieces:
        words += _split_piece(piece)
    return tuple(words)


def _split_piece(piece: str) -> Iterator[tuple[str, Form]]:
    for unspaced, group in groupby(piece, is_unspaced):
        run = "".join(group)
        if unspaced:
            yield from ((run[i : i + 2], "bigram") for i in range(max(1, len(run) - 1)))
            continue
        parts = _CAMEL.split(run)
        if len(parts) > 1:
            yield run, "whole"
        yield from ((part, "word") for part in parts)
