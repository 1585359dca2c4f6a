"""XLSX, XLS, XLSB and ODS through calamine: each sheet a heading, each row a table row."""

import datetime
import io
from dataclasses import replace

from ingest.archive import Archive
from ingest.config import IngestConfig
from ingest.errors import ExtractionFailed
from ingest.extract import Extract
from ingest.missing_line import missing_line
from ingest.sheet_marks import SheetMarks, sheet_marks
from ingest.table_rows import TableRows
from ingest.zip_container import ZIP_MAGIC

SPREADSHEET_VERSION = 2


def read_spreadsheet(content: bytes, config: IngestConfig) -> Extract:
    """Rows of all sheets; cells of hidden sheets, rows and columns are marked hidden.

    ``missing`` tells how many formulas have no value.

    Raises:
        ExtractionFailed: damaged, encrypted, or of more cells than ``config.max_cells``.
    """
    import python_calamine as calamine

    rows = TableRows()
    marks = sheet_marks(Archive(content, config)) if content.startswith(ZIP_MAGIC) else {}
    missing: list[str] = []
    try:
        workbook = calamine.CalamineWorkbook.from_filelike(io.BytesIO(content))
        for sheet in workbook.sheets_metadata:
            if sheet.typ != calamine.SheetTypeEnum.WorkSheet:
                continue
            hidden = sheet.visible != calamine.SheetVisibleEnum.Visible
            rows.start_sheet(sheet.name, hidden=hidden)
            table = workbook.get_sheet_by_name(sheet.name)
            if table.total_height * table.total_width > config.max_cells:
                size = f"{table.total_height} x {table.total_width} cells"
                message = f"sheet {sheet.name!r} declares {size}"
                raise ExtractionFailed(message, state="refused")
            of_sheet = marks.get(sheet.name, SheetMarks())
            if of_sheet.n_unvalued:
                n = of_sheet.n_unvalued
                missing.append(f"sheet {sheet.name!r}: {n} formulas have no value in the file")
            first = table.start[1] if table.start else 0  # only rows are counted from the edge
            unseen = {column - first for column in of_sheet.hidden_columns}
            for number, row in enumerate(table.iter_rows()):
                cells = [cell_text(cell) for cell in row]
                if number in of_sheet.hidden_rows:
                    rows.add_hidden(cells)
                    continue
                rows.add([cell for column, cell in enumerate(cells) if column not in unseen])
                rows.add_hidden([cell for column, cell in enumerate(cells) if column in unseen])
    except calamine.PasswordError as error:
        message = "the workbook is encrypted"
        raise ExtractionFailed(message, state="encrypted") from error
    except (calamine.CalamineError, OSError, ValueError) as error:
        message = f"not a readable workbook: {' '.join(str(error).split())}"
        raise ExtractionFailed(message) from error
    return replace(rows.extract(), missing=missing_line(missing))


def cell_text(value: object) -> str:
    """A cell as a reader would write it: ISO dates, whole numbers without ``.0``, one line."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, datetime.datetime):
        is_day = value.time() == datetime.time()
        return value.date().isoformat() if is_day else value.isoformat(sep=" ")
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return " ".join(str(value).split())
