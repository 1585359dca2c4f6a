"""OpenLeg: a system's search that is ready to be timed, and the names of the legs."""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from search_agent.bench.speed.corpus import Question

Leg = Literal["sparse", "dense", "hybrid"]
LEGS: tuple[Leg, ...] = ("sparse", "dense", "hybrid")


class OpenLeg(NamedTuple):
    """One leg of one system."""

    search: Callable[[Question, int], Any]
    """(question, k) to the k best, as the system gives them: this is what is timed."""
    rows: Callable[[Any], list[int]]
    """What ``search`` gave, as row numbers of documents, best first."""
