"""A worker process: takes jobs from its standard input, gives replies to its standard output.

It is started as ``python -c`` and not by multiprocessing, whose spawned children import the
caller's main module first: a script that ingests without ``if __name__ == "__main__"`` would run
twice, and every worker of ours would load the whole command line.

Limits stand before the first file: address space for the whole life, CPU seconds for each file, no
writing into files and no core dumps. Ctrl-C is the parent's to hear, and no worker outlives it.
"""

import ctypes
import os
import resource
import signal
import sys
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from ingest.job import Job, JobResult, JobRunner, JobSetup
from ingest.write_limit import forbid_writing

_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True)
class Ready:
    """Imports are done, limits stand, jobs are awaited."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The job's file is about to be read by this parser."""

    parser: str


@dataclass(frozen=True, slots=True)
class Done:
    """The job's result."""

    result: JobResult
    is_exhausted: bool
    """Memory ran out; the process should not be used again."""


Reply = Ready | Reading | Done


def main() -> None:
    """Serve until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _die_with_parent()
    jobs: Connection[Any, Any] = Connection(os.dup(0), writable=False)
    replies: Connection[Any, Any] = Connection(os.dup(1), readable=False)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):  # libraries chat on them
        os.dup2(nowhere, standard)
    try:
        setup: JobSetup = jobs.recv()
        _limit_process(setup)
        runner = JobRunner(setup)
        replies.send(Ready())
        while True:
            job: Job = jobs.recv()
            _limit_cpu(setup.config.max_reader_cpu_s)
            result = runner.run(job, lambda parser: replies.send(Reading(parser)))
            _limit(resource.RLIMIT_CPU, resource.RLIM_INFINITY)
            replies.send(Done(result, runner.is_exhausted))
    except (EOFError, BrokenPipeError):
        sys.exit(0)  # the parent has ended, one way or another


def _die_with_parent() -> None:
    """Ask the kernel (Linux) to end us with the parent, also in the middle of a file."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _limit_process(setup: JobSetup) -> None:
    _limit(resource.RLIMIT_AS, setup.config.max_reader_memory_bytes)
    _limit(resource.RLIMIT_CORE, 0)
    forbid_writing()


def _limit_cpu(seconds: int) -> None:
    """The kernel counts from the start of the process, in whole seconds."""
    _limit(resource.RLIMIT_CPU, int(time.process_time()) + 1 + seconds)


def _limit(what: int, soft: int) -> None:
    hard = resource.getrlimit(what)[1]
    if hard != resource.RLIM_INFINITY:
        soft = hard if soft == resource.RLIM_INFINITY else min(soft, hard)
    resource.setrlimit(what, (soft, hard))
