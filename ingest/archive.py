"""ZIP containers, opened only within limits: their headers are not to be trusted."""

import io
import zipfile
import zlib

from ingest.config import IngestConfig
from ingest.errors import ExtractionFailed

_FREE_RATIO_BYTES = 10 * 2**20
_READ_BYTES = 2**20


class Archive:
    """Members of one container; what is really inflated is counted against the limits.

    Raises (on making):
        ExtractionFailed: damaged (``corrupt``), or more members than allowed (``refused``).
    """

    def __init__(self, content: bytes, config: IngestConfig) -> None:
        self._config = config
        self._left_bytes = config.max_zip_bytes
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(content))
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
            message = f"damaged container: {error}"
            raise ExtractionFailed(message) from error
        members = self._zip.infolist()
        if len(members) > config.max_zip_entries:
            message = f"{len(members)} members; max_zip_entries allows {config.max_zip_entries}"
            raise ExtractionFailed(message, state="refused")
        self.names = tuple(member.filename for member in members)

    def read(self, name: str) -> bytes:
        """Bytes of one member.

        Raises:
            ExtractionFailed: absent or damaged, encrypted, or inflating beyond the limits.
        """
        try:
            member = self._zip.getinfo(name)
            most = min(
                self._left_bytes,
                max(_FREE_RATIO_BYTES, member.compress_size * self._config.max_zip_ratio),
            )
            parts = []
            n_bytes = 0
            with self._zip.open(member) as stream:
                while part := stream.read(_READ_BYTES):
                    n_bytes += len(part)
                    if n_bytes > most:
                        message = f"member {name!r} inflates beyond {most} bytes"
                        raise ExtractionFailed(message, state="refused")
                    parts.append(part)
        except KeyError as error:
            message = f"member {name!r} is missing"
            raise ExtractionFailed(message) from error
        except RuntimeError as error:
            message = f"member {name!r} is encrypted"
            raise ExtractionFailed(message, state="encrypted") from error
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError) as error:
            message = f"member {name!r} is damaged: {error}"
            raise ExtractionFailed(message) from error
        self._left_bytes -= n_bytes
        return b"".join(parts)

    def check_sizes(self) -> None:
        """Inflate everything once, for libraries that open the container by themselves."""
        for name in self.names:
            self.read(name)
