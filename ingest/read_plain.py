"""Plain text: the file's own text, cut where its line ends are more than wrapping."""

import re
from itertools import zip_longest

from ingest.canonical import canonical_text
from ingest.extract import Block, BlockKind, Extract

PLAIN_VERSION = 1
_PARAGRAPH = re.compile(r"[^\n]*\S[^\n]*(?:\n[^\n]*\S[^\n]*)*")
_ITEM = re.compile(r"[^\S\n]*(?:[-*•‣◦–]|\(?\d{1,3}[.)]|[a-z]\))\s+(?=\S)")
_UNDERLINE = re.compile(r"(={3,}|-{3,}|~{3,})\s*")
_UNWRAPPED_CHARS = 120
"""A line longer than this was not wrapped by hand: it is a paragraph of its own."""


def read_plain(raw: str) -> Extract:
    """Blocks of a plain text; underlined lines are headings, marked lines list items."""
    text, n_replaced = canonical_text(raw)
    blocks: list[Block] = []
    for paragraph in _PARAGRAPH.finditer(text):
        blocks += _paragraph_blocks(text, paragraph.start(), paragraph.end())
    return Extract(text=text, blocks=tuple(blocks), n_replaced=n_replaced)


def _paragraph_blocks(text: str, start: int, end: int) -> list[Block]:
    lines = []
    position = start
    for words in text[start:end].split("\n"):
        lines.append((position, position + len(words)))
        position += len(words) + 1
    if len(lines) >= 2:
        underline = _UNDERLINE.fullmatch(text, *lines[1])
        if underline and len(text[slice(*lines[0])].strip()) <= _UNWRAPPED_CHARS:
            heading = text[slice(*lines[0])].strip()
            level = 1 if underline.group(1).startswith("=") else 2
            first = Block(
                start=lines[0][0], end=lines[0][1], kind="heading", level=level, heading=heading
            )
            rest = _paragraph_blocks(text, lines[2][0], end) if len(lines) > 2 else []
            return [first, *rest]
    width = max(b - a for a, b in lines)
    blocks: list[Block] = []
    begin, kind = _opening(text, lines[0])
    for before, line in zip_longest(lines, lines[1:]):
        if line is not None and not _starts_block(text, before, line, width):
            continue
        if begin < before[1]:
            blocks.append(Block(start=begin, end=before[1], kind=kind))
        if line is not None:
            begin, kind = _opening(text, line)
    return blocks


def _opening(text: str, line: tuple[int, int]) -> tuple[int, BlockKind]:
    item = _ITEM.match(text, *line)
    return (item.end(), "list_item") if item else (line[0], "paragraph")


def _starts_block(text: str, before: tuple[int, int], line: tuple[int, int], width: int) -> bool:
    """Whether the line end between the two is meant: a short line was ended on purpose."""
    if _ITEM.match(text, *line):
        return True
    words = text[slice(*line)].split(maxsplit=1)
    if width > _UNWRAPPED_CHARS:
        return True
    if words[0][:1].islower():
        return False
    length = before[1] - before[0]
    return length + 1 + len(words[0]) < 0.75 * width
