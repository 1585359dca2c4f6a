"""Parts of an Open Packaging container (PPTX) and the relations from one part to others."""

import posixpath
from typing import NamedTuple

from ingest.archive import Archive
from ingest.xml_part import parse_xml


class Relation(NamedTuple):
    """One relation: the last word of its type (``notesSlide``) and the name of the part."""

    kind: str
    part: str


def relations(archive: Archive, part: str) -> dict[str, Relation]:
    """Relations of ``part`` to other parts by their ids; those out of the container are left out.

    Raises:
        ExtractionFailed: the list of relations is damaged.
    """
    folder, name = posixpath.split(part)
    listing = f"{folder}/_rels/{name}.rels"
    if listing not in archive.names:
        return {}
    found = {}
    for node in parse_xml(archive, listing):
        if node.get("TargetMode") != "External":
            target = posixpath.normpath(posixpath.join("/", folder, node.get("Target") or ""))
            kind = (node.get("Type") or "").rpartition("/")[2]
            found[node.get("Id") or ""] = Relation(kind, target.lstrip("/"))
    return found
