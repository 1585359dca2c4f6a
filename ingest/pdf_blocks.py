"""Paragraphs of a PDF from its lines: wrapped lines joined, running headers set apart at the end.

Why headers and footers go to the end of the text: a paragraph that runs on over the page then stays
whole, and so do its sentences and chunks.
"""

import re
import statistics
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from corpora.document import PageSpan, SegmentRole
from ingest.canonical import canonical_text
from ingest.extract import BlockKind, Extract, ExtractBuilder, LineBox
from ingest.pdf_headings import OutlineEntry, heading_levels
from ingest.pdf_lines import Line

_BULLET = re.compile(r"\s*(?:[•‣◦▪■●\uf0b7]|[-–*](?=\s)|\(?\d{1,2}[.)](?=\s)|[a-z]\)(?=\s))\s*")
_ENDS_SENTENCE = re.compile(r"""[.!?:。！？：]["'”’»)\]」』]*$""")
_WIDE = re.compile(r"[\u3000-\u303f\u3040-\u30ff\u3400-\u9fff\uff00-\uffef]")
_LEADER = re.compile(r"(?:\.[ \u00a0]?){4,}[ \u00a0]*\w{0,6}$")
"""Dots up to a page number: a line of a table of contents."""
_DIGITS = re.compile(r"\d+")
_EDGE_LINES = 2
_LEAST_REPEATS = 3
_REPEAT_SHARE = 0.3
_USUAL_SPACING = 1.2


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """Lines of one block."""

    lines: tuple[Line, ...]
    level: int
    role: SegmentRole


def build_extract(
    lines: Sequence[Line],
    outline: Sequence[OutlineEntry],
    *,
    title: str,
    date: str | None,
    author: str,
    missing: str,
) -> Extract:
    """The extract of a document's lines, given in page and content order."""
    furniture = _furniture(lines)
    body = [line for index, line in enumerate(lines) if index not in furniture]
    edge = [lines[index] for index in sorted(furniture)]
    roles = [furniture[index] for index in sorted(furniture)]
    levels = heading_levels(body, outline)
    groups = list(_groups(body, levels))
    groups += [
        _Group(lines=(line,), level=0, role=role) for line, role in zip(edge, roles, strict=True)
    ]
    builder = ExtractBuilder()
    boxes: list[LineBox] = []
    for group in groups:
        boxes += _add(builder, group)
    return Extract(
        text=builder.text,
        blocks=tuple(builder.blocks),
        title=title,
        date=date,
        date_source="PDF metadata" if date else None,
        page_spans=_page_spans(boxes, builder.length),
        line_boxes=tuple(boxes),
        metadata={"author": author} if author else {},
        n_replaced=builder.n_replaced,
        missing=missing,
    )


def _furniture(lines: Sequence[Line]) -> dict[int, SegmentRole]:
    """Role of the running headers and footers: lines that repeat at the edge of many pages."""
    pages: dict[int, list[int]] = {}
    for index, line in enumerate(lines):
        pages.setdefault(line.box.page, []).append(index)
    edges: list[tuple[int, SegmentRole, str]] = []
    for indices in pages.values():
        by_height = sorted(indices, key=lambda index: lines[index].box.y0)
        top, bottom = by_height[:_EDGE_LINES], by_height[_EDGE_LINES:][-_EDGE_LINES:]
        edges += [(index, "header", _DIGITS.sub("#", lines[index].text)) for index in top]
        edges += [(index, "footer", _DIGITS.sub("#", lines[index].text)) for index in bottom]
    repeats = Counter((role, key) for _, role, key in edges)
    least = max(_LEAST_REPEATS, _REPEAT_SHARE * len(pages))
    return {index: role for index, role, key in edges if repeats[role, key] >= least}


def _groups(lines: Sequence[Line], levels: dict[int, int]) -> Iterator[_Group]:
    spacing = _line_spacing(lines)
    rights = _right_margins(lines)
    current: list[Line] = []
    level = 0
    for index, line in enumerate(lines):
        line_level = levels.get(index, 0)
        if current:
            is_same = line_level == level and _continues(
                current[-1], line, spacing, rights[index - 1]
            )
            if level:
                is_same = (
                    is_same
                    and line.size == current[-1].size
                    and line.box.page == current[-1].box.page
                )
            if not is_same:
                yield _Group(lines=tuple(current), level=level, role="body")
                current = []
        current.append(line)
        level = line_level
    if current:
        yield _Group(lines=tuple(current), level=level, role="body")


