"""Ruling lines of a PDF page: the straight edges, level or upright, of what is drawn on it."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ingest.pdf_frame import PageFrame

if TYPE_CHECKING:
    import pypdfium2

TOLERANCE = 3.0
"""Points; the two sides of a drawn line, or cell borders drawn twice, are closer than this."""
_LEAST_LENGTH = 8.0
_MOST_SEGMENTS = 20_000
"""A page with more is a drawing."""
_Segment = tuple[float, float, float, float]


class Rule(NamedTuple):
    """A straight edge: at height ``at`` from ``start`` to ``end`` across, or the same upright."""

    at: float
    start: float
    end: float


class Rules(NamedTuple):
    """All edges of a page."""

    level: list[Rule]
    upright: list[Rule]


def page_rules(page: "pypdfium2.PdfPage", frame: PageFrame) -> Rules:
    """The ruling lines of ``page``; none of a page that is a drawing."""
    level: list[Rule] = []
    upright: list[Rule] = []
    for number, segment in enumerate(_segments(page)):
        if number == _MOST_SEGMENTS:
            return Rules([], [])
        x0, y0, x1, y1 = frame.place(*segment)
        if y1 - y0 < 1.0 < x1 - x0:
            level.append(Rule((y0 + y1) / 2, x0, x1))
        elif x1 - x0 < 1.0 < y1 - y0:
            upright.append(Rule((x0 + x1) / 2, y0, y1))
    return Rules(_merged(level), _merged(upright))


def _segments(page: "pypdfium2.PdfPage") -> Iterator[_Segment]:
    """Straight segments of all paths that are stroked or filled, in the page's coordinates."""
    import ctypes

    import pypdfium2.raw as pdfium

    fill, stroke = ctypes.c_int(), ctypes.c_int()
    x, y = ctypes.c_float(), ctypes.c_float()
    for path in _paths(page):
        pdfium.FPDFPath_GetDrawMode(path, ctypes.byref(fill), ctypes.byref(stroke))
        if not fill.value and not stroke.value:
            continue
        matrix = path.get_matrix()
        first = current = (0.0, 0.0)
        for index in range(pdfium.FPDFPath_CountSegments(path)):
            segment = pdfium.FPDFPath_GetPathSegment(path, index)
            pdfium.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y))
            point = matrix.on_point(x.value, y.value)
            kind = pdfium.FPDFPathSegment_GetType(segment)
            if kind == pdfium.FPDF_SEGMENT_MOVETO:
                first = point
            elif kind == pdfium.FPDF_SEGMENT_LINETO:
                yield (*current, *point)
            current = point
            if pdfium.FPDFPathSegment_GetClose(segment):
                yield (*current, *first)
                current = first


def _paths(page: "pypdfium2.PdfPage") -> Iterator["pypdfium2.PdfObject"]:
    """Drawn paths of the page itself; its many text objects are passed over as they are."""
    import pypdfium2
    import pypdfium2.raw as pdfium

    for index in range(pdfium.FPDFPage_CountObjects(page)):
        painted = pdfium.FPDFPage_GetObject(page, index)
        if pdfium.FPDFPageObj_GetType(painted) == pdfium.FPDF_PAGEOBJ_PATH:
            yield pypdfium2.PdfObject(painted, page=page, pdf=page.pdf)


def _merged(rules: Sequence[Rule]) -> list[Rule]:
    """Rules that lie on each other or go on with each other made one."""
    merged: list[Rule] = []
    row: list[Rule] = []
    for rule in sorted(rules):
        if row and rule.at - row[0].at > TOLERANCE:
            merged += _joined(row)
            row = []
        row.append(rule)
    merged += _joined(row)
    return [rule for rule in merged if rule.end - rule.start >= _LEAST_LENGTH]


def _joined(row: Sequence[Rule]) -> list[Rule]:
    joined: list[Rule] = []
    for rule in sorted(row, key=lambda each: each.start):
        before = joined[-1] if joined else None
        if before is not None and rule.start - before.end <= TOLERANCE:
            joined[-1] = Rule(before.at, before.start, max(before.end, rule.end))
        else:
            joined.append(rule)
    return joined
