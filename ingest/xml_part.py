"""XML members of containers (DOCX, PPTX, ODT, EPUB), parsed without entities or networks."""

from typing import TYPE_CHECKING

from ingest.archive import Archive
from ingest.errors import ExtractionFailed

if TYPE_CHECKING:
    from lxml.etree import _Element


def parse_xml(archive: Archive, name: str) -> "_Element":
    """A member's root element; entities, networks and unusual depths are refused.

    Raises:
        ExtractionFailed: not well formed, or beyond libxml2's own limits.
    """
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        huge_tree=False,
        load_dtd=False,
        remove_comments=True,
    )
    try:
        return etree.fromstring(archive.read(name), parser)
    except etree.XMLSyntaxError as error:
        message = f"{name} is damaged: {error}"
        raise ExtractionFailed(message) from error
