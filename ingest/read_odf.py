"""ODT and ODP (OpenDocument), straight from their XML.

Why not odfpy: ten times slower, and it failed on files that other writers had made.
"""

from corpora.document import PageSpan
from ingest.archive import Archive
from ingest.config import IngestConfig
from ingest.dublin_core import DublinCore, dublin_core
from ingest.errors import ExtractionFailed
from ingest.extract import Extract, ExtractBuilder
from ingest.odf_blocks import OFFICE, STYLE, OdfBlocks, OdfStyles
from ingest.xml_part import parse_xml

ODF_VERSION = 1
_DRAW = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
_MANIFEST = "META-INF/manifest.xml"


def read_odt(content: bytes, config: IngestConfig) -> Extract:
    """Text of a text document; headers and footers of its pages stand at its end.

    Raises:
        ExtractionFailed: damaged, encrypted, or beyond the limits for containers.
    """
    archive = _opened(content, config)
    builder = ExtractBuilder()
    root = parse_xml(archive, "content.xml")
    styles = parse_xml(archive, "styles.xml") if "styles.xml" in archive.names else None
    blocks = OdfBlocks(builder, OdfStyles(root, styles))
    for body in root.iter(f"{OFFICE}text"):
        blocks.read(body, role="body")
    for edge in styles.iter(f"{STYLE}header", f"{STYLE}footer") if styles is not None else ():
        blocks.read(edge, role="header" if edge.tag == f"{STYLE}header" else "footer")
    return _extract(archive, builder, title=blocks.title, pages=[])


def read_odp(content: bytes, config: IngestConfig) -> Extract:
    """Text of a presentation slide by slide, the slide's number as page, notes behind each.

    Raises:
        ExtractionFailed: damaged, encrypted, or beyond the limits for containers.
    """
    archive = _opened(content, config)
    builder = ExtractBuilder()
    root = parse_xml(archive, "content.xml")
    blocks = OdfBlocks(builder, OdfStyles(root, None))
    pages = []
    for number, page in enumerate(root.iter(f"{_DRAW}page"), start=1):
        n_before = len(builder.blocks)
        blocks.read_slide(page, number=number)
        if len(builder.blocks) > n_before:
            pages.append(PageSpan(number, builder.blocks[n_before].start, builder.length))
    return _extract(archive, builder, title="", pages=pages)


def _opened(content: bytes, config: IngestConfig) -> Archive:
    archive = Archive(content, config)
    if _MANIFEST in archive.names and b"encryption-data" in archive.read(_MANIFEST):
        message = "the document is encrypted"
        raise ExtractionFailed(message, state="encrypted")
    return archive


def _extract(
    archive: Archive, builder: ExtractBuilder, *, title: str, pages: list[PageSpan]
) -> Extract:
    core = DublinCore()
    if "meta.xml" in archive.names:
        core = dublin_core(parse_xml(archive, "meta.xml"))
    return Extract(
        text=builder.text,
        blocks=tuple(builder.blocks),
        title=core.title or title,
        date=core.date or None,
        date_source="OpenDocument properties" if core.date else None,
        page_spans=tuple(pages),
        metadata=core.metadata,
        n_replaced=builder.n_replaced,
    )
