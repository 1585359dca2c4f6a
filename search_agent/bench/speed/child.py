"""SpeedChild: a process that builds, opens and asks one system, and measures itself while doing so.

A system alone in a process has its memory counted alone, and nothing that another one has loaded or
warmed helps it. Requests and replies go through a pipe; the process ends when the pipe does.
"""

import itertools
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Event
from typing import cast

from search_agent.bench.speed.corpus import Question, SpeedCorpus
from search_agent.bench.speed.leg import Leg, OpenLeg
from search_agent.bench.speed.memory import PrivatePeak, peak_resident_mb, private_mb
from search_agent.bench.speed.systems import SYSTEMS

_POLL_S = 0.2
_END_S = 2.0
_LEAST_QUESTIONS = 8
"""Answered in every round, however long they take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildRequest:
    """Build a leg; answered by ``Built``."""

    leg: Leg


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A leg was built."""

    seconds: float
    peak_mb: float | None
    private_mb: float | None
    bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRequest:
    """Open a leg; answered by ``Opened``."""

    leg: Leg
    k: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A leg was opened, its library being loaded already."""

    open_ms: float
    first_ms: float
    """The first question after it: pages are mapped, compiled code is loaded."""
    private_mb: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRequest:
    """Ask the questions of that length once; answered by ``Asked``."""

    leg: Leg
    n_terms: int
    n_threads: int
    k: int
    limit_s: float
    """After that time no further question is begun, once eight are answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Questions were answered."""

    ms: dict[int, float]
    """By number of the question."""
    cpu_ms: dict[int, float]
    """Processor time of all threads; empty where several ask at once."""
    rows: dict[int, list[int]]
    seconds: float
    """For all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """The request could not be answered."""

    why: str


Request = BuildRequest | OpenRequest | AskRequest
Reply = Built | Opened | Asked | Failed


class ChildFailed(Exception):
    """A system's process has ended, or could not do what was asked; the reason is the message."""


class Stopped(Exception):
    """The user asked to stop while a process was at work."""


class SpeedChild:
    """The process of one system, seen from outside; a context manager that ends it."""

    def __init__(self, system: str, *, corpus: Path, folder: Path) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(theirs, system, corpus, folder), daemon=True
        )
        self._process.start()
        theirs.close()

    def __enter__(self) -> "SpeedChild":
        return self

    def __exit__(self, *_: object) -> None:
        self._pipe.close()  # an idle process ends by itself, and tidies up
        self._process.join(_END_S)
        self._process.kill()
        self._process.join()
        self._process.close()

    def build(self, leg: Leg, *, stop: Event, limit_s: float) -> Built:
        """As ``BuildRequest`` says.

        Raises:
            ChildFailed: it broke, was killed or took longer than ``limit_s``.
            Stopped: ``stop`` was set.
        """
        return cast("Built", self._ask(BuildRequest(leg=leg), stop, limit_s))

    def open(self, leg: Leg, *, k: int, stop: Event, limit_s: float) -> Opened:
        """As ``OpenRequest`` says; raises as ``build``."""
        return cast("Opened", self._ask(OpenRequest(leg=leg, k=k), stop, limit_s))

    def ask(self, request: AskRequest, *, stop: Event, limit_s: float) -> Asked:
        """As ``AskRequest`` says; raises as ``build``."""
        return cast("Asked", self._ask(request, stop, limit_s))

    def _ask(self, request: Request, stop: Event, limit_s: float) -> Reply:
        ends = time.monotonic() + limit_s
        try:
            self._pipe.send(request)
            while not self._pipe.poll(_POLL_S):
                if stop.is_set():
                    raise Stopped
                if time.monotonic() > ends:
                    message = f"took longer than {limit_s:.0f} s"
                    raise ChildFailed(message)
            reply: Reply = self._pipe.recv()
        except (EOFError, BrokenPipeError, ConnectionResetError) as error:
            self._process.join(1)
            code = self._process.exitcode or 0
            how = f"signal {-code}, perhaps for want of memory" if code < 0 else f"status {code}"
            message = f"its process ended with {how}"
            raise ChildFailed(message) from error
        if isinstance(reply, Failed):
            raise ChildFailed(reply.why)
        return reply


def _serve(pipe: Connection, system: str, corpus: Path, folder: Path) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it and ends us
    os.environ["OMP_NUM_THREADS"] = "1"  # before a library is loaded that reads it
    os.environ["NUMBA_NUM_THREADS"] = "1"
    served = _Served(system, SpeedCorpus(corpus), folder)
    while True:
        try:
            request: Request = pipe.recv()
        except EOFError:
            return
        try:
            reply: Reply = served.answer(request)
        except Exception as error:  # noqa: BLE001 - whatever a library raises, the others go on
            reply = Failed(why=f"{type(error).__name__}: {error}".splitlines()[0])
        pipe.send(reply)


class _Served:
    """The system, inside its process."""

    def __init__(self, system: str, corpus: SpeedCorpus, folder: Path) -> None:
        self._system = SYSTEMS[system]
        self._corpus = corpus
        self._folder = folder
        self._open_legs: dict[Leg, OpenLeg] = {}

    def answer(self, request: Request) -> Reply:
        match request:
            case BuildRequest():
                return self._build(request.leg)
            case OpenRequest():
                return self._open(request)
            case AskRequest():
                questions = self._corpus.questions(request.n_terms)
                return _ask(self._open_legs[request.leg], questions, request)

    def _build(self, leg: Leg) -> Built:
        folder = self._folder / leg
        folder.mkdir(parents=True)
        self._system.load()
        memory = PrivatePeak()
        started = time.perf_counter()
        self._system.build(self._corpus, folder, leg)
        seconds = time.perf_counter() - started
        return Built(
            seconds=seconds,
            private_mb=memory.end(),
            peak_mb=peak_resident_mb(),
            bytes=sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()),
        )

    def _open(self, request: OpenRequest) -> Opened:
        self._system.load()
        question = self._corpus.questions(12)[0]
        started = time.perf_counter()
        leg = self._system.open(self._folder, request.leg)
        opened = time.perf_counter()
        leg.search(question, request.k)
        answered = time.perf_counter()
        self._open_legs[request.leg] = leg
        return Opened(
            open_ms=(opened - started) * 1e3,
            first_ms=(answered - opened) * 1e3,
            private_mb=private_mb(),
        )


def _ask(leg: OpenLeg, questions: list[Question], request: AskRequest) -> Asked:
    ms: dict[int, float] = {}
    cpu_ms: dict[int, float] = {}
    found: dict[int, object] = {}
    numbers = itertools.count()
    started = time.perf_counter()

    def work() -> None:
        for number in numbers:  # shared: each thread takes the next
            asked = time.perf_counter()
            is_late = asked - started > request.limit_s and number >= _LEAST_QUESTIONS
            if number >= len(questions) or is_late:
                return
            used = time.process_time()
            found[number] = leg.search(questions[number], request.k)
            ms[number] = (time.perf_counter() - asked) * 1e3
            if request.n_threads == 1:
                cpu_ms[number] = (time.process_time() - used) * 1e3

    _run_in_threads(work, request.n_threads)
    seconds = time.perf_counter() - started
    rows = {number: leg.rows(found[number]) for number in found}
    return Asked(ms=ms, cpu_ms=cpu_ms, rows=rows, seconds=seconds)


def _run_in_threads(work: Callable[[], None], n_threads: int) -> None:
    if n_threads == 1:
        work()
        return
    threads = [threading.Thread(target=work) for _ in range(n_threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
