"""Exit codes, and the one place where an exception becomes a line on stderr and an exit code.

| code | meaning |
|---|---|
| 0 | done |
| 1 | a bug (traceback), or a search that ended in error |
| 2 | the user can put it right: one line on stderr, no traceback |
| 3 | the question was not answered: nothing in the corpus |
| 4 | a limit stopped the work before an answer |
| 5 | an answer from the user is needed |
| 130 | interrupted |
"""

import contextlib
import errno
import os
import signal
import sqlite3
import sys
from collections.abc import Callable
from io import TextIOWrapper

import typer

from corpora.errors import ResearchError
from search_agent.cli.json_output import print_json

DONE = 0
USER_ERROR = 2
INTERRUPTED = 130

DISK_FULL = {errno.ENOSPC, errno.EFBIG, errno.EDQUOT}
NOT_WRITABLE = {errno.EACCES, errno.EPERM, errno.EROFS}
SQLITE_REFUSED_WRITES = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR_WRITE,
    sqlite3.SQLITE_IOERR_FSYNC,
    sqlite3.SQLITE_IOERR_TRUNCATE,
    sqlite3.SQLITE_IOERR_SHMSIZE,
}


def run_guarded(work: Callable[[], int], *, as_json: bool) -> int:
    """The exit code of ``work``; errors that are the user's become one line, all others fly on."""
    try:
        code = work()
        sys.stdout.flush()
    except typer.Exit as leave:
        return leave.exit_code
    except typer.TyperException as error:  # an unknown option, a missing argument
        return _tell(error.format_message(), as_json=as_json)
    except ResearchError as error:
        return _tell(str(error), code=error.code, as_json=as_json)
    except (KeyboardInterrupt, typer.Abort):
        sys.stderr.write("interrupted\n")
        return INTERRUPTED
    except BrokenPipeError:
        _silence_stdout()
        return DONE
    except OSError as error:
        if (message := explain_os_error(error)) is None:
            raise
        return _tell(message, as_json=as_json)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode not in SQLITE_REFUSED_WRITES:
            raise
        message = f"the document store cannot be written ({error}): free space and repeat"
        return _tell(message, as_json=as_json)
    return code


def explain_os_error(error: OSError) -> str | None:
    """One line for a full disk or a place that may not be written; None for anything else."""
    place = repr(error.filename) if error.filename else "a file of the build folder"
    reason = os.strerror(error.errno) if error.errno else str(error)
    if error.errno in DISK_FULL:
        return (
            f"the disk is full: {place} cannot be written ({reason});"
            " free space or choose another --build-folder"
        )
    if error.errno in NOT_WRITABLE:
        return (
            f"{place} cannot be used ({reason});"
            " change its permissions or choose another --build-folder"
        )
    return None


def ignore_file_size_signal() -> None:
    """Let a file that grows past its limit fail with EFBIG instead of killing the process."""
    if hasattr(signal, "SIGXFSZ"):
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def write_utf8() -> None:
    """Make both streams UTF-8 whatever the locale says; what cannot be encoded is escaped."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _tell(message: str, *, as_json: bool, code: int | None = None) -> int:
    line = " ".join(message.split())
    sys.stderr.write(f"error: {line}\n")
    if as_json:
        with contextlib.suppress(BrokenPipeError):
            print_json({"schema": 1, "error": line, "code": code})
            sys.stdout.flush()
    return USER_ERROR


def _silence_stdout() -> None:
    """The reader has gone; let the interpreter's last flush go nowhere."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)
