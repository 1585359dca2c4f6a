"""Repair of a PDF whose end is lost or whose table of objects is: the pages that are still whole.

The objects are found by their marks, and a page counts where everything it refers to is there. A
page with a font missing would be read in another font's letters, so it is left out.

Why not a library that repairs: the one that reads most damaged files would be one dependency more.
What it finds beyond this are pages in packed object streams.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

_OBJECT = re.compile(rb"(?<![\d.])(\d{1,9})[ \t\r\n]+\d{1,5}[ \t\r\n]+obj\b")
_END = re.compile(rb"\bendobj\b")
_STREAM = re.compile(rb"\bstream\r?\n")
_REFERENCE = re.compile(rb"(?<![\d.])(\d{1,9})[ \t\r\n]+\d{1,5}[ \t\r\n]+R\b")
_FAMILY = re.compile(rb"/Parent[ \t\r\n]+\d+[ \t\r\n]+\d+[ \t\r\n]+R\b|/Kids[ \t\r\n]*\[[^\]]*\]")
"""Other pages."""
_PAGE = re.compile(rb"/Type[ \t\r\n]*/Page\b(?!s)")
_INHERITED = (b"/Resources", b"/MediaBox")
_PARENT_NUMBER = re.compile(rb"/Parent[ \t\r\n]+(\d+)")
_ENCRYPTED = b"/Encrypt"
_MOST_OBJECTS = 500_000


class Repaired(NamedTuple):
    """A file with its pages in the order in which they stand in it."""

    content: bytes
    n_pages: int
    n_lost: int
    """Pages that are there in part."""


def repaired_pdf(content: bytes) -> Repaired | None:
    """The pages of a damaged file that are whole, as a file; None if there are none."""
    if _ENCRYPTED in content:
        return None
    objects = dict(_objects(content))
    pages = [number for number, head in objects.items() if _PAGE.search(head)]
    whole = [number for number in pages if _is_whole(number, objects)]
    if not whole:
        return None
    root = max(objects) + 1
    kids = b" ".join(b"%d 0 R" % number for number in whole)
    added = {
        root: b"<</Type/Catalog/Pages %d 0 R>>" % (root + 1),
        root + 1: b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(whole), kids),
    }
    parts = [content[: content.rindex(b"endobj")], b"endobj\n"]  # no half object before ours
    for number, head in added.items():
        parts.append(b"%d 0 obj%s endobj\n" % (number, head))
    parts.append(b"trailer<</Root %d 0 R/Size %d>>\nstartxref\n0\n%%%%EOF\n" % (root, root + 2))
    return Repaired(b"".join(parts), len(whole), len(pages) - len(whole))


def _objects(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Number and dictionary of each object that is whole, later ones of a number last."""
    position = 0
    for _ in range(_MOST_OBJECTS):
        found = _OBJECT.search(content, position)
        end = _END.search(content, found.end()) if found else None
        if found is None or end is None:
            return
        body = content[found.end() : end.start()]
        stream = _STREAM.search(body)
        yield int(found[1]), body[: stream.start()] if stream else body
        position = end.end()


def _is_whole(page: int, objects: Mapping[int, bytes]) -> bool:
    """Whether all that the page draws on is there, what it inherits from above it included."""
    seen: set[int] = set()
    pending = [page]
    if not all(key in objects[page] for key in _INHERITED):
        parent = _PARENT_NUMBER.search(objects[page])
        if parent is None:
            return False
        pending.append(int(parent[1]))
    while pending:
        number = pending.pop()
        if number in seen:
            continue
        seen.add(number)
        if number not in objects:
            return False
        head = _FAMILY.sub(b"", objects[number])
        pending += [int(each) for each in _REFERENCE.findall(head) if int(each) not in seen]
    return True
