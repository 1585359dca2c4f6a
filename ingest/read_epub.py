"""EPUB: the chapters in the order of the spine, each through the HTML reader.

Why not ebooklib: it is under the AGPL.
"""

import posixpath
import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from ingest.archive import Archive
from ingest.charset import declared_charset, decode_bytes
from ingest.config import IngestConfig
from ingest.dublin_core import dublin_core
from ingest.errors import ExtractionFailed
from ingest.extract import Extract
from ingest.joined_extract import JoinedExtract
from ingest.read_html import read_html
from ingest.xml_part import parse_xml

if TYPE_CHECKING:
    from lxml.etree import _Element

EPUB_VERSION = 2
_OPF = "{http://www.idpf.org/2007/opf}"
_CONTAINER = "{urn:oasis:names:tc:opendocument:xmlns:container}"
_ENCRYPTION = "{http://www.w3.org/2001/04/xmlenc#}"
_LOCKS = "META-INF/encryption.xml"
_CHAPTER_TYPES = {"application/xhtml+xml", "text/html"}
_VOID = "area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr"
_CLOSED_AT_ONCE = re.compile(
    rf"<(?!(?:{_VOID})\b)([A-Za-z][\w:.-]*)((?:\s[^<>]*?)?)/>", re.IGNORECASE
)


def read_epub(content: bytes, config: IngestConfig) -> Extract:
    """Text of all chapters; ``missing`` names those that are not there or cannot be read.

    Raises:
        ExtractionFailed: damaged, ``encrypted`` (every chapter under DRM), or beyond the limits.
    """
    archive = Archive(content, config)
    rootfile = parse_xml(archive, "META-INF/container.xml").find(f".//{_CONTAINER}rootfile")
    package_name = (rootfile.get("full-path") or "") if rootfile is not None else ""
    package = parse_xml(archive, package_name)
    chapters = _chapters(package, posixpath.dirname(package_name))
    locked = _locked(archive) & set(chapters)
    if chapters and len(locked) == len(chapters):
        message = "its chapters are encrypted (DRM)"
        raise ExtractionFailed(message, state="encrypted")
    joined = JoinedExtract()
    for name in chapters:
        if name in locked:
            joined.missing.append(f"{name}: encrypted")
            continue
        try:
            chapter = archive.read(name)
            decoded = decode_bytes(chapter, declared=declared_charset(chapter))
            if decoded is None:
                joined.missing.append(f"{name}: in no known charset")
            else:
                # As HTML, <title/> would not be closed, and the chapter be taken for its title.
                joined.append(read_html(_CLOSED_AT_ONCE.sub(r"<\1\2></\1>", decoded.text)))
        except ExtractionFailed as error:
            if error.state == "refused":
                raise
            joined.missing.append(f"{name}: {error}")
    if chapters and len(joined.missing) == len(chapters):
        message = f"none of its {len(chapters)} chapters can be read: {joined.missing[0]}"
        raise ExtractionFailed(message)
    core = dublin_core(package)
    return joined.extract(
        title=core.title,
        date=core.date or None,
        date_source="EPUB metadata" if core.date else None,
        metadata=core.metadata,
    )


def _chapters(package: "_Element", folder: str) -> list[str]:
    """Members that the spine names, without the table of contents; without a spine, all."""
    manifest = {item.get("id"): item for item in package.iter(f"{_OPF}item")}
    references = [reference.get("idref") for reference in package.iter(f"{_OPF}itemref")]
    names = []
    for item_id in dict.fromkeys(references or manifest):
        item = manifest.get(item_id)
        if item is None or item.get("media-type") not in _CHAPTER_TYPES:
            continue
        if "nav" not in (item.get("properties") or "").split():
            names.append(
                posixpath.normpath(posixpath.join(folder, unquote(item.get("href") or "")))
            )
    return names


def _locked(archive: Archive) -> set[str]:
    """Members that are encrypted; fonts often are, in books that can be read."""
    if _LOCKS not in archive.names:
        return set()
    references = parse_xml(archive, _LOCKS).iter(f"{_ENCRYPTION}CipherReference")
    return {unquote(reference.get("URI") or "") for reference in references}
