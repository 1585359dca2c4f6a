"""Snowball stems, one stemmer per thread and language."""

import threading
from typing import Protocol, cast

_ALGORITHMS = {
    "ar": "arabic",
    "ca": "catalan",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "porter",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "sv": "swedish",
    "tr": "turkish",
}
"""English takes Porter, the stemmer that published BM25 baselines are measured with."""

_threads = threading.local()


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...


def stem(word: str, language: str) -> str:
    """The stem of a case-folded word; the word itself for languages without a stemmer."""
    algorithm = _ALGORITHMS.get(language)
    if algorithm is None:
        return word
    stemmers = cast("dict[str, _Stemmer]", _threads.__dict__)
    # A stemmer object keeps state between calls, so it must not be shared between threads.
    if algorithm not in stemmers:
        import Stemmer

        stemmers[algorithm] = Stemmer.Stemmer(algorithm)
    return stemmers[algorithm].stemWord(word)
