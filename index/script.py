"""Writing systems: which one a language uses, and which one a text is mostly written in."""

import unicodedata
from collections import Counter
from functools import lru_cache

_SCRIPT_OF_LANGUAGE = {
    **dict.fromkeys(("zh", "ja", "ko"), "CJK"),
    **dict.fromkeys(("ru", "uk", "bg", "sr", "mk", "be", "kk", "mn"), "CYRILLIC"),
    **dict.fromkeys(("ar", "fa", "ur", "ps", "ug"), "ARABIC"),
    **dict.fromkeys(("hi", "mr", "ne", "sa"), "DEVANAGARI"),
    "bn": "BENGALI",
    "el": "GREEK",
    "he": "HEBREW",
    "hy": "ARMENIAN",
    "ka": "GEORGIAN",
    "km": "KHMER",
    "lo": "LAO",
    "my": "MYANMAR",
    "ta": "TAMIL",
    "te": "TELUGU",
    "th": "THAI",
}
_CJK = {"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC", "KATAKANA-HIRAGANA"}
_UNSPACED = {"CJK", "THAI", "LAO", "KHMER", "MYANMAR"}
"""Scripts written without spaces between words, so that words cannot be read off the text."""


def script_of_language(language: str) -> str | None:
    """Script of an ISO 639-1 code, Latin unless listed; None for ``und``."""
    return None if language == "und" else _SCRIPT_OF_LANGUAGE.get(language, "LATIN")


@lru_cache(maxsize=65536)
def script_of_character(character: str) -> str | None:
    """Script of a letter or mark, Chinese, Japanese and Korean as one; None for anything else."""
    if not (character.isalpha() or unicodedata.category(character).startswith("M")):
        return None
    first_word = unicodedata.name(character, "").partition(" ")[0]
    return "CJK" if first_word in _CJK else first_word or None


def script_of_text(text: str) -> str | None:
    """Script of most of the text; None for a text without letters.

    A CJK character counts double: it carries about what half a Latin word does, and Chinese
    questions are full of Latin names.
    """
    counts: Counter[str] = Counter()
    for character in text:
        script = script_of_character(character)
        if script is not None:
            counts[script] += 2 if script == "CJK" else 1
    if not counts:
        return None
    return min(counts, key=lambda script: (-counts[script], script))


def is_unspaced(character: str) -> bool:
    """True for characters of scripts that do not separate words."""
    return script_of_character(character) in _UNSPACED
