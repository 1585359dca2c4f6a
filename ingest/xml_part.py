"""XML members of containers (DOCX, PPTX, ODT, EPUB), parsed without entities or networks."""

from typing import TYPE_CHECKING

from ingest.archive import Archive
from ingest.errors import ExtractionFailed

if TYPE_CHECKING:
    from lxml.etree import _Element


_OOXML, _PURL = b"http://schemas.openxmlformats.org/", b"http://purl.oclc.org/ooxml/"
_STRICT = [
    (_PURL + strict, _OOXML + common)
    for strict, common in (
        (b"wordprocessingml/main", b"wordprocessingml/2006/main"),
        (b"presentationml/main", b"presentationml/2006/main"),
        (b"drawingml/", b"drawingml/2006/"),
        (b"officeDocument/", b"officeDocument/2006/"),
    )
]
"""Namespaces of the strict variant of Office files, and those that all others have."""


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
    content = archive.read(name)
    for strict, common in _STRICT:
        content = content.replace(strict, common)
    try:
        return etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        message = f"{name} is damaged: {error}"
        raise ExtractionFailed(message) from error
