"""Names in a text: runs of capitalised words, identifiers and quoted titles, with their places.

What a second hop hangs on is a name: of a person, a committee, a part, a setting. No model is asked
for them, so every rule is one of writing: capitals (not in languages that capitalise all nouns),
digits inside words, ``snake_case`` and the like, and the quotes that Chinese and Japanese put
around titles.

A name's key is its words, case-folded, joined by a blank; a character of an unspaced script is a
word of its own. So ``HK-204/B``, ``hk 204 b`` and ``HK‑204 B`` are one name.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from index.script import is_unspaced
from index.words import placed_compounds, split_compound

MOST_WORDS = 10
"""Longer runs are sentences and headlines, which nobody repeats as a name."""

_WORD = re.compile(r"[^\W_]+")
_GAP = re.compile(r"[ \u00a0]?[-–&/'’.]?[ \u00a0]?|\n")
"""What may stand between two words of one name."""
_LINKS_INSIDE = "al bin da de del della der des di do dos du e el la le of the van von y"
_SENTENCE_STARTS = """
a after an and as at before but by during for from he her his however i if in it its of on or our
she since that the their there these they this those to until was we were what when where which
while who with you
"""
"""Words that are capitalised only because they begin a sentence."""
_LINKS = frozenset(_LINKS_INSIDE.split())
_STARTS = frozenset(_SENTENCE_STARTS.split())
_NOUNS_CAPITALISED = frozenset({"de", "lb"})
_QUOTED = re.compile(r"[《「『【]([^《》「」『』【】\n]{2,24})[》」』】]")
_ENDS = frozenset('.?!:;。？！：；\n"“”«»•*|')


class Word(NamedTuple):
    """One word of a text, case-folded, and where it stands."""

    text: str
    start: int
    end: int


class Name(NamedTuple):
    """A name and its span in the text it was read from."""

    key: str
    start: int
    end: int


def words_of(text: str) -> list[Word]:
    """Words in text order; characters of unspaced scripts one by one."""
    found: list[Word] = []
    for match in _WORD.finditer(text):
        run, at = match.group(), match.start()
        if run.isascii() or not any(map(is_unspaced, run)):
            found.append(Word(_folded(run), at, match.end()))
            continue
        begun = 0
        for place, character in enumerate(run):
            if is_unspaced(character):
                if begun < place:
                    found.append(Word(_folded(run[begun:place]), at + begun, at + place))
                found.append(Word(_folded(character), at + place, at + place + 1))
                begun = place + 1
        if begun < len(run):
            found.append(Word(_folded(run[begun:]), at + begun, match.end()))
    return found


def key_of(words: Sequence[Word]) -> str:
    """The key of a name of these words."""
    return " ".join(word.text for word in words)


def hash_of(key: str) -> int:
    """64 bits that stand for a key."""
    return int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "little")


def names_in(text: str, words: Sequence[Word], language: str) -> list[Name]:
    """Names that the writing shows, in no particular order; ``words`` are those of ``text``."""
    names = [*_identifiers(text), *_quoted(text)]
    if language not in _NOUNS_CAPITALISED:
        names += _capitalised(text, words)
    return list(dict.fromkeys(names))


def _capitalised(text: str, words: Sequence[Word]) -> Iterator[Name]:
    """Maximal runs of capitalised words and numbers, linked by ``of`` and its like."""
    run: list[Word] = []
    links = 0  # words at the end of the run that may only stand inside it
    for word in words:
        joins = bool(run) and _GAP.fullmatch(text, run[-1].end, word.start) is not None
        if run and (not joins or (links == 0 and _ends_sentence(text, run[-1], word))):
            yield from _as_name(text, run[: len(run) - links])
            run, links = [], 0
        if text[word.start].isupper():
            run.append(word)
            links = 0
        elif run and links == 0 and word.text.isdigit():
            run.append(word)
        elif run and links < 2 and word.text in _LINKS:
            run.append(word)
            links += 1
        elif run:
            yield from _as_name(text, run[: len(run) - links])
            run, links = [], 0
    if run:
        yield from _as_name(text, run[: len(run) - links])


def _ends_sentence(text: str, before: Word, after: Word) -> bool:
    """A full stop between two words parts them, unless it stands after an initial."""
    gap = text[before.end : after.start]
    return "\n" in gap or (gap.startswith(".") and len(gap) > 1 and before.end - before.start > 1)


def _as_name(text: str, run: list[Word]) -> Iterator[Name]:
    begins = _begins_sentence(text, run[0].start)
    while begins and run and run[0].text in _STARTS:
        run = run[1:]
        begins = False
    if not run or (len(run) == 1 and (begins or run[0].end - run[0].start < 3)):
        return
    if len(run) <= MOST_WORDS:
        yield Name(key_of(run), run[0].start, run[-1].end)


def _begins_sentence(text: str, start: int) -> bool:
    before = text[max(0, start - 3) : start].rstrip(" \u00a0")
    return not before or before[-1] in _ENDS


def _identifiers(text: str) -> Iterator[Name]:
    for match in placed_compounds(text):
        compound = match.group()
        if compound.isalpha() and not any(map(str.isupper, compound[1:])):
            continue
        first = next(iter(split_compound(compound)), None)
        words = words_of(compound) if first is not None and first[1] == "whole" else []
        if 0 < len(words) <= MOST_WORDS:
            yield Name(key_of(words), match.start(), match.end())


def _quoted(text: str) -> Iterator[Name]:
    for match in _QUOTED.finditer(text):
        words = words_of(match.group(1))
        if words:
            yield Name(key_of(words), match.start(1), match.end(1))


@lru_cache(maxsize=262144)
def _folded(word: str) -> str:
    return unicodedata.normalize("NFKC", word).casefold()
