"""Titles: the keys under which documents and sections are mentioned, and where a text does so."""

import re
from collections.abc import Iterable, Iterator, Sequence

from index.names import MOST_WORDS, Word, key_of, words_of

_BRACKET_AT_END = re.compile(r"\s*[(（\[][^()（）\[\]]*[)）\]]\s*$")


def title_keys(title: str) -> tuple[str, ...]:
    """Keys of a title: as it stands, and without a bracket at its end; none of a mere number."""
    forms = dict.fromkeys((title, _BRACKET_AT_END.sub("", title)))
    keys = {
        key_of(words): None
        for words in map(words_of, forms)
        if 0 < len(words) <= MOST_WORDS and not all(word.text.isdigit() for word in words)
    }
    return tuple(keys)


class Titles:
    """A set of keys, looked up in running text."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._keys = frozenset(keys)
        self._longest: dict[str, int] = {}  # first two words → words of the longest such key
        for key in self._keys:
            words = key.split(" ")
            begins = " ".join(words[:2])
            self._longest[begins] = max(len(words), self._longest.get(begins, 0))

    def mentioned(self, text: str, words: Sequence[Word]) -> Iterator[str]:
        """The longest titles in ``text``; a single word counts only where it is no lower case."""
        at = 0
        while at < len(words):
            key, length = self._at(text, words, at)
            if length:
                yield key
            at += max(1, length)

    def _at(self, text: str, words: Sequence[Word], at: int) -> tuple[str, int]:
        for n in range(
            min(self._longest.get(key_of(words[at : at + 2]), 0), len(words) - at), 1, -1
        ):
            key = key_of(words[at : at + n])
            if key in self._keys:
                return key, n
        word = words[at]
        is_name = word.text in self._keys and not text[word.start].islower()
        return word.text, 1 if is_name else 0
