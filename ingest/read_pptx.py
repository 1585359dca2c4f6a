"""PPTX, straight from its XML: slide by slide, the slide's number as the page.

Why not python-pptx: it opens the container by itself, past our limits; a damaged part ends it with
whatever error it runs into, where here the other slides are read; and it passes over SmartArt.
"""

from corpora.document import PageSpan
from ingest.archive import Archive
from ingest.config import IngestConfig
from ingest.dublin_core import DublinCore, dublin_core
from ingest.errors import ExtractionFailed
from ingest.extract import Extract, ExtractBuilder
from ingest.missing_line import missing_line
from ingest.package_parts import relations
from ingest.slide_blocks import SlideBlocks
from ingest.xml_part import parse_xml

PPTX_VERSION = 1
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_MAIN = "ppt/presentation.xml"
_PROPERTIES = "docProps/core.xml"


def read_pptx(content: bytes, config: IngestConfig) -> Extract:
    """Text of all slides in the order of the show, speaker notes behind each.

    Slides that are skipped in the show are hidden. ``missing`` names those that cannot be read.

    Raises:
        ExtractionFailed: damaged, encrypted, or beyond the limits for containers.
    """
    archive = Archive(content, config)
    builder = ExtractBuilder()
    blocks = SlideBlocks(builder, archive)
    parts = relations(archive, _MAIN)
    pages: list[PageSpan] = []
    failed: list[str] = []
    listed = [node.get(f"{_R}id") for node in parse_xml(archive, _MAIN).iter(f"{_P}sldId")]
    for number, relation_id in enumerate(listed, start=1):
        n_before = len(builder.blocks)
        try:
            _read_slide(archive, blocks, parts[relation_id or ""].part, number)
        except KeyError:
            failed.append(f"slide {number}: is missing")
        except ExtractionFailed as error:
            if error.state == "refused":  # a limit of the whole container
                raise
            failed.append(f"slide {number}: {error}")
        if len(builder.blocks) > n_before:
            pages.append(PageSpan(number, builder.blocks[n_before].start, builder.length))
    if failed and len(failed) == len(listed):
        message = f"none of its {len(listed)} slides can be read: {failed[0]}"
        raise ExtractionFailed(message)
    core = DublinCore()
    if _PROPERTIES in archive.names:
        core = dublin_core(parse_xml(archive, _PROPERTIES))
    return Extract(
        text=builder.text,
        blocks=tuple(builder.blocks),
        title=core.title,
        date=core.date or None,
        date_source="PPTX properties" if core.date else None,
        page_spans=tuple(pages),
        metadata=core.metadata,
        n_replaced=builder.n_replaced,
        missing=missing_line(failed),
    )


def _read_slide(archive: Archive, blocks: SlideBlocks, part: str, number: int) -> None:
    slide = parse_xml(archive, part)
    hidden = slide.get("show") in {"0", "false"}
    linked = relations(archive, part)
    blocks.read(slide, linked, number=number, hidden=hidden)
    for relation in linked.values():
        if relation.kind == "notesSlide":
            blocks.read_notes(parse_xml(archive, relation.part), hidden=hidden)
