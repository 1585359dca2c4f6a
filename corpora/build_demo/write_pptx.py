"""A source text as a PowerPoint presentation; ``---`` begins a slide."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from typing import TYPE_CHECKING

from corpora.build_demo.archive import rewrite_zip
from corpora.build_demo.block import Block, is_wide
from corpora.build_demo.targets import Target
from corpora.errors import CorpusError

if TYPE_CHECKING:
    from pptx.presentation import Presentation
    from pptx.text.text import TextFrame

NOTES = "Notes:"
TITLE_SLIDE, TITLE_AND_CONTENT, TITLE_ONLY = 0, 1, 5
"""Layouts of the library's template."""
JUNK = ("/thumbnail", "/extended-properties", "/printerSettings")
"""Parts of the template that say nothing of this presentation, or what is not true of it."""
# In points, on the template's slide of 720 by 540.
LEFT, TOP, WIDTH, BOTTOM = 36, 126, 648, 505
OPENING_SIZE, HEADING_SIZE, CELL_SIZE = 40, 32, 14
TEXT_SIZES = (24, 20, 16, 14)
ROW_HEIGHT, CELL_MARGIN, CELL_LINE = 26, 8, 17


@dataclass(frozen=True, slots=True, kw_only=True)
class Slide:
    """What stands between two ``---``."""

    title: Block
    body: list[Block]
    """Text that is shown, other than tables."""
    tables: list[tuple[tuple[str, ...], ...]]
    notes: list[str]
    """What the speaker says."""


def write_pptx(blocks: list[Block], target: Target) -> bytes:
    """A presentation: headings as titles, tables as tables, ``Notes:`` paragraphs as notes.

    Raises:
        CorpusError: a slide does not begin with a heading, or holds more than fits.
    """
    import pptx

    presentation = pptx.Presentation()
    for relations in (presentation.part.package._rels, presentation.part.rels):
        for key, relation in list(relations.items()):
            if relation.reltype.endswith(JUNK):
                relations.pop(key)
    for slide in split_slides(blocks):
        add_slide(presentation, slide)
    used = {slide.slide_layout.name for slide in presentation.slides}
    for layout in list(presentation.slide_layouts):
        if layout.name not in used:
            presentation.slide_layouts.remove(layout)
    properties = presentation.core_properties
    properties.title, properties.revision = blocks[0].text, 1
    properties.author = properties.last_modified_by = target.author
    properties.created = properties.modified = target.time
    buffer = io.BytesIO()
    presentation.save(buffer)
    return rewrite_zip(buffer.getvalue(), modified=target.time)


def split_slides(blocks: Sequence[Block]) -> Iterator[Slide]:
    """The slides, in order; nothing between two ``---`` is none."""
    for is_break, of_slide in groupby(blocks, key=lambda block: block.kind == "page_break"):
        if is_break:
            continue
        title, *content = of_slide
        if title.kind != "heading":
            message = f"a slide begins with its heading, not with {title.line!r}"
            raise CorpusError(message)
        text = [block for block in content if block.kind != "table"]
        yield Slide(
            title=title,
            body=[block for block in text if not block.text.startswith(NOTES)],
            tables=[block.rows for block in content if block.kind == "table"],
            notes=[
                block.text.removeprefix(NOTES).strip()
                for block in text
                if block.text.startswith(NOTES)
            ],
        )


def add_slide(presentation: "Presentation", slide: Slide) -> None:
    """Adds one slide: its title, then text, then tables."""
    from pptx.util import Pt

    room = BOTTOM - TOP - sum(table_height(rows) + ROW_HEIGHT for rows in slide.tables)
    size, height = fit_text(slide.body, room=room, title=slide.title.text)
    is_opening = slide.title.level == 1 and not slide.tables and len(slide.body) <= 4
    layout = TITLE_SLIDE if is_opening else TITLE_AND_CONTENT if slide.body else TITLE_ONLY
    added = presentation.slides.add_slide(presentation.slide_layouts[layout])
    heading, *places = added.placeholders
    heading.text_frame.text = slide.title.text
    set_size(heading.text_frame, OPENING_SIZE if is_opening else HEADING_SIZE)
    if slide.body:
        fill_text(places[0].text_frame, slide.body, size=size)
        if not is_opening:
            places[0].left, places[0].top, places[0].width = Pt(LEFT), Pt(TOP), Pt(WIDTH)
            places[0].height = Pt(height if slide.tables else room)
    top = TOP + height
    for rows in slide.tables:
        place = (Pt(LEFT), Pt(top), Pt(WIDTH), Pt(table_height(rows)))
        shape = added.shapes.add_table(len(rows), len(rows[0]), *place)
        for cells, texts in zip(shape.table.rows, rows, strict=True):
            for cell, text in zip(cells.cells, texts, strict=True):
                cell.text = text
                set_size(cell.text_frame, CELL_SIZE)
        top += table_height(rows) + ROW_HEIGHT
    if slide.notes:
        frame = added.notes_slide.notes_text_frame
        assert frame is not None  # the library's notes have a text frame
        frame.text = "\n".join(slide.notes)


def fit_text(body: Sequence[Block], *, room: float, title: str) -> tuple[int, float]:
    """The largest size whose lines fit the room, and their height, in points; 0 high if none.

    Raises:
        CorpusError: not even the smallest size fits.
    """
    for size in TEXT_SIZES:
        height = sum(count_lines(block.line, WIDTH, size) for block in body) * size * 1.45
        if height <= room:
            return size, height
    message = f"slide {title!r} holds more than fits; part it with a line '---' and a heading"
    raise CorpusError(message)


def table_height(rows: Sequence[Sequence[str]]) -> int:
    """In points, with the lines that long cells take."""
    width = WIDTH / len(rows[0]) - 2 * CELL_MARGIN
    n_more = sum(max(count_lines(cell, width, CELL_SIZE) for cell in row) - 1 for row in rows)
    return len(rows) * ROW_HEIGHT + n_more * CELL_LINE


def count_lines(text: str, width: float, size: int) -> int:
    """About how many lines the text takes, 1 at least; a Chinese letter counts as two."""
    n_letters = sum(1 + is_wide(letter) for letter in text)
    return max(1, ceil(n_letters * size * 0.52 / width))


def fill_text(frame: "TextFrame", body: Sequence[Block], *, size: int) -> None:
    """The blocks as paragraphs; only items have bullets, and numbers are typed out."""
    from pptx.oxml.ns import qn

    frame.text = "\n".join(block.text if block.marker == "•" else block.line for block in body)
    set_size(frame, size)
    for paragraph, block in zip(frame.paragraphs, body, strict=True):
        for run in paragraph.runs:
            run.font.bold = True if block.kind == "heading" else None
        if block.marker != "•":
            properties = paragraph._p.get_or_add_pPr()
            properties.set("marL", "0")
            properties.set("indent", "0")
            properties.insert(0, properties.makeelement(qn("a:buNone"), {}, None))


def set_size(frame: "TextFrame", size: int) -> None:
    """Sets the size run by run, in points: PowerPoint ignores that of a paragraph."""
    from pptx.util import Pt

    for paragraph in frame.paragraphs:
        for run in paragraph.runs:
            run.font.size = Pt(size)
