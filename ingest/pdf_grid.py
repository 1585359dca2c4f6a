"""Grids: what of a page's ruling lines makes the cells of a table."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from ingest.pdf_rules import TOLERANCE, Rule, Rules

_MOST_CROSSINGS = 250_000
_LEAST_EDGES = 3
"""Around two rows or columns; less than two by two is a frame."""


class Cell(NamedTuple):
    """A place in a grid; ``column`` is that of its left edge where it spans several."""

    grid: "Grid"
    row: int
    column: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Edges of the rows and columns of one table on one page."""

    page: int
    columns: tuple[float, ...]
    """Upright edges, left to right."""
    rows: tuple[float, ...]
    """Level edges, top to bottom."""
    upright: tuple[Rule, ...]
    """The drawn upright lines; a cell that spans columns has none inside."""

    def cell_at(self, x: float, y: float) -> Cell | None:
        """The cell that holds a point; None outside the grid."""
        row = bisect_right(self.rows, y) - 1
        if not 0 <= row < len(self.rows) - 1:
            return None
        starts = self.row_columns(row)
        if not self.columns[0] <= x < self.columns[-1]:
            return None
        return Cell(self, row, max(column for column in starts if self.columns[column] <= x))

    def row_columns(self, row: int) -> list[int]:
        """Columns that begin in this row, the first always."""
        middle = (self.rows[row] + self.rows[row + 1]) / 2
        drawn = [rule.at for rule in self.upright if rule.start <= middle <= rule.end]
        return [
            column
            for column, edge in enumerate(self.columns[:-1])
            if column == 0 or any(abs(edge - at) <= TOLERANCE for at in drawn)
        ]


def page_grids(rules: Rules, page: int) -> list[Grid]:
    """Grids of at least two rows and two columns, from the top of the page."""
    if len(rules.level) * len(rules.upright) > _MOST_CROSSINGS:
        return []
    grids = []
    for level, upright in _crossing(rules):
        columns = _edges(
            [rule.at for rule in upright]
            + [edge for rule in level for edge in (rule.start, rule.end)]
        )
        rows = _edges(
            [rule.at for rule in level]
            + [edge for rule in upright for edge in (rule.start, rule.end)]
        )
        if len(columns) >= _LEAST_EDGES and len(rows) >= _LEAST_EDGES:
            grids.append(Grid(page=page, columns=columns, rows=rows, upright=tuple(upright)))
    return sorted(grids, key=lambda grid: (grid.rows[0], grid.columns[0]))


def _crossing(rules: Rules) -> list[tuple[list[Rule], list[Rule]]]:
    """Level and upright lines that hang together by their crossings."""
    groups: list[tuple[list[Rule], list[Rule]]] = []
    for line in rules.upright:
        touched = [rule for rule in rules.level if _touch(rule, line)]
        if not touched:
            continue
        level, upright = touched, [line]
        apart = []
        for group in groups:
            if any(rule in touched for rule in group[0]):
                level = [*group[0], *(rule for rule in level if rule not in group[0])]
                upright = [*group[1], *upright]
            else:
                apart.append(group)
        groups = [*apart, (level, upright)]
    return groups


def _touch(level: Rule, upright: Rule) -> bool:
    return (
        level.start - TOLERANCE <= upright.at <= level.end + TOLERANCE
        and upright.start - TOLERANCE <= level.at <= upright.end + TOLERANCE
    )


def _edges(positions: Iterable[float]) -> tuple[float, ...]:
    """Positions in order, those closer than a line is thick made one."""
    ordered: Sequence[float] = sorted(positions)
    return (
        *ordered[:1],
        *(after for before, after in pairwise(ordered) if after - before > TOLERANCE),
    )
