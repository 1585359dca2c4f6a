"""Soft hyphens where a long word may be broken at the end of a line."""

import re

VOWEL = "aeiouyäöü"
CONSONANT = "bcdfghjklmnpqrstvwxzß"
BETWEEN_CONSONANTS = re.compile(
    rf"(?<=[a-zäöüß][{VOWEL}][{CONSONANT}])"
    r"(?!(?<=[cgkprstw])h|(?<=c)k|(?<=n)g|(?<=[bcdfgkptw])r|(?<=[bcfgkps])l|(?<=[dst])w)"
    rf"(?=[{CONSONANT}][{VOWEL}][a-zäöüß]{{2}})"
    r"(?!.ings?\b)",
    re.IGNORECASE,
)


def with_soft_hyphens(text: str) -> str:
    """The text with U+00AD between two consonants that stand between vowels: ``consul-tation``.

    At least three letters stay before the place and four behind it, and no pair is parted that is
    one sound (``ch``, ``tr``). It misses many places and knows no exceptions. Why not a dictionary
    of patterns: a demo's lines need some breaks, not all of them.
    """
    return BETWEEN_CONSONANTS.sub("\u00ad", text)
