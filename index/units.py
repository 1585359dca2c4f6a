"""Units: the runs of chunks that make up a document or a section, with the names they bear."""

from collections.abc import Collection, Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

from index.chunk_table import IndexedChunk
from index.titles import title_keys


class Unit(NamedTuple):
    """First and last row of a document or section."""

    first: int
    last: int


_Path = tuple[str, ...]
"""Titles from the document's down to the section's."""


def units_of(chunks: Iterable[IndexedChunk]) -> Iterator[tuple[str, Unit]]:
    """(key, unit that bears it) of chunks in row order; a unit of two names comes twice."""
    begun: dict[_Path, int] = {}  # open units and their first rows
    doc_id = None
    end = 0
    for row, (chunk, _, title) in enumerate(chunks):
        paths = list(accumulate((step,) for step in (title, *chunk.heading_path)))
        yield from _end(begun, paths if chunk.doc_id == doc_id else (), row)
        doc_id, end = chunk.doc_id, row + 1
        for path in paths:
            begun.setdefault(path, row)
    yield from _end(begun, (), end)


def _end(
    begun: dict[_Path, int], still_open: Collection[_Path], row: int
) -> list[tuple[str, Unit]]:
    ended = [path for path in begun if path not in still_open]
    return [
        (key, Unit(first, row - 1))
        for path, first in [(path, begun.pop(path)) for path in ended]
        for key in title_keys(path[-1])
        if not any(key in title_keys(above) for above in path[:-1])  # the larger unit has it
    ]
