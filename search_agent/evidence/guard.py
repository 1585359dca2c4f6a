"""Guard: facts of a claim that can be compared literally (numbers, dates, negations, names).

A claim that says more of these than its quotes do is at most partly supported, whatever a model or
shared words suggest (research-reports.md §3.7).
"""

import re
from collections.abc import Callable, Sequence

from search_agent.evidence.numerals import (
    MONTH_NAMES,
    Date,
    digit_numerals,
    fold,
    take_dates,
    word_numerals,
)

_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|\w+n['’]t"
    r"|nicht|kein\w*|nie|ohne|sans|jamais|aucune?|nunca|sin)\b"
    r"|[不没沒无無未非否]",
    re.IGNORECASE,
)
# "no." before a number is an abbreviation of "number"
_NUMBER_SIGN = re.compile(r"\b(?:[Nn]o\.|No)\s*(?=\d)")
# a name ends where Chinese, Japanese or Korean begins, which writes no blanks: LZ-7型网布
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WORD = re.compile(rf"[^\W\d_{_CJK}](?:[^\W_{_CJK}]|['’\-](?=[^\W{_CJK}]))+")
_QUOTED = re.compile(r"“([^”]+)”|\"([^\"]+)\"|《([^》]+)》|「([^」]+)」|«([^»]+)»|〈([^〉]+)〉")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;。！？：；]\s*)[\W_]*$")
_IDIOMATIC = 2
"""Number words up to this are too often no number (one of, no one, the two)."""


def missing_facts(
    claim: str,
    quotes: Sequence[str],
    *,
    same_script: bool,
    content_tokens: Callable[[str], Sequence[str]],
) -> tuple[str, ...]:
    """What of the claim the quotes lack, as written in the claim; empty: the guard is passed.

    Across scripts only numbers and dates are compared.
    """
    joined = "\n".join(quotes)
    missing = [*_missing_dates(claim, joined), *_missing_numbers(claim, joined)]
    if same_script:
        if is_negated(claim) and not any(is_negated(quote) for quote in quotes):
            missing.append(_NEGATION.findall(_NUMBER_SIGN.sub("", claim))[0])
        missing += _missing_names(claim, joined, content_tokens)
    return tuple(dict.fromkeys(missing))


def is_negated(text: str) -> bool:
    """Whether the text holds a word of negation."""
    return _NEGATION.search(_NUMBER_SIGN.sub("", text)) is not None


def _numbers(text: str) -> set[str]:
    numerals = [*digit_numerals(text), *word_numerals(text)]
    readings = {reading for numeral in numerals for reading in numeral.readings}
    # the bare digits too: identifiers and dates give theirs, leading zeros dropped
    return readings | {run.lstrip("0") or "0" for run in re.findall(r"\d+", fold(text))}


def _missing_numbers(claim: str, quotes: str) -> list[str]:
    _, rest = take_dates(claim)
    available = _numbers(quotes)
    spelled = [
        numeral
        for numeral in word_numerals(re.sub("[一-鿿〇]", " ", rest))
        if int(min(numeral.readings)) > _IDIOMATIC
    ]
    return [
        numeral.text
        for numeral in [*digit_numerals(rest), *spelled]
        if not numeral.readings & available and not _stands_apart(numeral.text, available)
    ]


def _stands_apart(text: str, available: set[str]) -> bool:
    """``12 300`` may be one number grouped by a blank, or two."""
    runs = text.split(" ")
    return len(runs) > 1 and all(run.isdecimal() and run in available for run in runs)


def _missing_dates(claim: str, quotes: str) -> list[str]:
    stated, _ = take_dates(quotes)
    numbers = _numbers(quotes)
    return [
        text
        for text, date in take_dates(claim)[0]
        if not any(_covers(other, date, numbers) for _, other in stated)
    ]


def _covers(stated: Date, wanted: Date, numbers: set[str]) -> bool:
    """A part that the quote's date leaves open may stand elsewhere in the quotes."""
    if stated.month != wanted.month:
        return False
    pairs = ((stated.year, wanted.year), (stated.day, wanted.day))
    return all(
        want is None or (str(want) in numbers if have is None else have == want)
        for have, want in pairs
    )


def _missing_names(
    claim: str, quotes: str, content_tokens: Callable[[str], Sequence[str]]
) -> list[str]:
    have = fold(quotes).casefold()
    tokens = set(content_tokens(quotes))
    words = {match.group().casefold() for match in _WORD.finditer(fold(quotes))}

    def lacks(name: str) -> bool:
        wanted = content_tokens(name)
        return fold(name).casefold() not in have and not (wanted and set(wanted) <= tokens)

    missing = [
        name
        for match in _QUOTED.finditer(claim)
        if lacks(name := next(group for group in match.groups() if group))
    ]
    _, rest = take_dates(claim)
    for match in _WORD.finditer(rest):
        word = re.sub(r"['’]s$", "", match.group())
        if not word[0].isupper() or _SENTENCE_START.search(rest[: match.start()]):
            continue
        is_stated_month = word.casefold() in MONTH_NAMES and bool(take_dates(quotes)[0])
        if word.casefold() not in words and not is_stated_month and lacks(word):
            missing.append(word)
    return missing
