"""Sentence spans of a paragraph, by rules and abbreviation tables.

Why not ICU: it knows no abbreviations and breaks at every line end. Why not a trained splitter:
those measured do not split Chinese, and their offsets have to be searched for afterwards.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ingest.abbreviations import CLOSING, INSIDE, NUMBERED, STARTERS, abbreviation_language

SENTENCES_VERSION = 1
_CLOSERS = r"""(?:[ \u00a0\u202f]»)?["'”“’‘»›)\]」』）】》〉*_]*(?:\[\d+(?:[,–-]\s?\d+)*\])*"""
_CANDIDATE = re.compile(
    rf"""
    (?P<wide>[。！？；｡]+[。！？；!?…]*{_CLOSERS})            # ends wherever it stands
    |(?P<narrow>(?!(?<=\s)\.\s(?!»))                     # but the dots of a leader, never
        (?:[.!?…]+|(?<=[\u3040-\u30ff\u4e00-\u9fff])[!?]+){_CLOSERS})
    """,
    re.VERBOSE,
)
_HAN_OR_KANA = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_OPENERS = "\"'“”„‚‘«»‹›([{「『（【《¿¡*_-–—•"
_WORD_BEFORE = re.compile(r"[^\s(\[{\"'“„«‘/]+$")
_WORD_AFTER = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_LETTERS_WITH_STOPS = re.compile(
    r"(?:^|(?<=[\s(\[{\"'“„«‘]))(?:[^\W\d_]{1,3}\.[ \u00a0\u202f]?)+[^\W\d_]{1,3}$"
)
_ROMAN = re.compile(r"[IVXLC]+\b")
_LOOK_BACK = 40


class Ending(NamedTuple):
    """What stands around a full stop: the text up to it, its kind, the text after the blanks."""

    sentence: str
    stop: str
    rest: str


def sentence_spans(
    text: str, start: int, end: int, *, language: str = "en"
) -> Iterator[tuple[int, int]]:
    """Half-open spans of the sentences in ``text[start:end]``, in order, without outer blanks."""
    tables = abbreviation_language(language)
    begin = start
    for found in _CANDIDATE.finditer(text, start, end):
        stop = found.end()
        if found.lastgroup == "narrow" and not _ends_sentence(text, begin, found, end, tables):
            continue
        if found.start() < begin:
            continue
        yield from _trimmed(text, begin, stop)
        begin = stop
    yield from _trimmed(text, begin, end)


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    left = start + len(piece) - len(piece.lstrip())
    right = end - (len(piece) - len(piece.rstrip()))
    if left < right:
        yield left, right


def _ends_sentence(text: str, begin: int, found: re.Match[str], end: int, language: str) -> bool:
    after = found.end()
    if after >= end:
        return True
    follows = text[after : min(end, after + 80)]
    before_stop = text[max(begin, found.start() - _LOOK_BACK) : found.start()]
    if _HAN_OR_KANA.match(before_stop[-1:]) and found.group()[0] in "!?…":
        return True
    if not follows[0].isspace():
        # "end.Next": only after a CJK-free word of two letters and before a capitalised one would
        # splitting be right, and then as often wrong (Node.Next, U.S.Army): keep together.
        return False
    rest = follows.lstrip()
    if not rest:
        return True
    word_start = rest.lstrip(_OPENERS)
    if found.group().startswith((".", "…")) and word_start[:1].islower():
        return False
    is_lone = not before_stop or before_stop[-1].isspace()
    if found.group() == "." and (is_lone or rest.startswith(". ")):
        return False  # dot leaders, ".NET"
    if found.group()[0] in "!?":
        return not word_start[:1].islower()
    if found.group().startswith(("..", "…")):
        return True
    sentence = text[begin : found.start()].strip()
    return not _is_abbreviation(Ending(sentence, before_stop, word_start), language)


def _is_abbreviation(ending: Ending, language: str) -> bool:
    """Whether the full stop belongs to the word before it and the sentence goes on."""
    found = _WORD_BEFORE.search(ending.stop)
    if found is None:
        return False
    word = found.group()
    next_word = _WORD_AFTER.match(ending.rest)
    following = next_word.group() if next_word else ""
    is_starter = following in STARTERS[language]
    spaced = _LETTERS_WITH_STOPS.search(ending.stop)
    joined = re.sub(r"\s", "", spaced.group()) if spaced else word
    if joined in CLOSING[language] or word in CLOSING[language]:
        # Capitalised names follow "U.S." and "Inc." as often as a new sentence does.
        is_acronym = joined[:1].isupper()
        return not (is_starter if is_acronym else following[:1].isupper())
    if word in INSIDE[language] or word.lower() in INSIDE[language]:
        return True
    if word in NUMBERED[language]:
        return following[:1].isdigit() or bool(_ROMAN.match(following))
    if spaced and "." in joined:
        return not (joined.isupper() and is_starter)
    if len(word) == 1 and word.isalpha():
        is_initial = word.isupper() and not is_starter
        opens_letters = word.islower() and re.match(r"[^\W\d_]{1,2}\.", ending.rest) is not None
        return is_initial or opens_letters
    if word.isdecimal():
        if ending.sentence == word:
            return True  # "1. Introduction": the number of what follows
        return language == "de" and len(word) <= 2 and not is_starter
    return False
