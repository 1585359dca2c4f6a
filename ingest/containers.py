"""Containers opened on the way to a member: ``a.zip!/Re plan.eml!/b.pdf``."""

import errno
from io import BytesIO
from pathlib import Path

from ingest.compressed import decompressor
from ingest.compressed_file import CompressedFile
from ingest.config import IngestConfig
from ingest.container import Container
from ingest.detect import detect_format
from ingest.errors import ExtractionFailed
from ingest.mail_container import MailContainer
from ingest.scan import MEMBER_MARK, ScannedFile
from ingest.tar_container import TarContainer, is_tar
from ingest.zip_container import ZIP_MAGIC, ZipContainer

HEAD_BYTES = 4096
_NO_TEXT = (b"PK", b"\xd0\xcf\x11\xe0", b"%PDF-")


class Containers:
    """Reads files and members; the containers above the last member stay open for the next one."""

    def __init__(self, config: IngestConfig, folder: Path) -> None:
        self._config = config
        self._folder = folder
        self._file: tuple[Path, int] | None = None
        self._open: dict[str, Container] = {}

    def read_bytes(self, file: ScannedFile) -> bytes:
        """The bytes of a file or of a member.

        Raises:
            OSError: it cannot be read, or is no longer in its container.
            ExtractionFailed: its container is damaged or beyond the limits.
        """
        if not file.member:
            return file.file.read_bytes()
        if self._file != (file.file, file.mtime_ns):
            self._open = {}
            self._file = (file.file, file.mtime_ns)
        content: bytes | None = None
        place = ""
        for part in file.member.split(MEMBER_MARK):
            container = self._open.get(place)
            if container is None:
                content = file.file.read_bytes() if content is None else content
                path = place.removesuffix(MEMBER_MARK) or file.file.name
                container = self.opened(content, path, is_message=True)
                if container is None:
                    break
                self._open[place] = container
            entries = [each for each in container.entries if each.path == part]
            if not entries:
                break
            content = container.read(entries[0])
            place += part + MEMBER_MARK
        else:
            if content is not None:
                return content
        raise FileNotFoundError(errno.ENOENT, "no longer in its container")

    def opened(self, content: bytes, path: str, *, is_message: bool = False) -> Container | None:
        """``content`` as a container; None if it is none.

        Args:
            content: The bytes of a file.
            path: Its name tells among texts, and names what is compressed.
            is_message: Whether it is a message if it is nothing else.

        Raises:
            ExtractionFailed: a container that is damaged or beyond the limits.
        """
        if content.startswith(ZIP_MAGIC):
            zipped = ZipContainer(BytesIO(content), self._config)
            return None if zipped.is_package else zipped
        if is_tar(BytesIO(content)):
            return TarContainer(BytesIO(content), self._config, folder=self._folder)
        compressed = decompressor(BytesIO(content))
        if compressed is not None:
            return CompressedFile(
                compressed, path, self._config, n_bytes=len(content), folder=self._folder
            )
        if is_message or is_mail(content[:HEAD_BYTES], path, self._config):
            return MailContainer(content)
        return None


def is_mail(head: bytes, path: str, config: IngestConfig) -> bool:
    """Whether a file that begins like this is a message or a mailbox."""
    try:
        is_text = bool(head) and not head.startswith(_NO_TEXT)
        return is_text and detect_format(head, path, config) in {"eml", "mbox"}
    except ExtractionFailed:
        return False
