"""PageText: the characters of one PDF page as pdfium reads them, with their places."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ingest.pdf_blanks import missing_blanks
from ingest.pdf_chars import page_chars
from ingest.pdf_frame import PageFrame
from ingest.pdf_ink import seen_chars

if TYPE_CHECKING:
    import pypdfium2

SOFT_HYPHENS = "\x02\ufffe"
"""pdfium's marks for a hyphen that ends a line; it leaves the line break after them out."""
_REPLACEMENT = 0xFFFD
_N_CODES = 0x10000


class PageText:
    """Characters by index, with blanks put in where only a gap parts two words.

    One outside the basic plane counts two, a surrogate each. Arrays have a row a character.
    """

    def __init__(
        self,
        page: "pypdfium2.PdfPage",
        text_page: "pypdfium2.PdfTextPage",
        frame: PageFrame,
    ) -> None:
        chars = page_chars(text_page)
        codes = np.where(chars.codes < _N_CODES, chars.codes, np.uint32(_REPLACEMENT))
        places = frame.places(chars.rectangles)
        seen = seen_chars(page, frame, chars.ink, places)
        gaps = missing_blanks(codes, places, _codes_that(str.isspace)[codes])
        self.codes = np.insert(codes, gaps, ord(" "))
        self.characters = self.codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
        """All in a row."""
        self.places: NDArray[np.float64] = np.insert(places, gaps, places[gaps], axis=0)
        """Where each stands, with the room its font keeps above and below: x0, y0, x1, y1."""
        self.seen: NDArray[np.bool_] = np.insert(seen, gaps, seen[gaps])
        """Whether who looks at the page sees it."""
        self.generated: NDArray[np.bool_] = np.insert(chars.generated, gaps, values=True)
        """Whether it is none of the page's but stands for a gap between two."""
        self.blank = _codes_that(str.isspace)[self.codes]
        self.alphanumeric = _codes_that(str.isalnum)[self.codes]

    def text(self, start: int, end: int) -> str:
        """Characters of ``[start, end)``; a hyphen's mark stays at the end, else is a hyphen."""
        text = self.characters[start:end].strip()
        if not text.isascii():
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        has_mark = text.endswith(tuple(SOFT_HYPHENS))
        for mark in SOFT_HYPHENS:
            text = text.replace(mark, "-")
        return text[:-1] + "\x02" if has_mark else text


@contextmanager
def opened_text(page: "pypdfium2.PdfPage", frame: PageFrame) -> Iterator[PageText]:
    """The text of ``page``, for as long as it is needed."""
    text_page = page.get_textpage()
    try:
        yield PageText(page, text_page, frame)
    finally:
        text_page.close()


@cache
def _codes_that(holds: Callable[[str], bool]) -> NDArray[np.bool_]:
    """For each code of the basic plane whether ``holds`` is true of it."""
    return np.fromiter(map(holds, map(chr, range(_N_CODES))), np.bool_, _N_CODES)
