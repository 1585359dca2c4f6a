"""DocumentNames: the mention index with whole documents for rows."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from index.chunk_table import ChunkTable
from index.mentions import Mentions
from index.units import Unit


class DocumentNames:
    """A document mentions what its chunks do and bears what it and its sections do."""

    def __init__(self, mentions: Mentions, table: ChunkTable) -> None:
        self._mentions = mentions
        self._table = table

    def names_in_words(self, text: str) -> frozenset[int]:
        """Every known name that the words of ``text`` hold."""
        return self._mentions.names_in_words(text)

    def named(self, row: int) -> NDArray[np.int32]:
        """Names that the document's text mentions, ascending."""
        return self._of_chunks(row, self._mentions.named)

    def borne(self, row: int) -> NDArray[np.int32]:
        """Names that the document and its sections bear, ascending."""
        return self._of_chunks(row, self._mentions.borne)

    def units(self, name: int) -> list[Unit]:
        """Documents that bear the name themselves or in a section, each as a unit of its own."""
        firsts = {int(self._table.document_of[unit.first]) for unit in self._mentions.units(name)}
        return [Unit(document, document) for document in sorted(firsts)]

    def rows(self, name: int) -> NDArray[np.int32]:
        """Documents that mention the name, ascending; none where too many do."""
        return np.unique(self._table.document_of[self._mentions.rows(name)])

    def documents(self, name: int) -> int:
        """Number of documents that mention the name."""
        return self._mentions.documents(name)

    def _of_chunks(
        self, document: int, names_of: Callable[[int], NDArray[np.int32]]
    ) -> NDArray[np.int32]:
        return np.unique(np.concatenate([names_of(row) for row in self._table.rows_of(document)]))
