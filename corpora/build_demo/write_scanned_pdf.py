"""A source text as a PDF of scanned pages: pictures without a text layer.

The pages of the plain layout are drawn, laid a little askew, roughened and cut to black and white,
as an office scanner does it. They are stored in the fax coding CCITT Group 4: 20 to 45 kB a page,
and one coding for a given picture. Why not PNG: it is deflated, and the bytes depend on the zlib
build. Why not JPEG in grey: seven times as large.
"""

from typing import TYPE_CHECKING

from corpora.build_demo.block import Block
from corpora.build_demo.pdf_document import prepare_pdf
from corpora.build_demo.targets import Target
from corpora.build_demo.write_pdf import write_pdf

if TYPE_CHECKING:
    from PIL.Image import Image

DPI = 200
ASKEW_DEGREES = 0.7
INK_BELOW = 150
"""Grey, of 0 (black) to 255 (white), that becomes black."""
DUST = 12
"""Specks among 65,536 pixels."""


def write_scanned_pdf(blocks: list[Block], target: Target) -> bytes:
    """A4 pages, each one picture of 200 dots an inch in black and white."""
    from fpdf import FPDF

    pdf = FPDF(format="A4")
    prepare_pdf(pdf, title=blocks[0].text, target=target)
    pdf.set_auto_page_break(False)
    for seed, page in enumerate(draw_pages(write_pdf(blocks, target)), start=1):
        pdf.add_page()
        pdf.image(degrade(page, seed=seed), x=0, y=0, w=pdf.w, h=pdf.h)
    return bytes(pdf.output())


def draw_pages(content: bytes) -> list["Image"]:
    """The pages of a PDF in grey, drawn with PDFium's own fonts.

    The fonts of the system are switched off for the process: PDFium prefers them, and the picture
    would depend on what is installed.
    """
    import pypdfium2
    import pypdfium2.raw

    pypdfium2.raw.FPDF_SetSystemFontInfo(None)
    document = pypdfium2.PdfDocument(content)
    try:
        return [page.render(scale=DPI / 72, grayscale=True).to_pil() for page in document]
    finally:
        document.close()


def degrade(page: "Image", *, seed: int) -> "Image":
    """A page askew, its edges rough, with specks of dust; 1 bit a pixel."""
    import numpy as np
    from PIL import Image

    askew = page.rotate(ASKEW_DEGREES, Image.Resampling.BILINEAR, fillcolor=255)
    grey = np.asarray(askew, dtype=np.int16)  # (height, width)
    # The raw stream, as the only one that NumPy promises to keep.
    raw = np.random.PCG64(seed).random_raw((grey.size + 3) // 4).view("<u2")[: grey.size]
    noise = raw.reshape(grey.shape)
    roughness = (noise >> 9).astype(np.int16) - 64  # -64 to 63
    is_paper = (grey + roughness >= INK_BELOW) & (noise >= DUST)
    return Image.fromarray(is_paper)
