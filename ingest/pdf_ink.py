"""Which characters of a PDF page can be seen: their ink, their place, what lies behind them."""

import ctypes
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ingest.pdf_chars import INK, WHITE, WHITE_INK
from ingest.pdf_frame import PageFrame, Place

if TYPE_CHECKING:
    import pypdfium2

_DEPTH = 4
"""Of objects inside each other."""


def seen_chars(
    page: "pypdfium2.PdfPage",
    frame: PageFrame,
    ink: NDArray[np.int8],
    places: NDArray[np.float64],
) -> NDArray[np.bool_]:
    """Whether each character has ink, stands on the page and is not white on white.

    ``ink`` is that of ``PageChars``, ``places`` (n, 4) where they are shown.
    """
    x = (places[:, 0] + places[:, 2]) / 2
    y = (places[:, 1] + places[:, 3]) / 2
    is_seen = ink == INK
    is_white = ink == WHITE_INK
    if is_white.any():
        for back in _backgrounds(page, frame):
            is_on = (back.x0 <= x) & (x <= back.x1) & (back.y0 <= y) & (y <= back.y1)
            is_seen |= is_white & is_on
    seen: NDArray[np.bool_] = (
        is_seen & (x >= 0) & (x <= frame.width) & (y >= 0) & (y <= frame.height)
    )
    return seen


def _backgrounds(page: "pypdfium2.PdfPage", frame: PageFrame) -> list[Place]:
    """Where something that is not white is painted: pictures, shades, filled shapes."""
    import pypdfium2.raw as pdfium

    kinds = [pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_SHADING, pdfium.FPDF_PAGEOBJ_PATH]
    return [
        frame.place(*painted.get_bounds())
        for painted in page.get_objects(filter=kinds, max_depth=_DEPTH)
        if painted.type != pdfium.FPDF_PAGEOBJ_PATH or _is_coloured(painted)
    ]


def _is_coloured(path: "pypdfium2.PdfObject") -> bool:
    import pypdfium2.raw as pdfium

    mode, stroke = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(path, ctypes.byref(mode), ctypes.byref(stroke))
    colour = [ctypes.c_uint() for _ in range(4)]
    pdfium.FPDFPageObj_GetFillColor(path, *(ctypes.byref(part) for part in colour))
    *paint, opacity = (part.value for part in colour)
    return bool(mode.value) and opacity > 0 and min(paint) < WHITE
