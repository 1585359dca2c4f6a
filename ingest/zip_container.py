"""A ZIP as a container; not the document formats and programs that come packed as one."""

import stat
from dataclasses import replace
from typing import BinaryIO
from zipfile import ZipInfo

from ingest.archive import Archive
from ingest.config import IngestConfig
from ingest.container import ContainerKind, Entry, entry_of, with_free_paths

_PACKAGE_MARKS = {
    "[Content_Types].xml",
    "mimetype",
    "META-INF/MANIFEST.MF",
    "META-INF/container.xml",
    "AndroidManifest.xml",
    "Index/Document.iwa",
    "Index.zip",
    "word/document.xml",
    "xl/workbook.xml",
    "xl/workbook.bin",
    "ppt/presentation.xml",
}
"""Members that only packages have: one document or program, not a folder of files."""
ZIP_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
_UTF8_NAME = 0x800
_ENCRYPTED = 0x1


class ZipContainer:
    """Members of a ZIP.

    Raises (on making):
        ExtractionFailed: damaged, or more members than allowed.
    """

    kind: ContainerKind = "zip"
    missing = ""

    def __init__(self, stream: BinaryIO, config: IngestConfig) -> None:
        self._archive = Archive(stream, config)
        self._most = config.max_file_bytes
        self.is_package = not _PACKAGE_MARKS.isdisjoint(self._archive.names)
        self.entries = with_free_paths(
            [
                _entry(member, number)
                for number, member in enumerate(self._archive.members)
                if not member.filename.endswith("/")  # ``is_dir`` fails on an empty name
            ]
        )

    def read(self, entry: Entry) -> bytes:
        """Bytes of one member, inflated within the limits."""
        return self._archive.read_member(self._archive.members[entry.number], most=self._most)


def _entry(member: ZipInfo, number: int) -> Entry:
    entry = entry_of(_name(member), size=member.file_size, number=number)
    if entry.refusal:
        return entry
    if member.flag_bits & _ENCRYPTED:
        return replace(entry, refusal="encrypted", refusal_state="encrypted")
    if stat.S_ISLNK(member.external_attr >> 16):
        return replace(entry, refusal="a link; links in containers are not followed")
    return entry


def _name(member: ZipInfo) -> str:
    """The name in UTF-8 where that is what it is: many programs write it without saying so."""
    name = member.filename
    if not member.flag_bits & _UTF8_NAME:
        try:
            return name.encode("cp437").decode("utf-8")
        except UnicodeError:
            return name
    return name
