"""WorkerPool: jobs done by worker processes, results in the order of the jobs.

Jobs are drawn a few ahead and handed to whichever worker is free; a result waits until those before
it are out. So nothing that follows can depend on how many workers there are, and memory is bounded
by the window.

A crash is believed only of a fresh worker: one that has read other files may have died, or run out
of memory, for what they left behind. So what a file ends as depends on the file alone.
"""

import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import assert_never

from ingest.job import Job, JobResult, JobSetup
from ingest.worker import Done, Reading, Ready
from ingest.worker_process import WorkerProcess

_JOBS_PER_WORKER = 4
_WINDOW_BYTES = 256 * 2**20
"""Size of the files in the window; a larger file is in it alone."""


@dataclass(slots=True)
class _Ticket:
    job: Job
    parser: str = ""
    result: JobResult | None = None


class WorkerPool:
    """Workers that are started when there is work for them; ``close`` ends them."""

    def __init__(self, setup: JobSetup) -> None:
        self._setup = setup
        self._n_workers = 1
        self._busy: dict[WorkerProcess, _Ticket] = {}
        self._idle: list[WorkerProcess] = []
        self._waiting: deque[_Ticket] = deque()

    def results(self, jobs: Iterable[Job], *, n_workers: int) -> Iterator[JobResult]:
        """One result for each job, in order, from at most ``n_workers`` processes.

        Raises:
            WorkersUnusable: a worker process does not start.
        """
        self._n_workers = n_workers
        source = iter(jobs)
        window: deque[_Ticket] = deque()
        held = 0
        drawn = next(source, None)
        while drawn is not None or window:
            while drawn is not None and self._has_room(len(window), held + drawn.n_bytes):
                held += drawn.n_bytes
                window.append(_Ticket(drawn))
                self._waiting.append(window[-1])
                drawn = next(source, None)
            self._assign()
            result = window[0].result
            if result is None:
                self._listen()
            else:
                held -= window.popleft().job.n_bytes
                yield result

    def close(self) -> None:
        """End all workers; jobs in flight are dropped."""
        for worker in [*self._busy, *self._idle]:
            worker.stop()
        self._busy.clear()
        self._idle.clear()
        self._waiting.clear()

    def _has_room(self, n_held: int, n_bytes: int) -> bool:
        fits = n_held < self._n_workers * _JOBS_PER_WORKER and n_bytes <= _WINDOW_BYTES
        return n_held == 0 or fits

    def _assign(self) -> None:
        while self._waiting and len(self._busy) < self._n_workers:
            worker = self._idle.pop() if self._idle else WorkerProcess(self._setup)
            self._give(worker, self._waiting.popleft())

    def _give(self, worker: WorkerProcess, ticket: _Ticket) -> None:
        self._busy[worker] = ticket
        worker.start(ticket.job)

    def _listen(self) -> None:
        """Wait for one reply or deadline and act on it."""
        deadlines = [worker.deadline for worker in self._busy if worker.deadline is not None]
        timeout = max(0.0, min(deadlines) - time.monotonic()) if deadlines else None
        heard = wait([worker.replies for worker in self._busy], timeout)
        spoken = [worker for worker in self._busy if worker.replies in heard]
        for worker in spoken:
            self._hear(worker)
        now = time.monotonic()
        for worker in [each for each in self._busy if each not in spoken]:
            if worker.deadline is not None and worker.deadline <= now:
                ticket = self._busy.pop(worker)
                ticket.result = worker.lateness(ticket.parser)
                worker.stop()

    def _hear(self, worker: WorkerProcess) -> None:
        ticket = self._busy[worker]
        match reply := worker.receive():
            case None:
                del self._busy[worker]
                if not worker.is_ready:
                    fault = worker.never_ready()
                    worker.stop()
                    raise fault
                failure = worker.death(ticket.parser)
                worker.stop()
                self._conclude(worker, ticket, failure, is_verdict=failure.state == "timeout")
            case Ready():
                worker.begin()
            case Reading():
                ticket.parser = reply.parser
            case Done():
                del self._busy[worker]
                self._conclude(worker, ticket, reply.result, is_verdict=not reply.is_exhausted)
                worker.n_done += 1
                worker.deadline = None
                if reply.is_exhausted or worker.n_done >= self._setup.config.recycle_after_files:
                    worker.stop()
                else:
                    self._idle.append(worker)
            case _:
                assert_never(reply)

    def _conclude(
        self, worker: WorkerProcess, ticket: _Ticket, result: JobResult, *, is_verdict: bool
    ) -> None:
        if is_verdict or worker.n_done == 0:
            ticket.result = result
        else:
            self._give(WorkerProcess(self._setup), ticket)
