"""CSV and TSV: each record one table row, its cells joined by `` | ``."""

import csv
import io

from ingest.errors import ExtractionFailed
from ingest.extract import Extract
from ingest.table_rows import TableRows

DELIMITED_VERSION = 1
_SAMPLE_CHARS = 8_000
"""The sniffer's time grows with the square of it: 64,000 quotes and commas took 30 s."""


def read_delimited(raw: str, *, delimiter: str | None = None) -> Extract:
    """Rows of a delimited text; the delimiter is told by its first lines if it is not given.

    Raises:
        ExtractionFailed: the text is not delimited (a cell of more than 131,072 characters).
    """
    # The csv module leaves NUL and lone carriage returns to its caller.
    raw = raw.replace("\x00", "\N{REPLACEMENT CHARACTER}")
    dialect = _dialect(raw[:_SAMPLE_CHARS])
    if delimiter is not None:
        dialect.delimiter = delimiter
    rows = TableRows()
    try:
        for record in csv.reader(io.StringIO(raw, newline=""), dialect):
            rows.add([" ".join(cell.split()) for cell in record])
    except csv.Error as error:
        message = f"not delimited text: {error}"
        raise ExtractionFailed(message) from error
    return rows.extract()


def _dialect(sample: str) -> csv.Dialect:
    class Guessed(csv.excel):
        pass

    try:
        sniffed = csv.Sniffer().sniff(sample, delimiters=",;\t|")
        Guessed.delimiter = sniffed.delimiter
        Guessed.quotechar = sniffed.quotechar or '"'
    except csv.Error:
        # One column, or too uneven to tell: commas are the format's own default.
        Guessed.delimiter = ","
    return Guessed()
