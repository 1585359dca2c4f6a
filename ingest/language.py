"""Majority language of a text: by script where the script tells, else by py3langid."""

import re

from ingest.write_limit import writing_allowed

_KANA = re.compile(r"[\u3040-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7af]")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_LETTER = re.compile(r"[^\W\d_]")
_SAMPLE_CHARS = 4000
_LEAST_LETTERS = 60
"""Below this the statistical identifier is wrong too often to be asked."""


def detect_language(text: str, *, expected: tuple[str, ...] = ()) -> str:
    """ISO 639-1 code, ``und`` if it cannot be told; Latin text is in one of ``expected`` if any."""
    sample = _sample(text)
    by_script = script_language(sample)
    if by_script:
        return by_script
    n_letters = len(_LETTER.findall(sample))
    if n_letters == 0:
        return "und"
    if n_letters < _LEAST_LETTERS:
        if len(expected) == 1:
            return expected[0]
        return "en" if sample.isascii() else "und"
    import py3langid

    with writing_allowed():  # the first time, it unpacks its model through a nameless file
        ranked = [str(language) for language, _ in py3langid.rank(sample)]
    return next((language for language in ranked if language in expected), ranked[0])


def script_language(text: str) -> str:
    """Language told by a CJK script that makes up a fifth of the letters; empty: no such script."""
    n_letters = len(_LETTER.findall(text))
    n_kana, n_hangul, n_han = (len(p.findall(text)) for p in (_KANA, _HANGUL, _HAN))
    # One Han or kana character says about as much as two and a half Latin letters.
    if n_letters == 0 or 2.5 * (n_kana + n_hangul + n_han) < 0.3 * n_letters:
        return ""
    if n_hangul > n_kana + n_han:
        return "ko"
    return "ja" if n_kana > 0.1 * (n_kana + n_han) else "zh"


def _sample(text: str) -> str:
    """Beginning and middle: front pages are often in another language than what follows."""
    if len(text) <= 2 * _SAMPLE_CHARS:
        return text
    middle = len(text) // 2
    return text[:_SAMPLE_CHARS] + text[middle : middle + _SAMPLE_CHARS]
