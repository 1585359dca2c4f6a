"""Characters of a PDF page, all read in one pass of compiled code over pdfium's functions.

Why compiled: five calls a character from Python take ten times as long as pdfium needs to lay the
page out.
"""

import ctypes
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpora.compiled import compiled, foreign

if TYPE_CHECKING:
    import pypdfium2

NO_INK, WHITE_INK, INK = 0, 1, 2
WHITE = 250
"""Of 255, the least of all three colours; paler ink cannot be read on paper."""
_INVISIBLE_MODE = 3  # PDF 32000-1, table 106
_CALLS = {
    "FPDFText_GetUnicode": "uint32(intp, int32)",
    "FPDFText_GetLooseCharBox": "int32(intp, int32, intp)",
    "FPDFText_IsGenerated": "int32(intp, int32)",
    "FPDFText_GetTextObject": "intp(intp, int32)",
    "FPDFTextObj_GetTextRenderMode": "int32(intp)",
    "FPDFText_GetFillColor": "int32(intp, int32, intp, intp, intp, intp)",
}
_SIGNATURE = ", ".join(["intp", "int32", *_CALLS.values()])


class PageChars(NamedTuple):
    """What pdfium says of each of a page's n characters; one outside the basic plane counts two."""

    codes: NDArray[np.uint32]
    """UTF-16 code units."""
    rectangles: NDArray[np.float64]
    """(n, 4): left, bottom, right, top in the page's own coordinates, with the room that the font
    keeps above and below.
    """
    generated: NDArray[np.bool_]
    """Whether pdfium put the character in, for a gap between two letters."""
    ink: NDArray[np.int8]
    """``NO_INK`` is invisible or transparent, ``WHITE_INK`` seen on a ground of another colour."""


def page_chars(text_page: "pypdfium2.PdfTextPage") -> PageChars:
    """All characters of a page in pdfium's order."""
    address = ctypes.cast(text_page.raw, ctypes.c_void_p).value
    return PageChars(
        *compiled(_characters, _SIGNATURE)(address, text_page.count_chars(), *_functions())
    )


@cache
def _functions() -> tuple[object, ...]:
    import pypdfium2.raw as pdfium

    return tuple(foreign(getattr(pdfium, name), kind) for name, kind in _CALLS.items())


def _characters(  # noqa: PLR0917 - compiled code takes no keywords
    page: int,
    n: int,
    get_unicode: Any,
    get_loose_box: Any,
    is_generated: Any,
    get_text_object: Any,
    get_render_mode: Any,
    get_fill_colour: Any,
) -> tuple[Any, ...]:
    codes = np.empty(n, np.uint32)
    rectangles = np.zeros((n, 4), np.float64)
    generated = np.empty(n, np.bool_)
    inks = np.empty(n, np.int8)
    box = np.zeros(4, np.float32)  # left, top, right, bottom
    colour = np.zeros(4, np.uint32)
    box_address, colour_address = np.intp(box.ctypes.data), np.intp(colour.ctypes.data)
    last_object, ink = 0, INK
    for index in range(n):
        codes[index] = get_unicode(page, index)
        if get_loose_box(page, index, box_address):
            rectangles[index, 0] = box[0]
            rectangles[index, 1] = box[3]
            rectangles[index, 2] = box[2]
            rectangles[index, 3] = box[1]
        generated[index] = is_generated(page, index) == 1
        text_object = get_text_object(page, index)
        if not text_object or text_object != last_object:
            ink = INK
            if text_object and get_render_mode(text_object) == _INVISIBLE_MODE:
                ink = NO_INK
            elif get_fill_colour(
                page,
                index,
                colour_address,
                colour_address + 4,
                colour_address + 8,
                colour_address + 12,
            ):
                if colour[3] == 0:
                    ink = NO_INK
                elif min(colour[0], colour[1], colour[2]) >= WHITE:
                    ink = WHITE_INK
            last_object = text_object
        inks[index] = ink
    return codes, rectangles, generated, inks
