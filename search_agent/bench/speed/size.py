"""One size of ``bench speed``: every system built and opened, then asked in interleaved rounds."""

import shutil
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

from search_agent.bench.speed.cells import Answers, Cell, latencies_of
from search_agent.bench.speed.child import AskRequest, ChildFailed, SpeedChild, Stopped
from search_agent.bench.speed.corpus import SpeedCorpus
from search_agent.bench.speed.leg import Leg
from search_agent.bench.speed.memory import available_mb
from search_agent.bench.speed.questions import N_TERMS
from search_agent.bench.speed.result import Build, Latency, Opening, Skipped
from search_agent.bench.speed.systems import SYSTEMS

N_THREADS = (1, 2)
_CELL_S = 1.0
"""Time a system has for one leg, length and number of threads in each round."""
_ANSWER_LIMIT_S = 600.0
"""For a round of a cell, or opening; a system that takes longer is given up."""
_MEMORY_SHARE = 0.8
"""Of the memory available that a build may be expected to take."""
_DISK_FACTOR = 6
"""What all systems of a size write, as a multiple of the corpus: 5.4 without vectors, 2.3 with
(100,000 chunks)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedPlan:
    """What is measured at every size."""

    systems: tuple[str, ...]
    legs: tuple[Leg, ...]
    k: int
    rounds: int
    build_limit_s: float
    stop: Event
    tell: Callable[[str], None]
    """Hears a line."""
    count: Callable[[str, int, int], None]
    """Hears of a stage, how much is done and of how much."""


@dataclass(slots=True)
class SizeFigures:
    """What one size gave."""

    builds: list[Build] = field(default_factory=list)
    openings: list[Opening] = field(default_factory=list)
    latencies: list[Latency] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)


def refusal(n_chunks: int, bytes_per_chunk: int, folder: Path) -> str | None:
    """Why a corpus of that size is not drawn: there is no room for it; None where there is."""
    needed = n_chunks * bytes_per_chunk * (1 + _DISK_FACTOR)
    free = shutil.disk_usage(folder).free
    if needed > free:
        return (
            f"it needs about {needed / 1e9:.1f} GB in {str(folder)!r}, which has {free / 1e9:.1f}"
        )
    return None


def measure_size(plan: SpeedPlan, corpus: SpeedCorpus, folder: Path, *, n: int) -> SizeFigures:
    """Measure one corpus; systems write below ``folder``.

    What was measured is kept when ``plan.stop`` is set or a system fails.
    """
    size = _Size(plan, corpus, folder, n)
    try:
        size.run()
    except Stopped:
        size.skip(None, "interrupted")
    return size.figures


class _Size:
    """The work at one size."""

    def __init__(self, plan: SpeedPlan, corpus: SpeedCorpus, folder: Path, n: int) -> None:
        self.figures = SizeFigures()
        self._plan = plan
        self._corpus = corpus
        self._folder = folder
        self._n = n

    def skip(self, system: str | None, why: str) -> None:
        """Note that something is not measured, and tell it."""
        self.figures.skipped.append(Skipped(n_chunks=self._n, system=system, why=why))
        self._plan.tell(f"{self._n} chunks: {system or 'all'} skipped: {why}")

    def run(self) -> None:
        """Build all, then open all and ask them."""
        built = [name for name in self._plan.systems if self._build(name)]
        with ExitStack() as stack:
            children: dict[str, SpeedChild] = {}
            for name in built:
                child = stack.enter_context(self._child(name))
                if self._open(name, child):
                    children[name] = child
            self._ask(children)

    def _child(self, name: str) -> SpeedChild:
        return SpeedChild(name, corpus=self._corpus.folder, folder=self._folder / name)

    def _legs(self, name: str) -> list[Leg]:
        return [leg for leg in self._plan.legs if leg in SYSTEMS[name].legs]

    def _build(self, name: str) -> bool:
        system = SYSTEMS[name]
        wanted = self._legs(name)
        why = self._hindrance(name)
        if why is not None:
            self.skip(name, why)
            return False
        for leg in system.builds:
            if leg not in wanted and "hybrid" not in wanted:
                continue
            try:
                with self._child(name) as child:
                    built = child.build(leg, stop=self._plan.stop, limit_s=self._plan.build_limit_s)
            except ChildFailed as error:
                self.skip(name, f"building {leg}: {error}")
                return False
            self.figures.builds.append(
                Build(
                    n_chunks=self._n,
                    system=name,
                    leg=leg,
                    seconds=round(built.seconds, 3),
                    peak_mb=built.peak_mb,
                    private_mb=built.private_mb,
                    bytes=built.bytes,
                )
            )
            self._plan.tell(f"{self._n} chunks: {name} {leg} built in {built.seconds:.1f} s")
        return True

    def _hindrance(self, name: str) -> str | None:
        """Why a system is not even built."""
        system = SYSTEMS[name]
        if system.most_chunks is not None and self._n > system.most_chunks:
            return f"it is measured up to {system.most_chunks} chunks"
        needed = self._n * system.build_bytes_per_chunk / 1e6
        available = available_mb()
        if available is not None and needed > _MEMORY_SHARE * available:
            return f"its build may take {needed:.0f} MB, and {available:.0f} MB are available"
        return None

    def _open(self, name: str, child: SpeedChild) -> bool:
        for leg in self._legs(name):
            try:
                opened = child.open(
                    leg, k=self._plan.k, stop=self._plan.stop, limit_s=_ANSWER_LIMIT_S
                )
            except ChildFailed as error:
                self.skip(name, f"opening {leg}: {error}")
                return False
            self.figures.openings.append(
                Opening(
                    n_chunks=self._n,
                    system=name,
                    leg=leg,
                    open_ms=round(opened.open_ms, 3),
                    first_ms=round(opened.first_ms, 3),
                    private_mb=opened.private_mb,
                )
            )
        return True

    def _ask(self, children: dict[str, SpeedChild]) -> None:
        """Ask in rounds; each system is asked first in turn."""
        plan = self._plan
        answers: dict[Cell, Answers] = {}
        asked = [(leg, n, t) for leg in plan.legs for n in N_TERMS for t in N_THREADS]
        try:
            for number in range(plan.rounds):
                for place, (leg, n_terms, n_threads) in enumerate(asked):
                    for name in _turned([*children], number + place):
                        if leg in SYSTEMS[name].legs:
                            cell = Cell(name, leg, n_terms, n_threads)
                            self._ask_cell(cell, children, answers)
                plan.count(f"{self._n} chunks: rounds", number + 1, plan.rounds)
        finally:
            self.figures.latencies = latencies_of(answers, n_chunks=self._n)

    def _ask_cell(
        self, cell: Cell, children: dict[str, SpeedChild], answers: dict[Cell, Answers]
    ) -> None:
        plan = self._plan
        request = AskRequest(
            leg=cell.leg, n_terms=cell.n_terms, n_threads=cell.n_threads, k=plan.k, limit_s=_CELL_S
        )
        if plan.stop.is_set():
            raise Stopped
        try:
            asked = children[cell.system].ask(request, stop=plan.stop, limit_s=_ANSWER_LIMIT_S)
        except ChildFailed as error:
            self.skip(cell.system, f"asking {cell.leg}: {error}")
            del children[cell.system]
            return
        answers.setdefault(cell, Answers()).add(asked)


def _turned(names: Sequence[str], by: int) -> list[str]:
    places = [(place + by) % len(names) for place in range(len(names))]
    return [names[place] for place in places]
