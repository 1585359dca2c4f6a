"""DOCX, straight from its XML: paragraphs, headings, lists, tables, notes, headers and footers.

The text is that of the accepted document: insertions are in, deletions and the old place of moved
text are out. Why not python-docx: 28 times slower, and it passes over insertions, text boxes,
content controls and notes.
"""

import re
from typing import TYPE_CHECKING

from corpora.document import SegmentRole
from ingest.archive import Archive
from ingest.config import IngestConfig
from ingest.docx_blocks import DocxBlocks, Styles
from ingest.errors import ExtractionFailed
from ingest.extract import Extract, ExtractBuilder
from ingest.missing_line import missing_line
from ingest.xml_part import parse_xml

if TYPE_CHECKING:
    from lxml.etree import _Element

DOCX_VERSION = 2
_DUBLIN_CORE = "{http://purl.org/dc/elements/1.1/}"
_TERMS = "{http://purl.org/dc/terms/}"
_NOTES = {"word/footnotes.xml", "word/endnotes.xml"}
_EDGE = re.compile(r"word/(header|footer)\d*\.xml")


def read_docx(content: bytes, config: IngestConfig) -> Extract:
    """Text of a Word document; notes, headers and footers stand at its end.

    ``missing`` names those of them that cannot be read.

    Raises:
        ExtractionFailed: damaged, encrypted, or beyond the limits for containers.
    """
    archive = Archive(content, config)
    names = set(archive.names)
    styles = Styles(parse_xml(archive, "word/styles.xml") if "word/styles.xml" in names else None)
    builder = ExtractBuilder()
    blocks = DocxBlocks(builder, styles)
    blocks.read(parse_xml(archive, "word/document.xml"), role="body")
    missing: list[str] = []
    for name in [*sorted(_NOTES & names), *sorted(filter(_EDGE.fullmatch, names))]:
        try:
            _read_beside(blocks, name, parse_xml(archive, name))
        except ExtractionFailed as error:
            if error.state == "refused":  # a limit of the whole container
                raise
            missing.append(str(error))
    properties = parse_xml(archive, "docProps/core.xml") if "docProps/core.xml" in names else None
    date = _property(properties, f"{_TERMS}modified") or _property(properties, f"{_TERMS}created")
    author = _property(properties, f"{_DUBLIN_CORE}creator")
    return Extract(
        text=builder.text,
        blocks=tuple(builder.blocks),
        title=_property(properties, f"{_DUBLIN_CORE}title") or blocks.title,
        date=date or None,
        date_source="DOCX properties" if date else None,
        metadata={"author": author} if author else {},
        n_replaced=builder.n_replaced,
        missing=missing_line(missing),
    )


def _read_beside(blocks: DocxBlocks, name: str, root: "_Element") -> None:
    """Notes, or a header or footer."""
    edge = _EDGE.fullmatch(name)
    if edge is None:
        for note in root:
            if note.get(f"{{{note.nsmap.get('w', '')}}}type") is None:  # separators have a type
                blocks.read(note, role="note")
        return
    role: SegmentRole = "header" if edge.group(1) == "header" else "footer"
    blocks.read(root, role=role)


def _property(properties: "_Element | None", tag: str) -> str:
    found = properties.findtext(tag) if properties is not None else None
    return (found or "").strip()
