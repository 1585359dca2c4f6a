"""ZIP containers, opened only within limits: their headers are not to be trusted."""

import io
import zipfile
import zlib
from typing import BinaryIO

from ingest.config import IngestConfig
from ingest.errors import ExtractionFailed

_FREE_RATIO_BYTES = 10 * 2**20
_READ_BYTES = 2**20


class Archive:
    """Members of one container; what is really inflated is counted against the limits.

    Raises (on making):
        ExtractionFailed: damaged (``corrupt``), or more members than allowed (``refused``).
    """

    def __init__(self, content: bytes | BinaryIO, config: IngestConfig) -> None:
        self._config = config
        self._left_bytes = config.max_zip_bytes
        stream = io.BytesIO(content) if isinstance(content, bytes) else content
        try:
            self._zip = zipfile.ZipFile(stream)
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
            message = f"damaged container: {error}"
            raise ExtractionFailed(message) from error
        self.members = tuple(self._zip.infolist())
        if len(self.members) > config.max_zip_entries:
            message = (
                f"{len(self.members)} members; max_zip_entries allows {config.max_zip_entries}"
            )
            raise ExtractionFailed(message, state="refused")
        self.names = tuple(member.filename for member in self.members)

    def read(self, name: str) -> bytes:
        """Bytes of one member; all that is read together is counted against ``max_zip_bytes``.

        Raises:
            ExtractionFailed: absent or damaged, encrypted, or inflating beyond the limits.
        """
        try:
            member = self._zip.getinfo(name)
        except KeyError as error:
            message = f"member {name!r} is missing"
            raise ExtractionFailed(message) from error
        content = self.read_member(member, most=self._left_bytes)
        self._left_bytes -= len(content)
        return content

    def read_member(self, member: zipfile.ZipInfo, *, most: int) -> bytes:
        """Bytes of one member, ``most`` at most.

        Raises:
            ExtractionFailed: damaged, encrypted, or inflating beyond the limits.
        """
        name = member.filename
        most = min(most, max(_FREE_RATIO_BYTES, member.compress_size * self._config.max_zip_ratio))
        try:
            parts = []
            n_bytes = 0
            with self._zip.open(member) as stream:
                while part := stream.read(_READ_BYTES):
                    n_bytes += len(part)
                    if n_bytes > most:
                        message = f"member {name!r} inflates beyond {most} bytes"
                        raise ExtractionFailed(message, state="refused")
                    parts.append(part)
        except NotImplementedError as error:
            message = f"member {name!r} is packed in a way that cannot be read: {error}"
            raise ExtractionFailed(message, state="unsupported") from error
        except RuntimeError as error:
            message = f"member {name!r} is encrypted"
            raise ExtractionFailed(message, state="encrypted") from error
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
            message = f"member {name!r} is damaged: {error}"
            raise ExtractionFailed(message) from error
        return b"".join(parts)

    def check_sizes(self) -> None:
        """Inflate everything once, for libraries that open the container by themselves."""
        for name in self.names:
            self.read(name)
