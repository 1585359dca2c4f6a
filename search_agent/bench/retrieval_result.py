"""RetrievalResult: what ``bench retrieval`` measured of one dataset, with all it depends on.

An interface: additive changes only.
"""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from index.config import IndexConfig
from search_agent.bench.machine import Machine
from search_agent.result_part import ResultPart

Measured = Mapping[str, float]
"""By measure: nDCG@10, R@10, R@100, AP, RR@10, all_gold@5, all_gold@10."""


class EncoderName(ResultPart):
    """An encoder of the dense leg."""

    name: str
    sha256: str


class TopicMeasures(ResultPart):
    """One topic."""

    query_id: str
    n_relevant: int
    legs: Mapping[str, Measured]


class RetrievalResult(ResultPart):
    """The measures of one dataset by leg, means over its topics."""

    schema_: int = Field(1, alias="schema")
    kind: Literal["retrieval"] = "retrieval"
    dataset: str
    collection: str | None = None
    """Id of the registered collection that the folder is byte for byte; None for any other."""
    queries: str | None = None
    """The folder's name where the queries are those of another collection."""
    unit: Literal["document"] = "document"
    n_documents: int
    n_queries: int
    """Judged topics; those without a result count 0."""
    complete: bool
    """False when the run was interrupted; ``n_queries`` are then those that were ranked."""
    k: int
    """Documents kept of each ranking."""
    legs: Mapping[str, Measured]
    config: IndexConfig
    """``depth`` is how many documents of each leg are fused."""
    encoders: tuple[EncoderName, ...]
    fingerprint: str
    run_files: tuple[str, ...]
    versions: Mapping[str, str]
    commit: str | None
    machine: Machine
    made_at: str
    seconds: float
    """Ranking all topics by all legs, embedding the queries included."""
    per_topic: tuple[TopicMeasures, ...]
