"""A TAR, plain or compressed, as a container."""

import lzma
import tarfile
import weakref
import zlib
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from ingest.compressed import decompressor, inflate
from ingest.config import IngestConfig
from ingest.container import ContainerKind, Entry, entry_of, with_free_paths
from ingest.errors import ExtractionFailed

_MARK, _MARK_AT = b"ustar", 257
_BLOCK = 512
_FAULTS = (
    tarfile.TarError,
    ValueError,
    OverflowError,
    EOFError,
    OSError,
    zlib.error,
    lzma.LZMAError,
)


class TarContainer:
    """Regular files of a TAR.

    A compressed one can only be read from its beginning, so it is inflated once into a nameless
    file of the build folder, where its members lie open.

    Raises (on making):
        ExtractionFailed: damaged before its first member, or beyond the limits.
    """

    kind: ContainerKind = "tar"

    def __init__(self, stream: BinaryIO, config: IngestConfig, *, folder: Path) -> None:
        self._config = config
        self.missing = ""
        try:
            self._open(stream, folder)
        except ExtractionFailed as failure:
            failure.is_container = True
            raise

    def _open(self, stream: BinaryIO, folder: Path) -> None:
        config = self._config
        self._members: list[tarfile.TarInfo] = []
        compressed = decompressor(stream)
        plain = stream
        if compressed is not None:
            packed_bytes = stream.seek(0, 2)
            stream.seek(0)
            plain, _, self.missing = inflate(compressed, packed_bytes, config, folder)
            weakref.finalize(self, plain.close)
        try:
            self._tar = tarfile.open(  # noqa: SIM115  (open as long as the container is)
                fileobj=plain, mode="r:", encoding="utf-8", errors="surrogateescape"
            )
        except _FAULTS as error:
            message = f"damaged container: {error}"
            raise ExtractionFailed(message) from error
        self._list()
        self.entries = with_free_paths(
            [
                _entry(member, number)
                for number, member in enumerate(self._members)
                if not member.isdir()
            ]
        )

    def read(self, entry: Entry) -> bytes:
        """Bytes of one member."""
        most = self._config.max_file_bytes
        if entry.size > most:
            message = f"{entry.size} bytes; max_file_bytes allows {most}"
            raise ExtractionFailed(message, state="refused")
        try:
            stream = self._tar.extractfile(self._members[entry.number])
            content = stream.read() if stream is not None else b""
        except _FAULTS as error:
            message = f"damaged in its container: {error}"
            raise ExtractionFailed(message) from error
        if len(content) != entry.size:
            message = f"damaged in its container: {len(content)} of {entry.size} bytes"
            raise ExtractionFailed(message)
        return content

    def _list(self) -> None:
        most = self._config.max_zip_entries
        try:
            for member in self._tar:
                self._members.append(member)
                if len(self._members) > most:
                    message = f"more than {most} members; max_zip_entries allows {most}"
                    raise ExtractionFailed(message, state="refused")
        except _FAULTS as error:
            self.missing = f"damaged after {len(self._members)} members: {error}"


def is_tar(stream: BinaryIO) -> bool:
    """Whether a TAR begins here, perhaps behind gzip, bzip2 or xz; the stream is left at 0."""
    try:
        head = (decompressor(stream) or stream).read(_BLOCK)
    except _FAULTS:
        head = b""
    stream.seek(0)
    return head[_MARK_AT:].startswith(_MARK)


def _entry(member: tarfile.TarInfo, number: int) -> Entry:
    name = member.name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    entry = entry_of(name, size=member.size, number=number)
    if entry.refusal:
        return entry
    if member.issym() or member.islnk():
        return replace(entry, refusal="a link; links in containers are not followed")
    if not member.isreg():
        return replace(entry, refusal="not a regular file (pipe or device)")
    return entry
