"""JoinedExtract: one extract of many parts: messages of a mailbox, chapters of a book."""

from dataclasses import replace

from ingest.extract import Block, Extract, RowPlace
from ingest.missing_line import missing_line


class JoinedExtract:
    """Parts as they come, each with its whole text, parted by a blank line."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self._n_tables = 0
        self._n_replaced = 0
        self.missing: list[str] = []
        """What could not be read."""

    def append(self, part: Extract, *, deeper: int = 0) -> None:
        """Add ``part`` at the end, its headings ``deeper`` levels further down."""
        if not part.text.strip():
            return
        if self._texts:
            self._append("\n" if self._texts[-1].endswith("\n") else "\n\n")
        offset = self._length
        self._append(part.text)
        n_tables = 0
        for block in part.blocks:
            row = block.row
            if row is not None:
                n_tables = max(n_tables, row.table + 1)
                row = RowPlace(row.table + self._n_tables, row.row, row.is_header)
            moved = replace(
                block,
                start=block.start + offset,
                end=block.end + offset,
                level=block.level + deeper * (block.kind == "heading"),
                row=row,
            )
            self._blocks.append(moved)
        self._n_tables += n_tables
        self._n_replaced += part.n_replaced

    def extract(
        self,
        *,
        title: str = "",
        date: str | None = None,
        date_source: str | None = None,
        metadata: dict[str, str] | None = None,
    ) -> Extract:
        """Everything appended, with what the whole says about itself."""
        return Extract(
            text="".join(self._texts),
            blocks=tuple(self._blocks),
            title=title,
            date=date,
            date_source=date_source,
            metadata=metadata or {},
            n_replaced=self._n_replaced,
            missing=missing_line(self.missing),
        )

    def _append(self, text: str) -> None:
        self._texts.append(text)
        self._length += len(text)
