"""Extract: what a reader makes of one file, and the builder most readers fill it with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from corpora.document import Box, PageSpan, SegmentRole
from ingest.canonical import canonical_text

BlockKind = Literal["paragraph", "heading", "list_item", "table_row", "code", "caption"]


class RowPlace(NamedTuple):
    """Place of a table row: number of the table in its document, row from 0, is it the header."""

    table: int
    row: int
    is_header: bool


class LineBox(NamedTuple):
    """Where the text's ``[start, end)`` stands on paper."""

    start: int
    end: int
    box: Box
    confidence: float | None = None
    """How sure the character recognition was, 0 to 1; None where the text was given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One paragraph-like stretch of the canonical text; blocks stand in order, without overlap."""

    start: int
    end: int
    kind: BlockKind = "paragraph"
    level: int = 0
    """Depth of a heading, 1 the outermost."""
    heading: str = ""
    """A heading's words without markup, for heading paths."""
    role: SegmentRole = "body"
    hidden: bool = False
    row: RowPlace | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Extract:
    """Canonical text of one file with its blocks and what the file says about itself."""

    text: str
    blocks: tuple[Block, ...]
    title: str = ""
    date: str | None = None
    date_source: str | None = None
    page_spans: tuple[PageSpan, ...] = ()
    line_boxes: tuple[LineBox, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    n_replaced: int = 0
    """Characters that had to become U+FFFD."""
    missing: str = ""
    """What of the file could not be read (``page 3: …``); empty: nothing is missing."""
    wants_ocr: bool = False
    """Whether words stand in pictures: read again once the OCR program is another."""


class ExtractBuilder:
    """Collects blocks in reading order and keeps text and spans in step.

    Each block is made canonical by itself; as blocks are joined by line feeds, which never compose,
    the whole is canonical too.
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self.blocks: list[Block] = []
        self.n_replaced = 0

    @property
    def text(self) -> str:
        """The canonical text so far."""
        return "".join(self._parts)

    @property
    def length(self) -> int:
        """Code points so far."""
        return self._length

    def add(
        self,
        raw: str,
        kind: BlockKind = "paragraph",
        *,
        level: int = 0,
        role: SegmentRole = "body",
        hidden: bool = False,
        row: RowPlace | None = None,
    ) -> Block | None:
        """Append one block; None (and nothing appended) if ``raw`` is blank."""
        words = raw.strip()
        if not words:
            return None
        text, n_replaced = canonical_text(raw.strip("\n") if kind == "code" else words)
        self.n_replaced += n_replaced
        if self.blocks:
            before = self.blocks[-1]
            is_tight = before.kind == kind and kind in {"list_item", "table_row"}
            same_table = before.row is None or row is None or before.row.table == row.table
            self._append("\n" if is_tight and same_table else "\n\n")
        start = self._length
        self._append(text)
        block = Block(
            start=start,
            end=self._length,
            kind=kind,
            level=level,
            heading=" ".join(text.split()) if kind == "heading" else "",
            role=role,
            hidden=hidden,
            row=row,
        )
        self.blocks.append(block)
        return block

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)
