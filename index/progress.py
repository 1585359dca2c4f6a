"""IndexProgress: what a build reports while it works."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

BuildStage = Literal[
    "reading", "lexical", "names", "embedding", "clustering", "writing", "checking"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexProgress:
    """One report; ``done`` of ``total`` chunks in this stage."""

    stage: BuildStage
    done: int
    total: int
    reused: int | None = None
    """Chunks taken over from the generation before, in stage ``lexical``."""
    encoder: str | None = None
    """Encoder at work, in stage ``embedding``."""
    rate_per_s: float | None = None
    """Chunks per second since the stage began."""
    eta_s: float | None = None
    """Seconds to the end of the stage at that rate."""


Report = Callable[[IndexProgress], None]


def ignore_progress(_: IndexProgress) -> None:
    """A listener that drops every report."""
