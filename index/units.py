"""Units: the runs of chunks that make up a document or a section, with the names they bear."""

from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from index.chunk_table import IndexedChunk
from index.titles import title_keys


class NamedChunk(NamedTuple):
    """What the mention index reads of a chunk."""

    document: int
    """Number of its document; the rows of a document are consecutive."""
    title: str
    heading_path: tuple[str, ...]
    text: str
    """Its visible text."""
    language: str


def named_chunks(chunks: Sequence[IndexedChunk]) -> list[NamedChunk]:
    """The chunks of a generation, in row order, as the mention index reads them."""
    documents = {
        doc_id: n for n, doc_id in enumerate(dict.fromkeys(c.chunk.doc_id for c in chunks))
    }
    return [
        NamedChunk(
            document=documents[chunk.doc_id],
            title=title,
            heading_path=chunk.heading_path,
            text=text,
            language=chunk.language,
        )
        for chunk, text, title in chunks
    ]


class Unit(NamedTuple):
    """First and last row of a document or section."""

    first: int
    last: int


_Path = tuple[str, ...]
"""Titles from the document's down to the section's."""


def units_of(chunks: Sequence[NamedChunk]) -> Iterator[tuple[str, Unit]]:
    """(key of a name, unit that bears it); a unit of two names comes twice."""
    begun: dict[_Path, int] = {}  # open units and their first rows
    document = -1
    for row, chunk in enumerate(chunks):
        paths = list(accumulate((title,) for title in (chunk.title, *chunk.heading_path)))
        yield from _end(begun, paths if chunk.document == document else (), row)
        document = chunk.document
        for path in paths:
            begun.setdefault(path, row)
    yield from _end(begun, (), len(chunks))


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
