"""Words and numbers in the graphics of a PPTX slide: charts as table rows, SmartArt as points."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_D = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_MADE_POINTS = {"pres", "parTrans", "sibTrans"}
"""Points of a diagram that PowerPoint makes for its layout."""


def shown_text(paragraph: "_Element") -> str:
    """Text of a DrawingML paragraph, line breaks as line feeds."""
    parts = []
    for node in paragraph.iter(f"{_A}t", f"{_A}br", f"{_A}tab", f"{_M}t"):
        parts.append("\n" if node.tag == f"{_A}br" else node.text or " " * (node.tag == f"{_A}tab"))
    return "".join(parts)


def diagram_points(data: "_Element") -> Iterator[str]:
    """Texts of a SmartArt's points in the order of its data."""
    for point in data.iter(f"{_D}pt"):
        if point.get("type") not in _MADE_POINTS:
            yield " ".join(shown_text(paragraph) for paragraph in point.iter(f"{_A}p"))


def chart_caption(chart: "_Element") -> str:
    """The chart's own title, empty if it has none."""
    title = chart.find(f"{_C}chart/{_C}title")
    if title is None:
        return ""
    return " ".join(shown_text(paragraph) for paragraph in title.iter(f"{_A}p"))


def chart_rows(chart: "_Element") -> list[list[str]]:
    """One row for each category with the value of every series, the series' names above.

    Values are those the file keeps for showing; a chart without them gives no rows.
    """
    names = [""]
    columns: list[dict[int, str]] = [{}]
    for series in chart.iter(f"{_C}ser"):
        names.append(next(iter(_points(series, f"{_C}tx").values()), ""))
        columns.append(_points(series, f"{_C}val") or _points(series, f"{_C}yVal"))
        if not columns[0]:
            columns[0] = _points(series, f"{_C}cat") or _points(series, f"{_C}xVal")
    indices = sorted({index for column in columns[1:] for index in column})
    rows = [[column.get(index, "") for column in columns] for index in indices]
    return [names, *rows] if rows else []


def _points(series: "_Element", tag: str) -> dict[int, str]:
    found = {}
    for node in series.iterfind(tag):
        for point in node.iter(f"{_C}pt"):
            index = point.get("idx") or ""
            if index.isdecimal():
                found[int(index)] = (point.findtext(f"{_C}v") or "").strip()
    return found
