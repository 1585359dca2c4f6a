"""Whether a character of a PDF page can be seen: its ink, its place, what lies behind it."""

import ctypes
from functools import cached_property
from typing import TYPE_CHECKING

from ingest.pdf_frame import PageFrame, Place

if TYPE_CHECKING:
    import pypdfium2

_INVISIBLE_MODE = 3  # PDF 32000-1, table 106
_WHITE = 250
"""Of 255, the least of all three colours; paler ink cannot be read on paper."""
_DEPTH = 4
"""Of objects inside each other."""


class PageInk:
    """What ink the characters have, by pdfium's index."""

    def __init__(
        self,
        page: "pypdfium2.PdfPage",
        text_page: "pypdfium2.PdfTextPage",
        frame: PageFrame,
    ) -> None:
        import pypdfium2.raw as pdfium

        self._page = page
        self._text_page = text_page
        self._frame = frame
        self._raw = pdfium

    def is_seen(self, index: int, place: Place) -> bool:
        """Whether the character that stands at ``place`` has ink, on the page and not white on
        white.
        """
        text_object = self._raw.FPDFText_GetTextObject(self._text_page, index)
        if text_object and self._raw.FPDFTextObj_GetTextRenderMode(text_object) == _INVISIBLE_MODE:
            return False
        if not self._is_on_page(place):
            return False
        colour = [ctypes.c_uint() for _ in range(4)]
        if not self._raw.FPDFText_GetFillColor(
            self._text_page, index, *(ctypes.byref(part) for part in colour)
        ):
            return True
        *paint, opacity = (part.value for part in colour)
        if not opacity:
            return False
        return min(paint) < _WHITE or any(_holds(back, place) for back in self._backgrounds)

    def _is_on_page(self, place: Place) -> bool:
        x, y = place.middle
        return 0 <= x <= self._frame.width and 0 <= y <= self._frame.height

    @cached_property
    def _backgrounds(self) -> list[Place]:
        """Where something that is not white is painted: pictures, shades, filled shapes."""
        raw = self._raw
        found = []
        kinds = [raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_SHADING, raw.FPDF_PAGEOBJ_PATH]
        for painted in self._page.get_objects(filter=kinds, max_depth=_DEPTH):
            if painted.type == raw.FPDF_PAGEOBJ_PATH and not self._is_coloured(painted):
                continue
            found.append(self._frame.place(*painted.get_bounds()))
        return found

    def _is_coloured(self, path: "pypdfium2.PdfObject") -> bool:
        mode, stroke = ctypes.c_int(), ctypes.c_int()
        self._raw.FPDFPath_GetDrawMode(path, ctypes.byref(mode), ctypes.byref(stroke))
        colour = [ctypes.c_uint() for _ in range(4)]
        self._raw.FPDFPageObj_GetFillColor(path, *(ctypes.byref(part) for part in colour))
        *paint, opacity = (part.value for part in colour)
        return bool(mode.value) and opacity > 0 and min(paint) < _WHITE


def _holds(back: Place, place: Place) -> bool:
    x, y = place.middle
    return back.x0 <= x <= back.x1 and back.y0 <= y <= back.y1
