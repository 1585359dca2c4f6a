"""Cells: the answers of all rounds to one leg, length and number of threads, made into figures.

Each question counts with the best of its rounds: other work on the machine makes an answer slower,
never faster. Rounds go from system to system, so what disturbs one disturbs all.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from search_agent.bench.speed.child import Asked
from search_agent.bench.speed.leg import Leg
from search_agent.bench.speed.result import Latency


class Cell(NamedTuple):
    """What is asked, and of whom."""

    system: str
    leg: Leg
    n_terms: int
    n_threads: int


@dataclass(slots=True)
class Answers:
    """The answers to a cell so far."""

    best_ms: dict[int, float] = field(default_factory=dict)
    best_cpu_ms: dict[int, float] = field(default_factory=dict)
    rows: dict[int, list[int]] = field(default_factory=dict)
    queries_per_s: float = 0.0

    def add(self, asked: Asked) -> None:
        """Take in a round."""
        for number, ms in asked.ms.items():
            self.best_ms[number] = min(ms, self.best_ms.get(number, ms))
        for number, ms in asked.cpu_ms.items():
            self.best_cpu_ms[number] = min(ms, self.best_cpu_ms.get(number, ms))
        self.rows.update(asked.rows)
        self.queries_per_s = max(self.queries_per_s, len(asked.ms) / asked.seconds)


def latencies_of(answers: Mapping[Cell, Answers], *, n_chunks: int) -> list[Latency]:
    """The figures of every cell that has answers."""
    return [
        _latency(cell, answers[cell], answers.get(cell._replace(system="ours")), n_chunks)
        for cell in answers
    ]


def _latency(cell: Cell, own: Answers, ours: Answers | None, n_chunks: int) -> Latency:
    p50, p95 = np.quantile([*own.best_ms.values()], (0.5, 0.95))
    cpu = float(np.median([*own.best_cpu_ms.values()])) if own.best_cpu_ms else None
    times = shared = None
    both = [] if ours is None else sorted(own.best_ms.keys() & ours.best_ms.keys())
    if ours is not None and both:
        medians = [np.median([a.best_ms[number] for number in both]) for a in (own, ours)]
        times = round(float(medians[0] / medians[1]), 3)
        pairs = [(own.rows[number], ours.rows[number]) for number in both]
        found = [len({*a} & {*b}) / len(a) for a, b in pairs if a]
        shared = round(float(np.mean(found)), 4) if found else None
    return Latency(
        n_chunks=n_chunks,
        system=cell.system,
        leg=cell.leg,
        n_terms=cell.n_terms,
        n_threads=cell.n_threads,
        n_queries=len(own.best_ms),
        p50_ms=round(float(p50), 4),
        p95_ms=round(float(p95), 4),
        cpu_p50_ms=None if cpu is None else round(cpu, 4),
        queries_per_s=round(own.queries_per_s, 1),
        times_ours=times,
        shared_with_ours=shared,
    )
