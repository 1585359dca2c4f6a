"""What an XLSX says of a sheet's cells beside their values: hidden ones, formulas without a value.

By patterns over the sheet's XML, as calamine does not tell and parsing all of it once more would
take longer than reading the values. A row that a filter or a closed group hides is one click away
from any reader: it counts as seen.
"""

import re
from typing import NamedTuple

from ingest.archive import Archive
from ingest.package_parts import relations
from ingest.xml_part import parse_xml

_MAIN = "xl/workbook.xml"
_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_COLUMN = re.compile(rb"<(?:\w+:)?col\b([^>]*)>")
_ROW = re.compile(rb"<(?:\w+:)?row\b([^>]*\bhidden=\"(?:1|true)\"[^>]*)>")
_UNVALUED = re.compile(
    rb"<(?:\w+:)?c\b([^>]*)><(?:\w+:)?f\b[^>]*(?:/>|>[^<]*</(?:\w+:)?f>)"
    rb"(?:<(?:\w+:)?v\s*/>|<v></v>)?</(?:\w+:)?c>"
)
_MOST_COLUMNS = 16_384


class SheetMarks(NamedTuple):
    """Rows and columns from 0."""

    hidden_rows: frozenset[int] = frozenset()
    hidden_columns: frozenset[int] = frozenset()
    n_unvalued: int = 0
    """Formulas whose value the program that wrote the file did not store."""


def sheet_marks(archive: Archive) -> dict[str, SheetMarks]:
    """Marks of each sheet of an XLSX by its name; of other workbooks none.

    Raises:
        ExtractionFailed: damaged, or beyond the limits for containers.
    """
    if _MAIN not in archive.names:
        return {}
    parts = relations(archive, _MAIN)
    found = {}
    for sheet in parse_xml(archive, _MAIN).iter("{*}sheet"):
        relation = parts.get(sheet.get(_ID) or "")
        if relation is not None and relation.part in archive.names:
            found[sheet.get("name") or ""] = _marks(archive.read(relation.part))
    return found


def _marks(xml: bytes) -> SheetMarks:
    columns: set[int] = set()
    for column in _COLUMN.finditer(xml[: xml.find(b"sheetData") + 1 or None]):
        attributes = column.group(1)
        if re.search(rb"\bhidden=\"(?:1|true)\"", attributes):
            first, last = _number(attributes, b"min"), _number(attributes, b"max")
            columns.update(range(first - 1, min(last, _MOST_COLUMNS)))
    rows = set()
    if b"autoFilter" not in xml:
        rows = {
            _number(row.group(1), b"r") - 1
            for row in _ROW.finditer(xml)
            if b"outlineLevel=" not in row.group(1)
        }
    n_unvalued = sum(b't="str"' not in cell.group(1) for cell in _UNVALUED.finditer(xml))
    return SheetMarks(frozenset(rows), frozenset(columns), n_unvalued)


def _number(attributes: bytes, name: bytes) -> int:
    found = re.search(rb"\b%s=\"(\d{1,7})\"" % name, attributes)
    return int(found.group(1)) if found else 0
