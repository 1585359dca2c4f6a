"""What the PDF layouts have in common: properties, page words and the letters of their fonts.

The fonts are the fourteen that every PDF reader has, with the letters of Windows-1252. Why not a
font of our own: it would be bundled for a demo, and Chinese ones are larger than the product.
"""

import datetime
from collections.abc import Sequence
from typing import TYPE_CHECKING

from corpora.build_demo.block import Block
from corpora.build_demo.targets import Target
from corpora.errors import CorpusError

if TYPE_CHECKING:
    from fpdf import FPDF

ENCODING = "windows-1252"
PAGE_WORD = {"de": "Seite", "en": "page"}


def prepare_pdf(pdf: "FPDF", *, title: str, target: Target) -> None:
    """Sets the properties; nothing is deflated, and the dates are the target's."""
    pdf.core_fonts_encoding = ENCODING
    pdf.set_compression(False)
    pdf.set_creation_date(target.time.replace(tzinfo=datetime.UTC))
    pdf.set_title(title)
    pdf.set_author(target.author)
    pdf.set_producer("corpora.build_demo")
    pdf.set_lang(target.language)


def require_letters(blocks: Sequence[Block]) -> None:
    """Nothing, when the fonts have every letter of the blocks.

    Raises:
        CorpusError: names the letters they lack.
    """
    text = "".join(block.text + "".join(map("".join, block.rows)) for block in blocks)
    lacking = sorted(letter for letter in set(text) if not letter.encode(ENCODING, "ignore"))
    if lacking:
        message = (
            f"the fonts of PDF lack {''.join(lacking)!r}; they have the letters of {ENCODING}, "
            "so write it otherwise or choose another format"
        )
        raise CorpusError(message)
