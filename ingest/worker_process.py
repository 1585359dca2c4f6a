"""One worker process as its parent sees it: starting it, what it is at, how it ended."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.spawn import get_executable
from pathlib import Path
from typing import Any

from ingest.errors import ExtractionFailed, WorkersUnusable
from ingest.job import JobSetup, crashed, overrun
from ingest.worker import Reply

_PROGRAM = "from ingest.worker import main; main()"
_STOP_S = 10
_ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"), "1"
)
"""Workers are as many as there are cores, and each thread's stack counts as memory."""


class WorkerProcess:
    """A started worker; ``replies`` may be waited on."""

    def __init__(self, setup: JobSetup) -> None:
        self._config = setup.config
        from_parent, to_worker = os.pipe()
        from_worker, to_parent = os.pipe()
        try:
            self._process = subprocess.Popen(
                # -P: no file of the working directory may pass for a module of ours.
                [os.fsdecode(get_executable()), "-P", "-c", _PROGRAM],
                stdin=from_parent,
                stdout=to_parent,
                stderr=subprocess.DEVNULL,
                env=_environment(setup.folder),
            )
        except OSError as error:
            os.close(to_worker)
            os.close(from_worker)
            message = f"no process can be started to read files ({error.strerror})"
            raise WorkersUnusable(message) from error
        finally:
            os.close(from_parent)
            os.close(to_parent)
        self._jobs: Connection[Any, Any] = Connection(to_worker, readable=False)
        self.replies: Connection[Any, Any] = Connection(from_worker, writable=False)
        self.is_ready = False
        self.n_done = 0
        self.deadline: float | None = None
        """On the monotonic clock; None while nothing is being read."""
        self._send(setup)

    def start(self, job: object) -> None:
        """Hand a job over; its time begins when the worker is ready for it."""
        self._send(job)
        if self.is_ready:
            self.begin()

    def begin(self) -> None:
        """The job's time begins."""
        self.is_ready = True
        self.deadline = time.monotonic() + self._config.max_reader_wall_s

    def receive(self) -> Reply | None:
        """The next reply; None if the process has died."""
        try:
            reply: Reply = self.replies.recv()
        except (EOFError, OSError):
            return None
        return reply

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        self._process.kill()
        with suppress(subprocess.TimeoutExpired):  # a read from a dead network drive outlives it
            self._process.wait(_STOP_S)
        self._jobs.close()
        self.replies.close()

    def death(self, parser: str) -> ExtractionFailed:
        """Why the process died while it read a file."""
        code = self._process.wait()
        if code == -signal.SIGXCPU:
            most = self._config.max_reader_cpu_s
            return overrun(f"not read after {most} s of CPU (max_reader_cpu_s)", parser)
        if code == -signal.SIGKILL:
            return crashed("the process was killed, most likely as memory ran out", parser)
        how = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"left with code {code}"
        return crashed(f"the process {how}", parser)

    def lateness(self, parser: str) -> ExtractionFailed:
        """The failure of a file that took longer than its wall-clock limit."""
        most = self._config.max_reader_wall_s
        return overrun(f"not read after {most:g} s (max_reader_wall_s)", parser)

    def never_ready(self) -> WorkersUnusable:
        """Why the process died before its first file."""
        code = self._process.wait()
        message = (
            f"the process that reads files ended with code {code} before its first file;"
            " is max_reader_memory_bytes too small? workers = 0 reads in one process, unlimited"
        )
        return WorkersUnusable(message)

    def _send(self, message: object) -> None:
        with suppress(BrokenPipeError):  # it died; the next ``receive`` will tell
            self._jobs.send(message)


def _environment(folder: Path) -> dict[str, str]:
    """Ours, with our module search path, so that a worker runs the same code.

    What a library unpacks into a temporary file goes where the ingest writes anyway.
    """
    places = [os.path.abspath(place) for place in sys.path]  # noqa: PTH100  ("" is the folder we are in)
    return {
        **os.environ,
        **_ONE_THREAD,
        "PYTHONPATH": os.pathsep.join(places),
        **({"TMPDIR": str(folder.resolve())} if folder.is_dir() else {}),
        "TOKENIZERS_PARALLELISM": "false",
    }
