"""Answers as tokens: the form in which answers are compared, for alphabets and for Chinese.

Compatibility forms folded (full-width letters and digits are plain ones), lower case, one form for
each number, punctuation and articles removed, blanks collapsed; each CJK character is a token of
its own.

Source: the evaluation scripts of SQuAD 1.1 and HotpotQA (order: lower case, punctuation, articles,
blanks) and, for German articles and Chinese characters, of MLQA. Three differences: Unicode's
punctuation is stripped and not ASCII's alone, so that ``“Rush”`` and ``北京。`` match; a decimal
mark stays, so that 3.5 is not 35; thousands may be set apart by blanks as well as by marks.
"""

import re
import string
import unicodedata

ENGLISH_ARTICLES = frozenset({"a", "an", "the"})
ARTICLES = {
    "de": frozenset({"der", "die", "das", "den", "dem", "des"})
    | frozenset({"ein", "eine", "einen", "einem", "eines", "einer"}),
}
"""Articles of languages that have their own; all others lose the English ones, as in names."""
_TOKEN = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|[^\s\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+"
)
_MARKS = ",."
_SPACED_THOUSANDS = re.compile(r"(?<![0-9a-z,.])[1-9][0-9]{0,2}(?: [0-9]{3})+(?![0-9a-z])")
_SEVERAL_MARKS = re.compile(r"[,.]{2,}")
_MARKED_NUMBER = re.compile(r"[0-9]+(?:[,.][0-9]+)+")
_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+|[1-9][0-9]{0,2}(?:\.[0-9]{3})+")
_DECIMAL = re.compile(
    r"(?P<whole>[0-9]+|[1-9][0-9]{0,2}(?:,[0-9]{3})+|[1-9][0-9]{0,2}(?:\.[0-9]{3})+)"
    r"[,.](?P<fraction>[0-9]+)"
)
_DECIMAL_MARK = "\N{MIDDLE DOT}"
"""Stands for the mark while punctuation is stripped; NFKC leaves it alone."""


def answer_tokens(text: str, *, language: str = "en") -> list[str]:
    """The tokens of an answer; ``language`` (ISO 639-1) says which words are articles.

    >>> answer_tokens("The  Beatles!")
    ['beatles']
    >>> answer_tokens("北京 (Peking)")
    ['北', '京', 'peking']
    >>> answer_tokens("die 1.250,5 km", language="de") == answer_tokens("1,250.5 km")
    True
    """
    lowered = unicodedata.normalize("NFKC", text).lower().replace(_DECIMAL_MARK, "")
    joined = _SPACED_THOUSANDS.sub(lambda found: found[0].replace(" ", ""), lowered)
    marked = "".join(character for character in joined if not _is_removed(character))
    # What stood between two digits may be gone now, so numbers are read only here.
    numbers = _MARKED_NUMBER.sub(_one_form, _SEVERAL_MARKS.sub("", marked))
    kept = numbers.translate({ord(mark): None for mark in _MARKS}).replace(_DECIMAL_MARK, ".")
    # Characters that punctuation held apart may compose now.
    composed = unicodedata.normalize("NFKC", kept)
    articles = ARTICLES.get(language, ENGLISH_ARTICLES)
    return [token for token in _TOKEN.findall(composed) if token not in articles]


def _one_form(number: re.Match[str]) -> str:
    """1,000 and 1.000 as 1000; 3,5 and 3.5 alike; anything else (dates, versions) as its digits.

    A lone mark before exactly three digits is read as thousands: 1.250 is 1250 in any language.
    """
    text = number[0]
    decimal = None if _THOUSANDS.fullmatch(text) else _DECIMAL.fullmatch(text)
    if decimal is None:
        return _without_marks(text)
    return _without_marks(decimal["whole"]) + _DECIMAL_MARK + decimal["fraction"]


def _without_marks(number: str) -> str:
    return number.replace(",", "").replace(".", "")


def _is_removed(character: str) -> bool:
    if character in _MARKS:
        return False
    return character in string.punctuation or unicodedata.category(character).startswith("P")
