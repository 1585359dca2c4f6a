"""SpeedResult: what ``bench speed`` measured, with all it depends on.

An interface: additive changes only.
"""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from search_agent.bench.machine import Machine
from search_agent.bench.speed.leg import Leg
from search_agent.result_part import ResultPart


class SpeedVectors(ResultPart):
    """Where the vectors come from."""

    encoder: str
    sha256: str
    dimension: int
    real: int
    """Real embeddings, each different; the others are drawn around them."""
    from_indexes: bool
    """Whether they are those of built indexes; else a sample of the documents was embedded."""


class AnalysisTime(ResultPart):
    """What turning a question's text into terms takes, which no latency holds."""

    n_terms: int
    n_queries: int
    p50_ms: float
    p95_ms: float


class Build(ResultPart):
    """One leg of one system built, in a process of its own."""

    n_chunks: int
    system: str
    leg: Leg
    seconds: float
    peak_mb: float | None
    """Most memory at once, libraries and mapped files included; 1 MB is 1e6 bytes."""
    private_mb: float | None
    """The same without mapped files, which the machine takes back when it needs them."""
    bytes: int
    """On disk."""


class Opening(ResultPart):
    """One leg of one system opened, its libraries being loaded."""

    n_chunks: int
    system: str
    leg: Leg
    open_ms: float
    first_ms: float
    """The first question after it."""
    private_mb: float | None
    """Of the process then, libraries and the legs opened before included."""


class Latency(ResultPart):
    """Questions of one length asked of one leg: each question's best of the rounds."""

    n_chunks: int
    system: str
    leg: Leg
    n_terms: int
    n_threads: int
    """Askers at once. One question is one thread's work, except that hybrid uses two."""
    n_queries: int
    """Answered; a slow system is not asked all of them."""
    p50_ms: float
    p95_ms: float
    cpu_p50_ms: float | None
    """Processor time of all threads of the process, which other work on the machine leaves alone;
    None with several askers."""
    queries_per_s: float
    """Of the best round."""
    times_ours: float | None
    """Median over ours, of the questions that both have answered; None without ours."""
    shared_with_ours: float | None
    """Share of its k best that are among our k best. For exact dense search: our recall."""


class Skipped(ResultPart):
    """What was not measured, or not to the end."""

    n_chunks: int
    system: str | None
    """None for all."""
    why: str


class SpeedResult(ResultPart):
    """One run: all figures of it may be compared with each other, and with no other run's."""

    schema_: int = Field(1, alias="schema")
    kind: Literal["speed"] = "speed"
    datasets: tuple[str, ...]
    sizes: tuple[int, ...]
    legs: tuple[Leg, ...]
    systems: tuple[str, ...]
    k: int
    depth: int
    """To which hybrid searches its legs."""
    rounds: int
    seed: int
    vectors: SpeedVectors | None
    analysis: tuple[AnalysisTime, ...]
    builds: tuple[Build, ...]
    openings: tuple[Opening, ...]
    latencies: tuple[Latency, ...]
    skipped: tuple[Skipped, ...]
    complete: bool
    """False when the run was interrupted."""
    versions: Mapping[str, str]
    commit: str | None
    machine: Machine
    made_at: str
    seconds: float
