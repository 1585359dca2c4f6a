"""Opening a PDF: what stands before it is cut off, and what is damaged is repaired."""

import contextlib
from typing import TYPE_CHECKING

from ingest.errors import ExtractionFailed
from ingest.pdf_repair import repaired_pdf

if TYPE_CHECKING:
    import pypdfium2


def opened_pdf(content: bytes) -> tuple["pypdfium2.PdfDocument", str]:
    """The document, and how its file is damaged; empty where it is not.

    Raises:
        ExtractionFailed: ``encrypted`` or ``corrupt``.
    """
    import pypdfium2
    import pypdfium2.raw as pdfium

    header = content.find(b"%PDF-")
    attempts = [content] if header <= 0 else [content, content[header:]]
    for attempt in attempts:
        try:
            return pypdfium2.PdfDocument(attempt), ""
        except pypdfium2.PdfiumError as error:
            if error.err_code in {pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY}:
                message = "encrypted with a password"
                raise ExtractionFailed(message, state="encrypted") from error
            reason = str(error)
    repaired = repaired_pdf(content)
    if repaired is not None:
        lost = f", {repaired.n_lost} in part" if repaired.n_lost else ""
        n_pages = repaired.n_pages
        found = "1 whole page was" if n_pages == 1 else f"{n_pages} whole pages were"
        damage = f"damaged: {found} found{lost}, others may be lost"
        with contextlib.suppress(pypdfium2.PdfiumError):
            return pypdfium2.PdfDocument(repaired.content), damage
    message = f"not a readable PDF: {reason}"
    raise ExtractionFailed(message)
