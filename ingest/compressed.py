"""Streams behind gzip, bzip2 or xz, inflated within limits."""

import bz2
import gzip
import lzma
import os
import tempfile
import zlib
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ingest.config import IngestConfig
from ingest.errors import ExtractionFailed
from ingest.write_limit import writing_allowed

COMPRESSED_MAGIC = _GZIP, _BZIP2, _XZ = b"\x1f\x8b", b"BZh", b"\xfd7zXZ"
"""How a compressed stream begins."""
_READ_BYTES = 2**20
_FREE_RATIO_BYTES = 10 * 2**20

Compressed = gzip.GzipFile | bz2.BZ2File | lzma.LZMAFile


class Inflated(NamedTuple):
    """What a compressed stream held, to be read in any order."""

    stream: BinaryIO
    size: int
    damage: str
    """Where it broke off; empty: it is whole."""


def decompressor(stream: BinaryIO) -> Compressed | None:
    """The stream behind ``stream``, which is left at 0; None if it is not compressed."""
    head = stream.read(8)
    stream.seek(0)
    if head.startswith(_GZIP):
        return gzip.GzipFile(fileobj=stream)
    if head.startswith(_BZIP2):
        return bz2.BZ2File(stream)
    return lzma.LZMAFile(stream) if head.startswith(_XZ) else None


def inflate(
    compressed: Compressed, packed_bytes: int, config: IngestConfig, folder: Path
) -> Inflated:
    """Everything that comes before its end or its damage, in a nameless file of the build folder.

    Raises:
        ExtractionFailed: it inflates beyond the limits.
    """
    most = min(config.max_zip_bytes, max(_FREE_RATIO_BYTES, packed_bytes * config.max_zip_ratio))
    n_bytes = 0
    damage = ""
    with writing_allowed():
        spool = _nameless_file(folder)
        while not damage:
            try:
                part = compressed.read1(_READ_BYTES)
            except (EOFError, zlib.error, lzma.LZMAError, OSError) as error:
                if isinstance(error, OSError) and error.errno is not None:
                    raise  # not the stream's fault
                damage = f"damaged after {n_bytes} inflated bytes: {error}"
                break
            if not part:
                break
            n_bytes += len(part)
            if n_bytes > most:
                spool.close()
                message = f"inflates beyond {most} bytes (max_zip_bytes, max_zip_ratio)"
                raise ExtractionFailed(message, state="refused")
            spool.write(part)
        spool.seek(0)
    return Inflated(spool, n_bytes, damage)


def _nameless_file(folder: Path) -> BinaryIO:
    """In the build folder; in memory for a dry run, which has none and writes nothing."""
    if not folder.is_dir():
        return BytesIO()
    descriptor, name = tempfile.mkstemp(dir=folder)
    Path(name).unlink()
    return os.fdopen(descriptor, "w+b")
