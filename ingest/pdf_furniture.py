"""Running headers and footers: lines that come back at one height at the edge of the pages."""

import re
import statistics
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from corpora.document import SegmentRole
from ingest.pdf_lines import Line

_NUMBER = re.compile(r"\d+|^[ivxlc]+$")
_EDGE_ROWS = 2
_LEAST_REPEATS = 3
_SAME_HEIGHT = 6.0
"""Points."""
_SHORT_DOCUMENT = 2
"""Pages; what runs on both of them must also have white space between it and the text."""
_WHITE_SPACE = 1.0
"""Of the size of letters."""


class _Edge(NamedTuple):
    """A line at the edge of a page."""

    line: int
    page: int
    role: SegmentRole
    height: float
    is_set_off: bool


def furniture(lines: Sequence[Line]) -> dict[int, SegmentRole]:
    """Role of each running header and footer by the index of its line."""
    pages: dict[int, list[int]] = {}
    for index, line in enumerate(lines):
        pages.setdefault(line.box.page, []).append(index)
    is_short = len(pages) <= _SHORT_DOCUMENT
    edges: dict[tuple[SegmentRole, str], list[_Edge]] = {}
    for indices in pages.values():
        for edge in _edges(lines, indices):
            if lines[edge.line].cell is None and (edge.is_set_off or not is_short):
                key = _NUMBER.sub("#", lines[edge.line].text)
                edges.setdefault((edge.role, key), []).append(edge)
    least = _SHORT_DOCUMENT if is_short else _LEAST_REPEATS
    roles: dict[int, SegmentRole] = {}
    for found in edges.values():
        usual = statistics.median_low([edge.height for edge in found])
        same = [edge for edge in found if abs(edge.height - usual) <= _SAME_HEIGHT]
        if len({edge.page for edge in same}) >= least:
            roles |= {edge.line: edge.role for edge in same}
    return roles


def _edges(lines: Sequence[Line], indices: Sequence[int]) -> Iterator[_Edge]:
    """Lines of the first and the last rows of a page."""
    rows: dict[int, list[int]] = {}
    for index in sorted(indices, key=lambda index: lines[index].middle):
        rows.setdefault(round(lines[index].middle), []).append(index)
    downwards = list(rows.values())
    n_top = min(_EDGE_ROWS, len(downwards))
    n_bottom = min(_EDGE_ROWS, len(downwards) - n_top)
    top, bottom = downwards[: n_top + 1], downwards[::-1][: n_bottom + 1]
    sides: tuple[tuple[SegmentRole, list[list[int]], int], ...] = (
        ("header", top, n_top),
        ("footer", bottom, n_bottom),
    )
    for role, outer, n_rows in sides:
        is_set_off = False
        for number in reversed(range(n_rows)):
            row, inner = outer[number], outer[number + 1 : number + 2]
            is_set_off = is_set_off or (bool(inner) and _is_apart(lines, row, inner[0]))
            for index in row:
                line = lines[index]
                yield _Edge(index, line.box.page, role, line.middle, is_set_off)


def _is_apart(lines: Sequence[Line], row: Sequence[int], inner: Sequence[int]) -> bool:
    a, b = lines[row[0]], lines[inner[0]]
    gap = max(a.box.y0, b.box.y0) - min(a.box.y1, b.box.y1)
    return gap > _WHITE_SPACE * max(a.size, b.size)
