"""Scanned pages of a PDF: which need character recognition, and their lines by it."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ingest.config import IngestConfig
from ingest.ocr import recognise
from ingest.ocr_lines import recognised_lines
from ingest.pdf_frame import page_frame
from ingest.pdf_lines import Line

if TYPE_CHECKING:
    import pypdfium2

_POINTS = 72
_DPI = 200
"""Recall of words is .993 at 200, .935 at 150, .987 and slower at 300."""
_MOST_PIXELS = 8_000
"""Of one side; a larger page is drawn coarser."""
_UNREADABLE = re.compile("[\ufffd\ue000-\uf8ff\x00-\x08\x0e-\x1f]")
_UNREADABLE_SHARE = 0.3
"""A page with more of these has fonts without a character map: its text is noise."""
_SOME_SHARE = 0.05
"""Of the page under pictures; less is a logo on an empty page."""
_MOST_SHARE = 0.5
_FEW_CHARS = 50
"""A page with fewer letters over a picture is a scan with a stamp on it."""


def is_noise(lines: Sequence[Line]) -> bool:
    """Whether the text layer does not say what is seen."""
    text = "".join(line.text.rstrip("\x02") for line in lines)
    return len(_UNREADABLE.findall(text)) > _UNREADABLE_SHARE * len(text)


def needs_ocr(page: "pypdfium2.PdfPage", lines: Sequence[Line]) -> bool:
    """Whether the page's words, or most of them, stand in a picture."""
    if is_noise(lines):
        return True
    n_chars = sum(len(line.text) for line in lines)
    if n_chars >= _FEW_CHARS:
        return False
    return picture_share(page) >= (_MOST_SHARE if n_chars else _SOME_SHARE)


def picture_share(page: "pypdfium2.PdfPage") -> float:
    """Share of the page that lies under its largest picture, 0 to 1."""
    import pypdfium2.raw as pdfium

    area = page_frame(page).area
    shares = [0.0]
    for picture in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=2):
        left, bottom, right, top = picture.get_bounds()
        shares.append((right - left) * (top - bottom) / area)
    return min(max(shares), 1.0)


def is_drawn_on(page: "pypdfium2.PdfPage") -> bool:
    """Whether anything at all is drawn on the page."""
    return next(iter(page.get_objects(max_depth=1)), None) is not None


def scanned_lines(
    page: "pypdfium2.PdfPage", number: int, config: IngestConfig, *, until: float
) -> list[Line]:
    """What is read on the page as it is drawn, if it is begun by ``until`` (see ``last_begin``).

    Raises:
        ExtractionFailed: see ``recognise``.
    """
    frame = page_frame(page)
    longest = max(frame.right - frame.left, frame.top - frame.bottom, 1.0)
    dpi = min(_DPI, int(_MOST_PIXELS * _POINTS / longest))
    bitmap = page.render(scale=dpi / _POINTS, grayscale=True, may_draw_forms=False)
    try:
        pixels = bitmap.to_numpy()  # (height, width) or (height, width, 1), uint8
        header = b"P5 %d %d 255\n" % (bitmap.width, bitmap.height)
        picture = header + pixels.tobytes()
    finally:
        bitmap.close()
    tsv = recognise(picture, config, until=until, dpi=dpi)
    return recognised_lines(tsv, page=number, scale=_POINTS / dpi)
