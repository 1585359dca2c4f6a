"""Images: the words in PNG, JPEG and TIFF files, by OCR."""

import struct
from dataclasses import replace

from ingest.config import IngestConfig
from ingest.errors import ExtractionFailed
from ingest.extract import Extract
from ingest.ocr import last_begin, recognise
from ingest.ocr_lines import recognised_lines
from ingest.pdf_blocks import build_extract
from ingest.pdf_lines import Line

IMAGE_VERSION = 1
_MOST_PAGES = 1_000
_TIFF_ORDERS = {b"II*\x00": "<", b"MM\x00*": ">"}


def read_image(content: bytes, config: IngestConfig) -> Extract:
    """The words of an image; boxes count its pixels as points.

    Raises:
        ExtractionFailed: ``needs_ocr`` where tesseract is not installed; ``empty``, ``timeout`` or
            ``corrupt`` where no page gives a word.
    """
    lines: list[Line] = []
    missing: list[str] = []
    failures: list[ExtractionFailed] = []
    until = last_begin(config)
    for page in range(n_pages(content)):
        try:
            tsv = recognise(content, config, until=until, page=page)
        except ExtractionFailed as failure:
            if failure.state == "needs_ocr":
                raise
            failures.append(failure)
            missing.append(f"page {page + 1}: {failure}")
            continue
        lines += recognised_lines(tsv, page=page + 1, scale=1.0)
    if not lines:
        if failures:
            raise failures[0]
        message = "no words seen in the image"
        raise ExtractionFailed(message, state="empty")
    return replace(build_extract(lines, [], missing="; ".join(missing)), wants_ocr=True)


def n_pages(content: bytes) -> int:
    """Images in the file: those of a TIFF's chain of directories; of every other format, one."""
    order = _TIFF_ORDERS.get(content[:4])
    if order is None:
        return 1
    number = 0
    try:
        (offset,) = struct.unpack_from(f"{order}I", content, 4)
        while offset and number < _MOST_PAGES:
            (n_entries,) = struct.unpack_from(f"{order}H", content, offset)
            (offset,) = struct.unpack_from(f"{order}I", content, offset + 2 + 12 * n_entries)
            number += 1
    except struct.error:
        return max(number, 1)
    return max(number, 1)
