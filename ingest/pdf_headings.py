"""Which lines of a PDF are headings: those in its outline, else those set larger than the body."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from ingest.pdf_lines import Line

_NOT_LETTERS = re.compile(r"[\W_\d]+")
_ENDS_SENTENCE = re.compile(r"[.!?;:。！？；]\s*$")
_HEADING_CHARS = 150
_LARGER = 1.18
"""Times the body's size; smaller differences come from mixed fonts."""
_MOST_LEVELS = 4


class OutlineEntry(NamedTuple):
    """A bookmark: its title, depth from 1, and the page it leads to, from 1."""

    title: str
    level: int
    page: int


def heading_levels(lines: Sequence[Line], outline: Sequence[OutlineEntry]) -> dict[int, int]:
    """Level of each heading by the line's index."""
    return _by_outline(lines, outline) or _by_size(lines)


def _by_outline(lines: Sequence[Line], outline: Sequence[OutlineEntry]) -> dict[int, int]:
    levels: dict[int, int] = {}
    at_page: dict[int, list[int]] = {}
    for index, line in enumerate(lines):
        if line.cell is None:
            at_page.setdefault(line.box.page, []).append(index)
    for entry in outline:
        wanted = _letters(entry.title)
        for index in at_page.get(entry.page, []):
            if wanted and index not in levels and _letters(lines[index].text) == wanted:
                levels[index] = entry.level
                break
    return levels


def _by_size(lines: Sequence[Line]) -> dict[int, int]:
    weights: Counter[float] = Counter()
    for line in lines:
        weights[round(line.size)] += len(line.text)
    body = max(weights, key=lambda size: (weights[size], -size)) if weights else 0.0
    large = {
        index: round(line.size)
        for index, line in enumerate(lines)
        if line.size > _LARGER * body
        and len(line.text) <= _HEADING_CHARS
        and len(_letters(line.text)) >= 2
        and not _ENDS_SENTENCE.search(line.text)
        and not line.hidden
        and line.cell is None
    }
    sizes = sorted(set(large.values()), reverse=True)
    return {index: min(sizes.index(size) + 1, _MOST_LEVELS) for index, size in large.items()}


def _letters(text: str) -> str:
    """Letters alone: outline and page differ in numbers and blanks."""
    return _NOT_LETTERS.sub("", text).casefold()
