"""Plain text: the file's own text, cut where its line ends are more than wrapping."""

import re
from collections.abc import Iterator
from itertools import zip_longest

from ingest.canonical import canonical_text
from ingest.extract import Block, BlockKind, Extract

PLAIN_VERSION = 1
_ITEM = re.compile(r"[^\S\n]*(?:[-*•‣◦–]|\(?\d{1,3}[.)]|[a-z]\))\s+(?=\S)")
_UNDERLINE = re.compile(r"(={3,}|-{3,}|~{3,})\s*")
_UNWRAPPED_CHARS = 120
"""A line longer than this was not wrapped by hand: it is a paragraph of its own."""


def read_plain(raw: str) -> Extract:
    """Blocks of a plain text; underlined lines are headings, marked lines list items."""
    text, n_replaced = canonical_text(raw)
    blocks: list[Block] = []
    for start, end in _paragraphs(text):
        blocks += _paragraph_blocks(text, start, end)
    return Extract(text=text, blocks=tuple(blocks), n_replaced=n_replaced)


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Runs of lines that are not blank.

    Not by a pattern: in a long run of blanks it searches to the end from every place.
    """
    begin: int | None = None
    before = position = 0
    while position <= len(text):
        line_end = text.find("\n", position)
        line_end = len(text) if line_end < 0 else line_end
        is_blank = not text[position:line_end].strip()
        if is_blank and begin is not None:
            yield begin, before
            begin = None
        elif not is_blank and begin is None:
            begin = position
        before = line_end
        position = line_end + 1
    if begin is not None:
        yield begin, before


def _paragraph_blocks(text: str, start: int, end: int) -> list[Block]:
    lines = []
    position = start
    for words in text[start:end].split("\n"):
        lines.append((position, position + len(words)))
        position += len(words) + 1
    blocks: list[Block] = []
    n_read = 0
    while n_read + 2 <= len(lines):
        line, below = lines[n_read], lines[n_read + 1]
        underline = _UNDERLINE.fullmatch(text, *below)
        heading = text[slice(*line)].strip()
        if underline is None or len(heading) > _UNWRAPPED_CHARS:
            break
        level = 1 if underline.group(1).startswith("=") else 2
        blocks.append(
            Block(start=line[0], end=line[1], kind="heading", level=level, heading=heading)
        )
        n_read += 2
    lines = lines[n_read:]
    if not lines:
        return blocks
    width = max(b - a for a, b in lines)
    begin, kind = _opening(text, lines[0])
    for before, following in zip_longest(lines, lines[1:]):
        if following is not None and not _starts_block(text, before, following, width):
            continue
        if begin < before[1]:
            blocks.append(Block(start=begin, end=before[1], kind=kind))
        if following is not None:
            begin, kind = _opening(text, following)
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
