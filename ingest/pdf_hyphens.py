"""Hyphens at line ends: whether they belong to the word or came from breaking the line.

The rule, in this order. A hyphen stays before a capital or a digit (Nord-Ost, COVID-19), before a
conjunction (Vor- und Nachteile), and where the document spells the word with it elsewhere. It goes
where the document spells the word without it elsewhere. It stays between two words of the document
that are long enough not to be parts of others (night-watch), unless the first is one that words
begin with (under, über). Else it goes.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

LINE_END_MARK = "\x02"
"""At the end of a line: a hyphen that pdfium takes for one the line end brought."""
_HYPHENS = ("-", "\u2010", "\u00ad", LINE_END_MARK)
_LAST_LETTERS = re.compile(r"[^\W\d_]+$")
_LONGEST_WORD = 80
_WORD_SIGN = re.compile(r"\w")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*")
_CONJUNCTIONS = frozenset(["and", "or", "und", "oder", "bzw", "sowie", "bis", "et", "ou", "y", "o"])
_WORD_CHARS = 5
_OPENERS = frozenset(
    {"after", "counter", "cross", "every", "other", "their", "there", "through", "under", "where"}
    | {"durch", "gegen", "hinter", "nieder", "über", "unter", "wider", "wieder", "zurück"}
)


class LineEndHyphens:
    """The rule for one document, which knows how its lines spell their words."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._words: set[str] = set()
        self._hyphenated: set[str] = set()
        if not any(map(ends_hyphenated, lines)):
            lines = []
        spelled: set[str] = set()
        is_rest = False
        for line in lines:
            broken = _broken_word(line)
            whole = line[: -len(broken) - 1] if broken else line
            spelled.update(_WORD.findall(_FIRST_WORD.sub("", whole, count=1) if is_rest else whole))
            is_rest = bool(broken)
        for word in spelled:
            parts = word.replace("\u2010", "-").split("-")
            self._words.update({word} if len(parts) == 1 else ())
            self._hyphenated |= {f"{a}-{b}".casefold() for a, b in pairwise(parts)}
        self._folded = {word.casefold() for word in self._words}

    def joined(self, text: str, following: str) -> str:
        """``text``, which ends in a hyphen, ready for the line ``following`` to be put after it."""
        broken = _broken_word(text)
        first = _FIRST_WORD.match(following)
        if not broken or first is None:
            return text[:-1] + ("-" if text[-2:-1].isalnum() else "- ")
        if first[0] in _CONJUNCTIONS:
            return text[:-1] + "- "
        return text[:-1] + ("-" if self._stays(broken, first[0]) else "")

    def _stays(self, left: str, right: str) -> bool:
        if not right[0].islower():
            return True
        if f"{left}-{right}".casefold() in self._hyphenated:
            return True
        if (left + right).casefold() in self._folded:
            return False
        return (
            min(len(left), len(right)) >= _WORD_CHARS
            and left.casefold() in self._folded
            # German nouns are capitalised: "tür" after "Haus-" is no word of its own.
            and right in self._words
            and left.casefold() not in _OPENERS
        )


def ends_hyphenated(text: str) -> bool:
    """Whether a line ends in a hyphen, after a letter or a figure."""
    if text.endswith(LINE_END_MARK):
        return True
    return text.endswith(_HYPHENS) and _WORD_SIGN.match(text[-2:]) is not None


def _broken_word(text: str) -> str:
    """Letters before the hyphen that ``text`` ends in; empty where it ends otherwise."""
    if not text.endswith(_HYPHENS):
        return ""
    letters = _LAST_LETTERS.search(text, max(0, len(text) - _LONGEST_WORD), len(text) - 1)
    return letters[0] if letters else ""
