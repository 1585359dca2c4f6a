"""Source code: the canonical text is the file itself, in groups that begin at the outer margin."""

import re
from collections.abc import Iterator
from itertools import pairwise

from ingest.canonical import canonical_text
from ingest.extract import Block, Extract

CODE_VERSION = 1
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_CLOSERS = ")]}"


def read_code(raw: str) -> Extract:
    """Code blocks of a source file; a definition stays with the comments right above it."""
    text, n_replaced = canonical_text(raw)
    edges = [0, *_group_starts(text), len(text)]
    blocks = [
        Block(start=start, end=end, kind="code")
        for start, end in pairwise(edges)
        if text[start:end].strip()
    ]
    return Extract(text=text, blocks=tuple(blocks), n_replaced=n_replaced)


def _group_starts(text: str) -> Iterator[int]:
    """Lines after blank ones that are not indented and close nothing: something new begins."""
    is_after_blank = False
    for line in _LINE.finditer(text):
        first = text[line.start()]
        if not line.group().strip():
            is_after_blank = True
            continue
        if is_after_blank and not first.isspace() and first not in _CLOSERS:
            yield line.start()
        is_after_blank = False
