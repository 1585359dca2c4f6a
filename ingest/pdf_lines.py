"""Lines of a PDF page from pdfium's characters, with their places."""

import ctypes
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corpora.document import Box

if TYPE_CHECKING:
    import pypdfium2

_SOFT_HYPHENS = "\x02\ufffe"
_INVISIBLE_MODE = 3  # PDF 32000-1, table 106
_LEAST_POINTS = 2.0
"""Smaller letters cannot be read on paper."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a page; ``text`` may end in U+0002, a hyphen that only the line end brought."""

    text: str
    box: Box
    size: float
    """Height of the first letter's box, points."""
    hidden: bool


def page_lines(page: "pypdfium2.PdfPage", number: int) -> list[Line]:
    """Lines in content order; surrogate halves are joined."""
    import pypdfium2.raw as pdfium

    text_page = page.get_textpage()
    try:
        height = page.get_height()
        characters = [
            pdfium.FPDFText_GetUnicode(text_page, index) for index in range(text_page.count_chars())
        ]
        found: list[Line] = []
        start = 0
        for index, code in enumerate([*characters, ord("\n")]):
            if code in {ord("\n"), ord("\r")}:
                if start < index:
                    line = _line(text_page, characters, (start, index), number, height)
                    found += [line] if line is not None else []
                start = index + 1
        if found and all(line.hidden for line in found) and has_image(page):
            # Recognised text laid invisibly over a scan is what the reader sees.
            found = [
                Line(text=line.text, box=line.box, size=line.size, hidden=False) for line in found
            ]
        return found
    finally:
        text_page.close()


def _line(
    text_page: "pypdfium2.PdfTextPage",
    characters: list[int],
    span: tuple[int, int],
    number: int,
    height: float,
) -> Line | None:
    start, end = span
    text = _decoded(characters[start:end])
    shown = [index for index in range(start, end) if not chr(characters[index]).isspace()]
    if not text.strip() or not shown:
        return None
    first = _loose_box(text_page, shown[0])
    last = _loose_box(text_page, shown[-1])
    box = Box(
        number,
        round(min(first.left, last.left), 1),
        round(height - max(first.top, last.top), 1),
        round(max(first.right, last.right), 1),
        round(height - min(first.bottom, last.bottom), 1),
    )
    # A bullet is often set in another font than the words behind it.
    letter = next((index for index in shown if chr(characters[index]).isalnum()), shown[0])
    sized = _loose_box(text_page, letter)
    size = abs(sized.top - sized.bottom)
    is_hidden = size < _LEAST_POINTS or _render_mode(text_page, shown[0]) == _INVISIBLE_MODE
    return Line(text=text, box=box, size=round(size, 1), hidden=is_hidden)


def _decoded(codes: list[int]) -> str:
    """UTF-16 code units or code points to text; a soft hyphen inside a line is an ordinary one."""
    units = "".join(chr(code) for code in codes).encode("utf-16-le", "surrogatepass")
    text = units.decode("utf-16-le", "replace").rstrip()
    inner, tail = (text[:-1], text[-1]) if text[-1:] in tuple(_SOFT_HYPHENS) else (text, "")
    for mark in _SOFT_HYPHENS:
        inner = inner.replace(mark, "-")
    return inner + ("\x02" if tail else "")


def _loose_box(text_page: "pypdfium2.PdfTextPage", index: int) -> Any:
    import pypdfium2.raw as pdfium

    rectangle = pdfium.FS_RECTF()
    pdfium.FPDFText_GetLooseCharBox(text_page, index, ctypes.byref(rectangle))
    return rectangle


def _render_mode(text_page: "pypdfium2.PdfTextPage", index: int) -> int:
    import pypdfium2.raw as pdfium

    text_object = pdfium.FPDFText_GetTextObject(text_page, index)
    return int(pdfium.FPDFTextObj_GetTextRenderMode(text_object)) if text_object else 0


def has_image(page: "pypdfium2.PdfPage") -> bool:
    """Whether an image lies on the page."""
    import pypdfium2.raw as pdfium

    return (
        next(iter(page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=2)), None)
        is not None
    )
