"""reStructuredText: the canonical text is the source itself, with blocks told by its own marks.

Markup stays in the text, as in Markdown. Why not docutils: it keeps no offsets, follows ``include``
and ``raw`` into other files, and is not needed for headings, paragraphs and code.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ingest.canonical import canonical_text
from ingest.extract import Block, BlockKind, Extract

RST_VERSION = 1
_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1+\s*")
_ITEM = re.compile(r"\s*(?:[-*+•‣]|(?:\d{1,3}|[a-zA-Z#]|[ivxlc]{1,6})[.)]|\(\w{1,3}\))\s+(?=\S)")
_DIRECTIVE = re.compile(r"\s*\.\. +(?:\|[^|]+\| +)?([\w:+.-]+)::\s*(.*)")
_MARKUP = re.compile(r"\s*\.\.(?:\s|$)")
_TARGET = re.compile(r"\s*\.\. +_")
_NOTE = re.compile(r"\s*\.\. +\[[^\]]+\]\s+")
_OPTION = re.compile(r"\s*:[\w -]+:(?:\s|$)")
_TABLE = re.compile(r"\s*(?:\+[-=+]{3,}\+|=+(?: +=+)+)\s*")
_CODE = {"code", "code-block", "sourcecode", "parsed-literal", "math", "literalinclude", "doctest"}
_WITHOUT_TEXT = {
    *("image", "include", "toctree", "raw", "contents", "highlight", "default-role", "index"),
    *("role", "replace", "unicode", "meta", "sectnum", "only", "currentmodule", "module"),
}


class _Line(NamedTuple):
    start: int
    end: int
    indent: int
    text: str


def read_rst(raw: str) -> Extract:
    """Headings, paragraphs, list items, code and tables; comments are hidden."""
    text, n_replaced = canonical_text(raw)
    blocks = tuple(_Reader(text).blocks())
    fields = dict(re.findall(r"^:(author|date):\s+(\S.*)$", text[:2000], re.MULTILINE | re.I))
    known = {name.lower(): value.strip() for name, value in fields.items()}
    return Extract(
        text=text,
        blocks=blocks,
        date=known.get("date"),
        date_source="field list" if known.get("date") else None,
        metadata={"author": known["author"]} if "author" in known else {},
        n_replaced=n_replaced,
    )


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = []
        for found in re.finditer(r"[^\n]*\n?", text):
            line = found.group().rstrip("\n")
            indent = len(line) - len(line.lstrip())
            self._lines.append(_Line(found.start(), found.start() + len(line), indent, line))
        self._styles: list[str] = []

    def blocks(self) -> Iterator[Block]:
        at = 0
        while at < len(self._lines):
            line = self._lines[at]
            if not line.text.strip():
                at += 1
            elif heading := self._heading(at):
                yield heading[0]
                at = heading[1]
            elif _MARKUP.match(line.text):
                after = self._body_end(at + 1, line.indent)
                yield from self._explicit(at, after)
                at = after
            elif _TABLE.fullmatch(line.text):
                after = self._run_end(at)
                while line.text.strip().startswith("=") and not self._closes_table(after):
                    after = self._run_end(after + 1)
                yield from self._block(at, after, "code")
                at = after
            else:
                after = self._run_end(at)
                yield from self._paragraphs(at, after)
                if self._lines[after - 1].text.rstrip().endswith("::"):
                    body = self._body_end(after, line.indent)
                    yield from self._block(after, body, "code")
                    after = body
                at = after

    def _heading(self, at: int) -> tuple[Block, int] | None:
        """The heading that begins at a line, and the line behind it."""
        over = _ADORNMENT.fullmatch(self._lines[at].text)
        rows = [line.text for line in self._lines[at : at + 3]]
        if over and len(rows) == 3 and rows[1].strip() and rows[2].rstrip() == rows[0].rstrip():
            title, style, after = self._lines[at + 1], over.group(1) * 2, at + 3
        elif len(rows) > 1 and not over and self._is_underlined(at):
            title, style, after = self._lines[at], rows[1][0], at + 2
        else:
            return None
        if style not in self._styles:
            self._styles.append(style)
        words = title.text.strip()
        block = Block(
            start=title.start + title.indent,
            end=title.end,
            kind="heading",
            level=self._styles.index(style) + 1,
            heading=words.replace("``", "").replace("*", ""),
        )
        return block, after

    def _is_underlined(self, at: int) -> bool:
        title, under = self._lines[at], self._lines[at + 1]
        is_rule = _ADORNMENT.fullmatch(under.text) and len(under.text.rstrip()) >= 3
        # Underlines of wide letters may be shorter than the title has characters' width.
        return bool(is_rule) and not title.indent and len(under.text) >= len(title.text.strip())

    def _explicit(self, at: int, after: int) -> Iterator[Block]:
        """A directive by what it holds; a target has no text; anything else is a comment."""
        directive = _DIRECTIVE.match(self._lines[at].text)
        if directive is None:
            note = _NOTE.match(self._lines[at].text)
            if note:
                start, end = self._lines[at].start + note.end(), self._lines[after - 1].end
                yield Block(start=start, end=end, role="note")
            elif not _TARGET.match(self._lines[at].text):
                yield from self._block(at, after, "paragraph", hidden=True)
            return
        name = directive.group(1)
        first = at + 1
        while first < after and _OPTION.match(self._lines[first].text):
            first += 1
        if name in _CODE:
            yield from self._block(first, after, "code")
        elif name not in _WITHOUT_TEXT:
            if directive.group(2):
                line = self._lines[at]
                yield Block(start=line.start + directive.start(2), end=line.end)
            yield from self._nested(first, after)

    def _nested(self, at: int, after: int) -> Iterator[Block]:
        while at < after:
            if self._lines[at].text.strip():
                end = min(self._run_end(at), after)
                yield from self._paragraphs(at, end)
                at = end
            else:
                at += 1

    def _paragraphs(self, at: int, after: int) -> Iterator[Block]:
        """A run of lines, parted where a list item begins."""
        begin = at
        for number in range(at + 1, after + 1):
            if number == after or _ITEM.match(self._lines[number].text):
                item = _ITEM.match(self._lines[begin].text)
                start = self._lines[begin].start + (item.end() if item else 0)
                kind: BlockKind = "list_item" if item else "paragraph"
                if self._text[start : self._lines[number - 1].end].strip():
                    yield Block(start=start, end=self._lines[number - 1].end, kind=kind)
                begin = number

    def _block(
        self, at: int, after: int, kind: BlockKind, *, hidden: bool = False
    ) -> Iterator[Block]:
        if at < after:
            start, end = self._lines[at].start, self._lines[after - 1].end
            if self._text[start:end].strip():
                yield Block(start=start, end=end, kind=kind, hidden=hidden)

    def _run_end(self, at: int) -> int:
        """Behind the last line before a blank one."""
        while at < len(self._lines) and self._lines[at].text.strip():
            at += 1
        return at

    def _body_end(self, at: int, indent: int) -> int:
        """Behind the last line that is indented deeper than ``indent``."""
        end = at
        while at < len(self._lines):
            line = self._lines[at]
            if line.text.strip():
                if line.indent <= indent:
                    break
                end = at + 1
            at += 1
        return end

    def _closes_table(self, after: int) -> bool:
        """Whether a simple table ends here; blank lines may stand between its rows."""
        is_rule = _TABLE.fullmatch(self._lines[after - 1].text) is not None
        return is_rule or after >= len(self._lines) - 1
