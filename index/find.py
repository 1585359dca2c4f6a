"""Finding a text inside a document: exactly, else with case, width, spaces and quotes folded."""

import unicodedata
from functools import lru_cache

_SAME = str.maketrans("‘’‚‛“”„‟‐‑‒–—―−", "''''\"\"\"\"-------")
"""Models and keyboards write straight quotes and hyphens where print has others."""


def find_spans(document_text: str, text: str) -> list[tuple[int, int]]:
    """Spans of ``document_text`` that read ``text``, in order, without overlap.

    Folded matches are looked for only where there is no exact one.
    """
    wanted = unicodedata.normalize("NFC", text).strip()
    if not wanted:
        return []
    exact = [(at, at + len(wanted)) for at in _occurrences(document_text, wanted)]
    if exact:
        return exact
    folded, origins = _fold(document_text)
    needle = _fold(wanted)[0].strip()
    if not needle:
        return []
    return [(origins[at], origins[at + len(needle) - 1] + 1) for at in _occurrences(folded, needle)]


def _occurrences(text: str, wanted: str) -> list[int]:
    found: list[int] = []
    at = text.find(wanted)
    while at >= 0:
        found.append(at)
        at = text.find(wanted, at + len(wanted))
    return found


def _fold(text: str) -> tuple[str, list[int]]:
    """The folded text and, for each of its characters, the position it comes from."""
    characters: list[str] = []
    origins: list[int] = []
    for position, character in enumerate(text):
        for folded in _fold_character(character):
            if folded == " " and characters and characters[-1] == " ":
                continue
            characters.append(folded)
            origins.append(position)
    return "".join(characters), origins


@lru_cache(maxsize=65536)
def _fold_character(character: str) -> str:
    """NFKC, case folding; white space as one blank, invisible characters as nothing."""
    if unicodedata.category(character) == "Cf":
        return ""
    folded = unicodedata.normalize("NFKC", character).casefold().translate(_SAME)
    return "".join(" " if c.isspace() else c for c in folded)
