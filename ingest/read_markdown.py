"""Markdown: the canonical text is the source itself, with blocks from the parser's line maps.

Markup stays in the text, so that a quote can be found in the file with any editor.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ingest.canonical import canonical_text
from ingest.extract import Block, Extract, RowPlace
from ingest.front_matter import read_front_matter

if TYPE_CHECKING:
    from markdown_it.token import Token

MARKDOWN_VERSION = 2
_ITEM_MARK = re.compile(r"[\s>]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_QUOTE_MARK = re.compile(r"[\s>]*")
_HEADING_MARKS = re.compile(r"[\s>]*(?:(?:[-*+]|\d+[.)])\s+)?#{1,6}[ \t]+")
_HEADING_CHARS = 2_000
_HTML_TAG = re.compile(r"<!--.*?(?:-->|\Z)|<[A-Za-z/!?][^<>]*>", re.DOTALL)


def read_markdown(raw: str) -> Extract:
    """Blocks of a Markdown text (CommonMark with tables); HTML comments are hidden."""
    from markdown_it import MarkdownIt

    text, n_replaced = canonical_text(raw)
    front = read_front_matter(text)
    body = "\n" * text.count("\n", 0, front.end) + text[front.end :]
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    # Blocks are all that is needed, but for headings; the time for what stands inside a paragraph
    # grows with the square of its marks: minutes for one line of 2 MB.
    parser.core.ruler.disable(["inline", "text_join"])
    tokens = parser.parse(body)
    blocks = _Blocks(text)
    blocks.read(tokens)
    title = front.fields.get("title", "")
    date = front.fields.get("date")
    return Extract(
        text=text,
        blocks=tuple(blocks.found),
        title=title,
        date=date,
        date_source="front matter" if date else None,
        metadata={
            key: value for key, value in front.fields.items() if key not in {"title", "date"}
        },
        n_replaced=n_replaced,
    )


def _words(source: str) -> str:
    """A heading without its markup."""
    from markdown_it import MarkdownIt

    (inline,) = MarkdownIt("commonmark").enable("strikethrough").parseInline(source)
    return "".join(
        child.content
        if child.type in {"text", "code_inline"}
        else " " * (child.type == "softbreak")
        for child in inline.children or []
    )


class _Blocks:
    """Turns a token stream into blocks; line maps become offsets."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[Block] = []
        self._line_starts = [0]
        for end in re.finditer("\n", text):
            self._line_starts.append(end.end())
        self._line_starts.append(len(text))

    def read(self, tokens: "list[Token]") -> None:
        items_open = False  # the next paragraph carries a list marker
        table = -1
        row = 0
        in_head = False
        in_cell = False
        depth = 0
        heading_level = 0
        for token in tokens:
            kind = token.type
            depth += token.nesting if kind.startswith("list_item") else 0
            if kind == "list_item_open":
                items_open = True
            elif kind == "list_item_close":
                items_open = False
            elif kind in {"heading_open", "heading_close"}:
                heading_level = int(token.tag[1]) if token.nesting == 1 else 0
            elif kind == "table_open":
                table, row = table + 1, 0
            elif kind in {"thead_open", "thead_close"}:
                in_head = token.nesting == 1
            elif kind in {"th_open", "td_open", "th_close", "td_close"}:
                in_cell = token.nesting == 1
            elif kind == "tr_open" and token.map:
                self._add_row(token.map[0], RowPlace(table, row, in_head))
                row += 1
            elif kind in {"fence", "code_block"} and token.map:
                self._add_code(token)
                items_open = False
            elif kind == "html_block" and token.map:
                self._add_html(*self._offsets(token.map))
            elif kind == "inline" and token.map and heading_level:
                self._add_heading(token, heading_level)
                items_open = False
            elif kind == "inline" and token.map and not in_cell:
                self._add_paragraph(token, is_item=items_open and depth > 0)
                items_open = False

    def _offsets(self, lines: list[int]) -> tuple[int, int]:
        last = len(self._line_starts) - 1
        return self._line_starts[min(lines[0], last)], self._line_starts[min(lines[1], last)]

    def _add(self, block: Block) -> None:
        if self.text[block.start : block.end].strip():
            self.found.append(block)

    def _add_paragraph(self, token: "Token", *, is_item: bool) -> None:
        start, end = self._offsets(token.map or [0, 0])
        mark = (_ITEM_MARK if is_item else _QUOTE_MARK).match(self.text, start, end)
        start = mark.end() if mark else start
        self._add(Block(start=start, end=end, kind="list_item" if is_item else "paragraph"))

    def _add_heading(self, token: "Token", level: int) -> None:
        start, end = self._offsets(token.map or [0, 0])
        marks = _HEADING_MARKS.match(self.text, start, end)
        line_end = self.text.find("\n", start, end)
        stop = line_end if line_end >= 0 else end
        if marks:  # an underlined heading has no marks
            start = marks.end()
            stop = start + len(re.sub(r"[ \t]+#+[ \t]*$", "", self.text[start:stop]))
        else:
            stop = max(stop, start + len(self.text[start:end].rstrip().rpartition("\n")[0]))
        words = _words(token.content[:_HEADING_CHARS])
        self._add(
            Block(
                start=start, end=stop, kind="heading", level=level, heading=" ".join(words.split())
            )
        )

    def _add_row(self, line: int, place: RowPlace) -> None:
        start, end = self._offsets([line, line + 1])
        row = self.text[start:end].rstrip().rstrip("|").rstrip()
        lead = re.match(r"[\s>]*\|?\s*", row)
        self._add(
            Block(
                start=start + (lead.end() if lead else 0),
                end=start + len(row),
                kind="table_row",
                row=place,
            )
        )

    def _add_code(self, token: "Token") -> None:
        first, last = token.map or [0, 0]
        if token.type == "fence":
            n_lines = token.content.count("\n")
            first, last = first + 1, min(last, first + 1 + n_lines)
        start, end = self._offsets([first, last])
        self._add(Block(start=start, end=end, kind="code"))

    def _add_html(self, start: int, end: int) -> None:
        for left, right, is_comment in _outside_tags(self.text, start, end):
            self._add(Block(start=left, end=right, hidden=is_comment))


def _outside_tags(text: str, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    begin = start
    for tag in _HTML_TAG.finditer(text, start, end):
        yield begin, tag.start(), False
        if tag.group().startswith("<!--"):
            yield tag.start() + 4, max(tag.start() + 4, tag.end() - 3), True
        begin = tag.end()
    yield begin, end, False
