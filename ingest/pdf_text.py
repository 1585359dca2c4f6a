"""PageText: the characters of one PDF page as pdfium reads them, with their places."""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ingest.pdf_frame import PageFrame, Place
from ingest.pdf_ink import PageInk

if TYPE_CHECKING:
    import pypdfium2

SOFT_HYPHENS = "\x02\ufffe"
"""pdfium's marks for a hyphen that ends a line; it leaves the line break after them out."""


class PageText:
    """Characters by pdfium's index; those outside the basic plane take two, a surrogate each."""

    def __init__(
        self,
        page: "pypdfium2.PdfPage",
        text_page: "pypdfium2.PdfTextPage",
        frame: PageFrame,
    ) -> None:
        import pypdfium2.raw as pdfium

        self._page = text_page
        self._ink = PageInk(page, text_page, frame)
        self._frame = frame
        self._raw = pdfium
        self._rectangle = pdfium.FS_RECTF()
        self.codes: list[int] = [
            pdfium.FPDFText_GetUnicode(text_page, index) for index in range(text_page.count_chars())
        ]

    def place(self, index: int) -> Place:
        """Where a character stands, with the room its font keeps above and below."""
        rectangle = self._rectangle
        self._raw.FPDFText_GetLooseCharBox(self._page, index, ctypes.byref(rectangle))
        return self._frame.place(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top)

    def is_generated(self, index: int) -> bool:
        """Whether pdfium put the character in, for a gap between two letters."""
        return bool(self._raw.FPDFText_IsGenerated(self._page, index))

    def is_hidden(self, index: int) -> bool:
        """Whether who looks at the page does not see the character."""
        return not self._ink.is_seen(index, self.place(index))

    def is_blank(self, index: int) -> bool:
        """Whether the character is white space."""
        return chr(self.codes[index]).isspace()

    def text(self, start: int, end: int) -> str:
        """Characters of ``[start, end)``; a hyphen's mark stays at the end, else is a hyphen."""
        units = "".join(chr(code) for code in self.codes[start:end])
        text = units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").strip()
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
