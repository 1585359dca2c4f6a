"""Numerals: every way a number or date may be written, brought to comparable readings.

A numeral can have several readings (``1.234`` is a decimal here and grouped there); two numerals
agree if they share one.
"""

import re
import unicodedata
from decimal import Decimal
from typing import NamedTuple

_SCALES = {
    "hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "bn": 10**9,
    "trillion": 10**12, "百": 100, "千": 1000, "万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8,
    "百万": 10**6, "千万": 10**7,
}  # fmt: skip
_WORDS = {
    word: value
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ]
    )
} | {
    word: 10 * value
    for value, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], start=2
    )
}
_HAN_DIGITS = {digit: value for value, digit in enumerate("〇一二三四五六七八九")} | {
    "零": 0, "两": 2, "兩": 2,
}  # fmt: skip
_HAN_UNITS = {"十": 10, "百": 100, "千": 1000, "万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_MONTHS = {
    name: number
    for number, names in enumerate(
        [
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sept sep",
            "october oct",
            "november nov",
            "december dec",
        ],
        start=1,
    )
    for name in names.split()
}
MONTH_NAMES = frozenset(_MONTHS)

_GROUP = r"[,.'’ ]"
_NUMERAL = re.compile(
    rf"(?<![\d.,])(\d{{1,3}}(?:{_GROUP}\d{{3}})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*)"
    r"(?:[\s-]?(百万|千万|[百千万萬亿億]|(?:hundred|thousand|million|billion|trillion|bn)\b))?",
    re.IGNORECASE,
)
_WORD_NUMERAL = re.compile(
    r"\b(" + "|".join(sorted(_WORDS, key=len, reverse=True)) + r")\b"
    r"(?:[\s-](one|two|three|four|five|six|seven|eight|nine)\b)?"
    r"(?:[\s-](hundred|thousand|million|billion|trillion)\b)?",
    re.IGNORECASE,
)
_HAN_NUMERAL = re.compile("[" + "".join([*_HAN_DIGITS, *_HAN_UNITS]) + "]+")
# capitalised: "may" is a month only as "May"
_NAMED = sorted((form for name in _MONTHS for form in (name.title(), name.upper())), key=len)
_MONTH = "(" + "|".join(reversed(_NAMED)) + r")\b\.?"
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_DATES = tuple(
    (re.compile(pattern), order)
    for pattern, order in (
        (r"(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)", "ymd"),
        (r"(?<!\d)(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?!\d)", "dmy"),
        (r"(?<!\d)(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]", "ymd"),
        (r"(?<!\d)(\d{4})\s*年\s*(\d{1,2})\s*月", "ym"),
        (r"(?<!\d)(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]", "md"),
        (rf"\b{_DAY}\s+(?:of\s+)?{_MONTH},?\s+(\d{{4}})\b", "dMy"),
        (rf"\b{_MONTH}\s+{_DAY},?\s+(\d{{4}})\b", "Mdy"),
        (rf"\b{_MONTH},?\s+(?:of\s+)?(\d{{4}})\b", "My"),
        (rf"\b{_DAY}\s+(?:of\s+)?{_MONTH}(?!\w)", "dM"),
        (rf"\b{_MONTH}\s+{_DAY}\b(?!,?\d)", "Md"),
    )
)
"""The more complete forms first: what one has taken, the next does not see."""


class Date(NamedTuple):
    """A calendar date as far as it is written."""

    year: int | None
    month: int
    day: int | None


class Numeral(NamedTuple):
    """A number as written, with what it may mean."""

    text: str
    readings: frozenset[str]


def fold(text: str) -> str:
    """NFKC, which makes full-width digits plain ones."""
    return unicodedata.normalize("NFKC", text)


def take_dates(text: str) -> tuple[list[tuple[str, Date]], str]:
    """(dates as written and as read, the folded text with blanks in their place)."""
    rest = fold(text)
    found: list[tuple[str, Date]] = []
    for pattern, order in _DATES:
        for match in pattern.finditer(rest):
            parts: dict[str, int] = {}
            for key, value in zip(order, match.groups(), strict=True):
                parts[key.lower() if key != "M" else "m"] = (
                    _MONTHS[value.lower()] if key == "M" else int(value)
                )
            date = Date(parts.get("y"), parts["m"], parts.get("d"))
            if 1 <= date.month <= 12 and (date.day is None or 1 <= date.day <= 31):
                found.append((match.group().strip(), date))
        rest = pattern.sub(lambda match: " " * len(match.group()), rest)
    return found, rest


def digit_numerals(text: str) -> list[Numeral]:
    """Numbers written with digits, scale words applied (``2.5 million``, ``30万``)."""
    found = []
    for match in _NUMERAL.finditer(fold(text)):
        written, scale = match.groups()
        factor = _SCALES[scale.lower()] if scale else 1
        readings = {_plain(Decimal(value) * factor) for value in _values(written)}
        found.append(Numeral(match.group().strip(), frozenset(readings)))
    return found


def word_numerals(text: str) -> list[Numeral]:
    """Numbers written as words, English up to 99 with a scale, Chinese in digits or units."""
    folded = fold(text)
    found = []
    for match in _WORD_NUMERAL.finditer(folded):
        word, unit, scale = (part.lower() if part else "" for part in match.groups())
        value = _WORDS[word] + (_WORDS[unit] if unit else 0)
        found.append(Numeral(match.group(), frozenset({str(value * _SCALES.get(scale, 1))})))
    for match in _HAN_NUMERAL.finditer(folded):
        found.append(Numeral(match.group(), frozenset({str(_han_value(match.group()))})))
    return found


def _values(written: str) -> set[str]:
    compact = re.sub(r"['’ ]", "", written)
    marks = [c for c in compact if c in ",."]
    if not marks:
        return {compact}
    values = set()
    if re.fullmatch(r"\d{1,3}(?:[,.]\d{3})+", compact) and len(set(marks)) == 1:
        values.add(re.sub("[,.]", "", compact))
    if len(marks) == 1:
        values.add(compact.replace(",", "."))
    elif len(set(marks)) == 2 and marks.count(marks[-1]) == 1:
        whole, _, part = compact.rpartition(marks[-1])
        values.add(re.sub("[,.]", "", whole) + "." + part)
    if not values:
        # neither grouped nor decimal (1.2.3, 4,5,6): each run of digits stands for itself
        values.add(re.sub("[,.]", "", compact))
    return values


def _plain(value: Decimal) -> str:
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _han_value(text: str) -> int:
    if all(character in _HAN_DIGITS for character in text):
        return int("".join(str(_HAN_DIGITS[character]) for character in text))
    total = section = digit = 0
    for character in text:
        if character in _HAN_DIGITS:
            digit = _HAN_DIGITS[character]
            continue
        unit = _HAN_UNITS[character]
        if unit >= 10**4:
            total += (section + digit or 1) * unit
            section = digit = 0
        else:
            section += (digit or 1) * unit
            digit = 0
    return total + section + digit
