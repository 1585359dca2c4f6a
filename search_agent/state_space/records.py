"""Variable, State, Action and Result: the nouns of the search, and the hashes of states."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from corpora.canonical_json import canonical_json, sha256_hex
from search_agent.evidence.records import Answer
from search_agent.model.protocol import Usage

Origin = Literal["init", "patch", "fallback"]
Outcome = Literal["answer", "new_states", "empty_patch", "error"]
CluesMode = Literal["report", "blacklist", "none"]

_OUTER = "\"'“”‘’«».,;:!?()[]"
_NO_CANDIDATE = {"", "none", "null", "unknown", "n/a"}


def norm(text: str) -> str:
    """NFKC, case-folded, blanks collapsed, outer punctuation stripped; idempotent.

    The one comparison of candidates, eliminations and directions (spec §2).
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    collapsed = " ".join(folded.split())
    while collapsed != (stripped := collapsed.strip(_OUTER).strip()):
        collapsed = stripped
    return collapsed


def as_candidate(text: str | None) -> str | None:
    """The candidate, or None for a blank one and for words that mean none."""
    if text is None or norm(text) in _NO_CANDIDATE:
        return None
    return text.strip()


def strength_band(
    strength: float | None,
) -> Literal["none", "weak", "tentative", "strong", "proven"]:
    """Band of a strength: > 0.9 proven, > 0.7 strong, ≥ 0.4 tentative, else weak."""
    if strength is None:
        return "none"
    if strength > 0.9:
        return "proven"
    if strength > 0.7:
        return "strong"
    return "tentative" if strength >= 0.4 else "weak"


class Assumption(NamedTuple):
    """An elimination holds while variable ``variable_id`` has the candidate ``value``."""

    variable_id: int
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Elimination:
    """Candidate X of variable V is ruled out."""

    variable_id: int
    candidate: str
    reason: str
    sources: tuple[str, ...]
    assumptions: tuple[Assumption, ...] = ()
    by: Literal["model", "validator"] = "model"
    scope: Literal["branch", "search"] = "branch"
    event_seq: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """An unknown entity of the question; ``type`` and ``question_clues`` never change."""

    id: int
    type: str
    question_clues: tuple[str, ...]
    discovered_clues: tuple[str, ...] = ()
    candidate: str | None = None
    candidate_strength: float | None = None
    """In [0, 1]; None whenever the candidate is None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """One assignment of candidates to all variables, sorted by variable id."""

    state: tuple[Variable, ...]
    answer_variable: int
    id: str = "0"
    depth: int = 0
    parent_id: str | None = None
    parent_action_id: str | None = None
    retrieved_evidence_ids: tuple[str, ...] = ()
    """Chunk ids, newest first, without repeats."""
    seen_segments: tuple[str, ...] = ()
    """Short segment ids shown on this branch, in order of first sight."""
    origin: Origin = "init"

    def variable(self, variable_id: int) -> Variable:
        """The variable with this id; KeyError if there is none."""
        for variable in self.state:
            if variable.id == variable_id:
                return variable
        raise KeyError(variable_id)

    @property
    def answer(self) -> Variable:
        """The variable that answers the question."""
        return self.variable(self.answer_variable)

    @property
    def assignment_hash(self) -> str:
        """Equal for states with norm-equal candidates."""
        return sha256_hex(canonical_json(self._assignment()))

    def state_hash(self, mode: CluesMode) -> str:
        """Equal for states that differ in nothing the search would treat differently."""
        rows = [
            [*row, strength_band(variable.candidate_strength), clue_key(variable, mode)]
            for row, variable in zip(self._assignment(), self.state, strict=True)
        ]
        return sha256_hex(canonical_json(rows))

    def _assignment(self) -> list[list[object]]:
        return [
            [variable.id, norm(variable.candidate) if variable.candidate else "none"]
            for variable in self.state
        ]


def clue_key(variable: Variable, mode: CluesMode) -> Sequence[object]:
    """What of the discovered clues distinguishes two states: eliminations, sources or nothing."""
    if mode == "none":
        return []
    if mode == "report":
        return sorted({source for clue in variable.discovered_clues for source in sources_of(clue)})
    # Imported here because clues are made of these records.
    from search_agent.state_space.clues import eliminations_of_variable

    return sorted(
        [norm(item.candidate), sorted([a.variable_id, norm(a.value)] for a in item.assumptions)]
        for item in eliminations_of_variable(variable)
    )


def sources_of(clue: str) -> list[str]:
    """The short ids after ``Sources:``."""
    _, _, tail = clue.rpartition("Sources:")
    return re.findall(r"[SD]\d+", tail)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionProposal:
    """A research direction and how much it is expected to gain, in [0, 1]."""

    direction: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """A state with one direction; ``id`` is ``{state.id}_{k:02x}``."""

    id: str
    question: str
    state: State
    proposal: ActionProposal
    proposal_call_id: str
    queue: Literal["pool", "immediate"] = "pool"


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """How an action ended."""

    previous_action_id: str
    outcome: Outcome
    new_states: tuple[State, ...] = ()
    found_answer: str | None = None
    answer: Answer | None = None
    answer_state: State | None = None
    """The state after the answer's patch, by which answers are ranked."""
    summary: str = ""
    note: str = ""
    retrieved_evidence_ids: tuple[str, ...] = ()
    error_code: int | None = None
    error: str = ""
    llm_calls: int = 0
    usage: Usage = Usage()
    time_taken_s: float = 0.0


def binds(elimination: Elimination, assignment: Sequence[Variable]) -> bool:
    """Whether every assumption of the elimination is met by the assignment."""
    candidates = {variable.id: norm(variable.candidate or "") for variable in assignment}
    return all(candidates.get(a.variable_id) == norm(a.value) for a in elimination.assumptions)