def _line_spacing(lines: Sequence[Line]) -> float:
    """Usual distance of two lines of a paragraph, in line heights."""
    steps = [
        (after.box.y0 - before.box.y0) / before.size
        for before, after in pairwise(lines)
        if before.box.page == after.box.page and before.size > 0
    ]
    usual = [step for step in steps if 0.7 < step < 3]
    return statistics.median(usual) if usual else _USUAL_SPACING


def _right_margins(lines: Sequence[Line]) -> list[float]:
    """Right edge of the column each line stands in."""
    pages: dict[int, list[Line]] = {}
    for line in lines:
        pages.setdefault(line.box.page, []).append(line)
    margins = []
    for line in lines:
        column = [
            other.box.x1
            for other in pages[line.box.page]
            if abs(other.box.x0 - line.box.x0) < 2 * max(line.size, 1.0)
        ]
        margins.append(max(column))
    return margins


def _continues(before: Line, line: Line, spacing: float, right: float) -> bool:
    """Whether ``line`` goes on with the paragraph of ``before``."""
    if before.hidden != line.hidden or _BULLET.match(line.text) or _LEADER.search(before.text):
        return False
    is_open = before.text.endswith("\x02") or not _ENDS_SENTENCE.search(before.text)
    first = line.text.lstrip()[:1]
    goes_on = is_open and (
        first.islower() or before.text.endswith("\x02") or bool(_WIDE.match(first))
    )
    if before.box.page != line.box.page:
        return goes_on
    if abs(line.size - before.size) > 0.15 * max(before.size, line.size):
        return False
    step = line.box.y0 - before.box.y0
    if abs(step) < 0.5 * before.size:
        return True
    if step < 0:  # the next column
        return goes_on
    if step > 1.35 * spacing * before.size:
        return False
    width = right - before.box.x0
    short_by = (right - before.box.x1) / width if width > 0 else 0.0
    if not is_open:
        return short_by < 0.15
    return short_by < 0.4 or goes_on


def _add(builder: ExtractBuilder, group: _Group) -> list[LineBox]:
    bullet = _BULLET.match(group.lines[0].text) if not group.level else None
    text = ""
    spans: list[tuple[int, int, Line]] = []
    for line in group.lines:
        words = canonical_text(line.text).text
        words = words[bullet.end() :] if bullet and not spans else words
        words = " ".join(words.rstrip("\x02").split()) + words[len(words.rstrip("\x02")) :]
        if text:
            text = _joined(text, words)
        start = len(text)
        text += words
        spans.append((start, len(text), line))
    if text.endswith("\x02"):
        text = text[:-1] + "-"
    kind: BlockKind = "heading" if group.level else "list_item" if bullet else "paragraph"
    block = builder.add(
        text, kind, level=group.level, role=group.role, hidden=group.lines[0].hidden
    )
    if block is None:
        return []
    # A hyphen taken out again, or a blank between two lines, is no part of either box.
    ends = [*(min(end, after[0]) for (_, end, _), after in pairwise(spans)), len(text)]
    return [
        LineBox(block.start + start, block.start + end, line.box)
        for (start, _, line), end in zip(spans, ends, strict=True)
    ]


def _joined(text: str, following: str) -> str:
    """``text`` ready for ``following``: hyphen gone, blank added where words are parted by one."""
    if text.endswith("\x02"):
        # Before a capital or a digit the hyphen belongs to the word (Nord-Ost, COVID-19).
        return text[:-1] if following[:1].islower() else text[:-1] + "-"
    if text.endswith("-") and len(text) > 1 and text[-2].isalnum():
        return text
    seam = text[-1:] + following[:1]
    is_wide = bool(_WIDE.match(text[-1:])) and bool(_WIDE.match(following[:1]))
    return text if is_wide and unicodedata.is_normalized("NFC", seam) else text + " "


def _page_spans(boxes: Sequence[LineBox], length: int) -> tuple[PageSpan, ...]:
    """Page of every character; what lies between two lines belongs to the first."""
    starts: list[tuple[int, int]] = []
    for line in boxes:
        if not starts or starts[-1][1] != line.box.page:
            starts.append((line.start, line.box.page))
    ends = [start for start, _ in starts[1:]] + [length]
    return tuple(
        PageSpan(page, start, end) for (start, page), end in zip(starts, ends, strict=True)
    )
