"""The tables of a source text as an Excel workbook."""

import io
import re

from corpora.build_demo.archive import rewrite_zip
from corpora.build_demo.block import Block
from corpora.build_demo.targets import Target
from corpora.errors import CorpusError

NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.(\d+))?", re.ASCII)
"""A plain number; group 1: its decimals. Dates, ``1,620`` and ``007`` are texts."""
SHEET_NAME = re.compile(r"[^\[\]:*?/\\]{1,31}")
"""What Excel takes."""


def write_xlsx(blocks: list[Block], target: Target) -> bytes:
    """A workbook: each table is a sheet named by the heading above it, numbers as numbers.

    Raises:
        CorpusError: text outside of tables, or a heading that cannot name a sheet.
    """
    import openpyxl

    workbook = openpyxl.Workbook()
    workbook.remove(workbook.worksheets[0])
    workbook.properties.title, workbook.properties.creator = blocks[0].text, target.author
    workbook.properties.created = target.time
    heading = ""
    for block in blocks:
        match block.kind:
            case "heading":
                heading = block.text
            case "table":
                _refuse_name(heading, taken=workbook.sheetnames)
                sheet = workbook.create_sheet(heading)
                for row in block.rows:
                    sheet.append([_cell_value(cell) for cell in row])
                for cells, texts in zip(sheet.iter_rows(), block.rows, strict=True):
                    for cell, text in zip(cells, texts, strict=True):
                        if (number := NUMBER.fullmatch(text)) and number[1]:
                            cell.number_format = "0." + "0" * len(number[1])  # 12.50 stays 12.50
                sheet.freeze_panes = "A2"
            case _:
                message = f"{block.text!r} stands in no table; a workbook holds headings and tables"
                raise CorpusError(message)
    buffer = io.BytesIO()
    workbook.save(buffer)
    return rewrite_zip(buffer.getvalue(), modified=target.time)


def _cell_value(text: str) -> str | int | float:
    number = NUMBER.fullmatch(text)
    if number is None:
        return text
    return float(text) if number[1] else int(text)


def _refuse_name(heading: str, *, taken: list[str]) -> None:
    if not SHEET_NAME.fullmatch(heading) or heading in taken:
        message = (
            f"{heading!r} cannot name a sheet: 1 to 31 characters, none of []:*?/\\, each name once"
        )
        raise CorpusError(message)
