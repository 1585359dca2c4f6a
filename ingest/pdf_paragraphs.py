"""Paragraphs of a PDF: which lines go on with the one before.

A line that ends early does so by accident (the next word did not fit) or on purpose (the paragraph
is over, or each line is one of its own). The first word of the next line tells: had it fitted,
the line was ended on purpose. Why not by a share of the width: ragged and narrow columns end lines
anywhere.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from ingest.pdf_hyphens import ends_hyphenated
from ingest.pdf_lines import Line

BULLET = re.compile(r"\s*(?:[•‣◦▪■●\uf0b7]|[-–*](?=\s)|\(?\d{1,2}[.)](?=\s)|[a-z]\)(?=\s))\s*")
WIDE = re.compile(r"[\u3000-\u303f\u3040-\u30ff\u3400-\u9fff\uff00-\uffef]")
_ENDS_SENTENCE = re.compile(r"""[.!?:。！？：]["'”’»)\]」』]*$""")
_LEADER = re.compile(r"(?:\.[ \u00a0]?){4,}[ \u00a0]*\w{0,6}$")
"""Dots up to a page number: a line of a table of contents."""
_NUMBERED = re.compile(r"\d{1,3}(?:\.\d{1,3})+\.?\s|§\s*\d|[A-Z]\.\d")
"""The number of a clause."""
_USUAL_SPACING = 1.2
_WIDER = 1.35
"""Times the usual distance of lines; more parts paragraphs."""
_OTHER_SIZE = 0.15
_INDENT = 0.7
"""Of the size of letters."""
_SAME_COLUMN = 4.0
"""Times the size of letters; how far lines of one column are indented at most."""
_LEAST_LINES = 4
"""Of a column that a sentence runs on from; what ends a shorter one may be a heading."""
_MARGIN = 1.5
"""Points."""
_BLANK = 0.2
"""Of the size of letters; the width of a blank, rather less."""


class _Column(NamedTuple):
    """Lines of a region that are set alike."""

    right: float
    n_lines: int
    is_verse: bool
    """Whether most lines end on purpose, though no sentence ends with them."""


class LineFlow:
    """How the lines of one document follow each other."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._spacing = _line_spacing(lines)
        self._columns: dict[tuple[int, int, float, float], _Column] = {}
        self._regions: dict[tuple[int, int], list[Line]] = {}
        for line in lines:
            if line.cell is None:
                self._regions.setdefault((line.box.page, line.region), []).append(line)

    def continues(self, before: Line, line: Line) -> bool:
        """Whether ``line`` goes on with the paragraph of ``before``."""
        if before.hidden != line.hidden or BULLET.match(line.text) or _LEADER.search(before.text):
            return False
        if before.is_spaced or line.is_spaced:
            return False
        first = line.text.lstrip()[:1]
        is_open = ends_hyphenated(before.text) or not _ENDS_SENTENCE.search(before.text)
        goes_on = is_open and (
            first.islower() or ends_hyphenated(before.text) or bool(WIDE.match(first))
        )
        if not _is_same_size(before, line):
            return False
        is_full = self._is_full(before, line)
        if (before.box.page, before.region) != (line.box.page, line.region):
            return goes_on or (is_open and is_full and self._column(before).n_lines >= _LEAST_LINES)
        step = line.middle - before.middle
        if step < 0 or step > _WIDER * self._spacing * before.size:
            return step < 0 and goes_on
        if is_open:
            return goes_on or is_full
        return is_full and not self._is_indented(before, line) and not _NUMBERED.match(line.text)

    def _is_full(self, before: Line, line: Line) -> bool:
        """Whether the first word of ``line`` had no room at the end of ``before``."""
        column = self._column(before)
        # The longest of many lines that end on purpose has ended on purpose too.
        return not column.is_verse and not _fits(before, line, column.right)

    def _column(self, line: Line) -> _Column:
        key = line.box.page, line.region, line.box.x0, line.size
        if key not in self._columns:
            self._columns[key] = _column(line, self._regions[line.box.page, line.region])
        return self._columns[key]

    def _is_indented(self, before: Line, line: Line) -> bool:
        """Whether ``line`` begins further right than ``before``, as a new paragraph may."""
        return line.box.x0 - before.box.x0 > _INDENT * line.size and not BULLET.match(before.text)


def _column(line: Line, region: Sequence[Line]) -> _Column:
    """What ``line`` has in common with the lines of its region that are set like it."""
    column = [
        other
        for other in region
        if abs(other.box.x0 - line.box.x0) < _SAME_COLUMN * max(line.size, 1.0)
        and _is_same_size(other, line)
    ]
    right = max(other.box.x1 for other in column)
    pairs = [(a, b) for a, b in pairwise(column) if a.middle < b.middle]
    n_ended = sum(not _ENDS_SENTENCE.search(a.text) and _fits(a, b, right) for a, b in pairs)
    # Where several lines end at the same point, that is the margin they are set to.
    is_justified = sum(right - other.box.x1 < _MARGIN for other in column) >= _LEAST_LINES - 1
    return _Column(right, len(column), not is_justified and 2 * n_ended >= max(len(pairs), 1))


def _fits(before: Line, line: Line, right: float) -> bool:
    return before.box.x1 + _BLANK * line.size + line.first_width <= right


def _is_same_size(line: Line, other: Line) -> bool:
    return abs(line.size - other.size) <= _OTHER_SIZE * max(line.size, other.size)


def _line_spacing(lines: Sequence[Line]) -> float:
    """Distance of two lines of a paragraph, in line heights."""
    steps = [
        (after.middle - before.middle) / before.size
        for before, after in pairwise(lines)
        if (before.box.page, before.region) == (after.box.page, after.region)
        and before.size > 0
        and _is_same_size(before, after)
        and before.cell is None
        and after.cell is None
    ]
    usual = [step for step in steps if 0.7 < step < 3]
    # In a document of short paragraphs most steps are those between paragraphs.
    return sorted(usual)[len(usual) // 5] if usual else _USUAL_SPACING
