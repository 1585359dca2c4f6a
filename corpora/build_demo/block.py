"""Block: a heading, paragraph, list item, table or page break of a source text.

Inline markup (emphasis, code, links) is dropped: the blocks hold plain text. What no writer could
show, as code blocks, pictures or HTML, is refused rather than left out.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from corpora.errors import CorpusError

if TYPE_CHECKING:
    from markdown_it.token import Token

UNSUPPORTED = {"fence", "code_block", "html_block", "html_inline", "image"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One block of a source text, in reading order."""

    kind: Literal["heading", "paragraph", "item", "table", "page_break"]
    text: str = ""
    level: int = 0
    """Of a heading, from 1."""
    marker: str = ""
    """Of an item: its number (``1.``) or a bullet (``•``)."""
    rows: tuple[tuple[str, ...], ...] = ()
    """Of a table; the first is its header."""

    @property
    def line(self) -> str:
        """The text as it is read, with the item's marker before it."""
        return f"{self.marker} {self.text}" if self.marker else self.text


def parse_source(markdown: str) -> list[Block]:
    """The blocks of a source text, in order; ``---`` is a page break.

    Raises:
        CorpusError: it does not begin with its title, or holds what no writer can show.
    """
    from markdown_it import MarkdownIt

    blocks: list[Block] = []
    rows: list[list[str]] = []
    opened, marker = "", ""
    for token in MarkdownIt("commonmark").enable("table").parse(markdown):
        _refuse_unsupported(token)
        match token.type:
            case "heading_open" | "paragraph_open" | "th_open" | "td_open":
                opened = token.tag
            case "list_item_open":
                marker = f"{token.info}{token.markup}" if token.info else "•"
            case "list_item_close":
                marker = ""
            case "tr_open":
                rows.append([])
            case "inline" if opened in {"th", "td"}:
                rows[-1].append(plain_text(token))
            case "inline" if opened == "p":
                kind: Literal["item", "paragraph"] = "item" if marker else "paragraph"
                blocks.append(Block(kind=kind, text=plain_text(token), marker=marker))
                marker = ""  # an item's second paragraph is an ordinary one
            case "inline":
                blocks.append(Block(kind="heading", text=plain_text(token), level=int(opened[1:])))
            case "table_close":
                blocks.append(Block(kind="table", rows=tuple(tuple(row) for row in rows)))
                rows = []
            case "hr":
                blocks.append(Block(kind="page_break"))
    if not blocks or blocks[0].level != 1:
        message = "a source begins with its title: a line '# …' before everything else"
        raise CorpusError(message)
    return blocks


def plain_text(inline: "Token") -> str:
    """The text of an inline token; a line break is a blank, or nothing after a Chinese letter."""
    text = ""
    for child in inline.children or ():
        _refuse_unsupported(child)
        if child.type in {"softbreak", "hardbreak"}:
            text += "" if is_wide(text[-1:]) else " "
        else:
            text += child.content
    return text


def is_wide(character: str) -> bool:
    """Whether it takes two columns, as Chinese letters and their punctuation do."""
    return bool(character) and unicodedata.east_asian_width(character) in "WF"


def first_of_kind(blocks: Sequence[Block], kind: str) -> Block | None:
    """The first block of a kind, for the writers that cannot show it."""
    return next((block for block in blocks if block.kind == kind), None)


def _refuse_unsupported(token: "Token") -> None:
    if token.type in UNSUPPORTED:
        where = f"line {token.map[0] + 1}" if token.map else f"{token.content!r}"
        message = (
            f"{where}: {token.type!r} is not supported; "
            "write headings, paragraphs, lists, tables or ---"
        )
        raise CorpusError(message)
