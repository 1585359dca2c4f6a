"""Lines of a picture from tesseract's table of words."""

import csv
import statistics
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from corpora.document import Box
from ingest.pdf_lines import SPACED, Line
from ingest.pdf_paragraphs import WIDE

_WORD_LEVEL = 5
_LEAST_CONFIDENCE = 0.3
"""Of a line; what is less sure is dust, or part of a drawing."""


class _Word(NamedTuple):
    """One recognised word; ``place`` is its block, paragraph and line."""

    place: tuple[int, int, int]
    x0: float
    y0: float
    x1: float
    y1: float
    confidence: float
    text: str


def recognised_lines(tsv: str, *, page: int, scale: float) -> list[Line]:
    """Lines in tesseract's reading order; ``scale`` is points a pixel."""
    words = list(_words(tsv, scale))
    lines = [list(found) for _, found in groupby(words, key=lambda word: word.place)]
    heights: dict[tuple[int, int], list[float]] = {}
    for line in lines:
        heights.setdefault(line[0].place[:2], []).append(_box(line, page).y1 - _box(line, page).y0)
    found = []
    for line in lines:
        n_chars = sum(len(word.text) for word in line)
        confidence = sum(word.confidence * len(word.text) for word in line) / n_chars
        if confidence < _LEAST_CONFIDENCE:
            continue
        # A line's own height depends on which letters are in it.
        size = round(statistics.median(heights[line[0].place[:2]]), 1)
        found.append(
            Line(
                text=_joined(line),
                box=_box(line, page),
                size=size,
                first_width=line[0].x1 - line[0].x0,
                region=line[0].place[0],
                is_spaced=any(b.x0 - a.x1 > SPACED * size for a, b in pairwise(line)),
                confidence=round(confidence, 3),
            )
        )
    return found


def _words(tsv: str, scale: float) -> Iterator[_Word]:
    for row in csv.DictReader(tsv.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE):
        text = (row["text"] or "").strip()
        confidence = float(row["conf"])
        if int(row["level"]) != _WORD_LEVEL or not text or confidence < 0:
            continue
        left, top = float(row["left"]), float(row["top"])
        yield _Word(
            place=(int(row["block_num"]), int(row["par_num"]), int(row["line_num"])),
            x0=left * scale,
            y0=top * scale,
            x1=(left + float(row["width"])) * scale,
            y1=(top + float(row["height"])) * scale,
            confidence=confidence / 100,
            text=text,
        )


def _box(words: Sequence[_Word], page: int) -> Box:
    return Box(
        page,
        round(min(word.x0 for word in words), 1),
        round(min(word.y0 for word in words), 1),
        round(max(word.x1 for word in words), 1),
        round(max(word.y1 for word in words), 1),
    )


def _joined(words: Sequence[_Word]) -> str:
    text = words[0].text
    for before, word in pairwise(words):
        is_wide = bool(WIDE.match(before.text[-1])) and bool(WIDE.match(word.text[0]))
        text += word.text if is_wide else f" {word.text}"
    return text
