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
_ENDS_HYPHENATED = re.compile(r"([^\W\d_]+)[-\u2010\u00ad\x02]$")
_ENDS_IN_HYPHEN = re.compile(r"\w[-\u2010\u00ad]$")
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
        for before, line in pairwise(["", *lines]):
            whole = _ENDS_HYPHENATED.sub("", line)
            if _ENDS_HYPHENATED.search(before):
                whole = _FIRST_WORD.sub("", whole, count=1)
            for word in _WORD.findall(whole):
                parts = word.replace("\u2010", "-").split("-")
                self._words.update({word} if len(parts) == 1 else ())
                self._hyphenated |= {f"{a}-{b}".casefold() for a, b in pairwise(parts)}
        self._folded = {word.casefold() for word in self._words}

    def joined(self, text: str, following: str) -> str:
        """``text``, which ends in a hyphen, ready for the line ``following`` to be put after it."""
        ending = _ENDS_HYPHENATED.search(text)
        first = _FIRST_WORD.match(following)
        if ending is None or first is None:
            return text[:-1] + ("-" if text[-2:-1].isalnum() else "- ")
        if first[0] in _CONJUNCTIONS:
            return text[:-1] + "- "
        return text[:-1] + ("-" if self._stays(ending[1], first[0]) else "")

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
    return text.endswith(LINE_END_MARK) or _ENDS_IN_HYPHEN.search(text) is not None
