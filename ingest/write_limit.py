"""No file is written while a file is read, save where our own code asks for it."""

import errno
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from ingest.errors import DiskFull

_DISK_FULL = {errno.ENOSPC, errno.EFBIG, errno.EDQUOT}


def forbid_writing() -> None:
    """From now on writing into a file of this process fails as on a full disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # an error, not the end of the process
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))


@contextmanager
def writing_allowed() -> Iterator[None]:
    """Lift the ban inside; nothing changes where there is none.

    Raises:
        DiskFull: nothing more can be written.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    if soft == 0:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    try:
        yield
    except OSError as error:
        if error.errno not in _DISK_FULL:
            raise
        message = (
            f"no space left for what is unpacked while files are read ({error.strerror});"
            " free some and run ingest again, finished files are kept"
        )
        raise DiskFull(message) from error
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
