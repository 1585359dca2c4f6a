"""FinalResult: what a search leaves behind in ``final_result.json`` and ``ask --json`` prints.

An interface: additive changes only.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from search_agent.evidence.records import Claim, UnmetClue
from search_agent.model.protocol import Usage

Status = Literal["answered", "guess", "abstained", "error"]
Strategy = Literal["state-space", "react", "single-shot", "closed-book"]
Termination = Literal[
    "answer",
    "timeout_answer",
    "timeout_guess",
    "time_limit",
    "actions_explored_limit",
    "fail_limit",
    "action_pool_depleted",
    "cancelled",
    "error",
]
FINAL_RESULT_FILE = "final_result.json"


class Rates(BaseModel):
    """Existence and support are two numbers and stay two; None when there is nothing to count."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    citations_exist: float | None = None
    claims_supported: float | None = None


class UsageReport(BaseModel):
    """Tokens of all model calls, each counted once."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    prompt_evaluated: int = 0
    prompt_reused: int = 0
    completion: int = 0
    calls: int = 0
    by_role: dict[str, Usage] = Field(default_factory=dict)


class ModelIdentity(BaseModel):
    """Which model answered."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    sha256: str


class IndexIdentity(BaseModel):
    """Which index was searched."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    corpus: str
    fingerprint: str


class FinalResult(BaseModel):
    """The outcome of one question, whatever it was."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    schema_: int = Field(1, alias="schema")
    question: str
    strategy: Strategy
    status: Status
    termination: Termination
    answer: str | None
    """None when abstained or in error."""
    message: str = ""
    """What the user is told beside the answer: why there is none, which limit ended the search."""
    claims: tuple[Claim, ...] = ()
    unmet_clues: tuple[UnmetClue, ...] = ()
    rates: Rates = Rates()
    usage: UsageReport = UsageReport()
    model: ModelIdentity
    index: IndexIdentity
    seed: int = 0
    run_dir: str = ""
    seconds: float = 0.0
    load_seconds: float = 0.0
    """Opening model and index, before the question's clock starts."""
    error: str | None = None
    error_code: int | None = None
    flags: tuple[str, ...] = ()
    truncations: dict[str, int] = Field(default_factory=dict)
    actions_explored: int = 0
    fail_count: int = 0
    answers: tuple[dict[str, Any], ...] = ()
    """Distinct accepted answers with their group counts, strongest first."""
    retrieved_evidence_ids: tuple[str, ...] = ()
    """Chunk ids, in order of first sight."""
    config: dict[str, Any] = Field(default_factory=dict)
    gold_answer: str | None = None
    trajectory_head: str = ""

    @property
    def exit_code(self) -> int:
        """0 answer or guess, 1 error, 3 abstained, 4 limit met without answer, 130 interrupted."""
        if self.termination == "cancelled":
            return 130
        if self.status == "error":
            return 1
        if self.status in {"answered", "guess"}:
            return 0
        limits = {"time_limit", "actions_explored_limit", "fail_limit"}
        return 4 if self.termination in limits else 3
