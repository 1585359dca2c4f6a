"""A single file behind gzip, bzip2 or xz, as a container of one: ``manual.txt.gz!/manual.txt``."""

import weakref
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from ingest.compressed import Compressed, inflate
from ingest.config import IngestConfig
from ingest.container import ContainerKind, Entry, entry_of
from ingest.errors import ExtractionFailed

_SUFFIXES = {".gz", ".bz2", ".xz"}


class CompressedFile:
    """The file, named after ``path``: the name that a compressed stream may carry is anyone's.

    Raises (on making):
        ExtractionFailed: nothing can be inflated, or more than the limits allow.
    """

    kind: ContainerKind = "compressed"

    def __init__(
        self, compressed: Compressed, path: str, config: IngestConfig, *, n_bytes: int, folder: Path
    ) -> None:
        try:
            inflated = inflate(compressed, n_bytes, config, folder)
            weakref.finalize(self, inflated.stream.close)
            if inflated.damage and not inflated.size:
                raise ExtractionFailed(inflated.damage)
        except ExtractionFailed as failure:
            failure.is_container = True
            raise
        self._stream = inflated.stream
        self.missing = inflated.damage
        name = PurePosixPath(path)
        inner = name.stem if name.suffix.lower() in _SUFFIXES else name.name
        self.entries: Sequence[Entry] = [entry_of(inner, size=inflated.size, number=0)]

    def read(self, entry: Entry) -> bytes:
        """The whole file, or what comes before its damage."""
        self._stream.seek(0)
        return self._stream.read(entry.size)
