"""One ingest at a time writes into a folder: an advisory lock the system drops when we die."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ingest.errors import IngestBusy

LOCK_FILE = "ingest.lock"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder's lock.

    Raises:
        IngestBusy: another process holds it.
    """
    with (folder / LOCK_FILE).open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            message = f"another ingest is writing into {str(folder)!r}; wait until it has ended"
            raise IngestBusy(message) from error
        yield
