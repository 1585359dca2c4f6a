"""ActionPool: pending, running and completed actions, and the weighted, seeded draw (spec §14).

The pool is a view of the search: the trajectory restores it, ``snapshot`` only shows it.
Longer than most files because score, weight and draw are one formula, read best in one place.
"""

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from search_agent.config import ActionSampling
from search_agent.state_space.records import Action, CluesMode, Result, State

MAX_STATE_DEPTH = 12
DEPTH_PENALTY_THRESHOLD = 5
DEPTH_PENALTY_DENOMINATOR = 8
SHALLOW_DEPTH_THRESHOLD = 2
SHALLOW_DEPTH_BONUS = 100
SHALLOW_DEPTH_BONUS_BALANCED = 1
MULTIPLE_STATES_DIVISOR_THRESHOLD = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Expansion:
    """A state whose directions are proposed only when it is drawn."""

    state: State
    score: float = 0.5

    @property
    def id(self) -> str:
        """``{state.id}_x``."""
        return f"{self.state.id}_x"


Entry = Action | Expansion


class Draw(NamedTuple):
    """Draw ``n`` of the search gave ``entry`` by the number ``u``; both None from the queue."""

    n: int | None
    u: float | None
    entry: Entry


class Completed(NamedTuple):
    """An entry that has ended; ``entry`` is None if the pool never saw it run."""

    entry: Entry | None
    result: Result | None


def proposal_score(entry: Entry) -> float:
    """What the direction was expected to gain."""
    return entry.score if isinstance(entry, Expansion) else entry.proposal.score


def draw_number(seed: int, n: int) -> float:
    """Number u of draw n, in [0, 1): 52 bits of SHA-256, so that it depends on nothing else."""
    return int(hashlib.sha256(f"{seed}:pool:{n}".encode()).hexdigest()[:13], 16) / 16**13


def score_entry(entry: Entry, sampling: ActionSampling) -> float:
    """Score s of an entry, which may be negative beyond the last depth.

    depth_weighted: s = score + Σ cs; balanced: s = score + cs(answer) + mean(cs of others) / 2;
    cs is the strength of a variable's candidate, 0 without one.

    Raises:
        ValueError: score or strength is no finite number.
        KeyError: the state has no answer variable.
    """
    state = entry.state
    strengths = {
        variable.id: (variable.candidate_strength or 0.0) if variable.candidate else 0.0
        for variable in state.state
    }
    if sampling.scoring == "balanced":
        answer = strengths.pop(state.answer_variable)
        others = sum(strengths.values()) / len(strengths) if strengths else 0.0
        s = proposal_score(entry) + answer + 0.5 * others
        bonus, floor = SHALLOW_DEPTH_BONUS_BALANCED, 0.0
    else:
        s = proposal_score(entry) + sum(strengths.values())
        bonus, floor = SHALLOW_DEPTH_BONUS, -math.inf
    if not math.isfinite(s):
        message = f"action {entry.id!r} has the score {s!r}; scores and strengths lie in [0, 1]"
        raise ValueError(message)
    if not sampling.depth_weight:
        return s
    if state.depth > DEPTH_PENALTY_THRESHOLD:
        s *= max(floor, (MAX_STATE_DEPTH - state.depth) / DEPTH_PENALTY_DENOMINATOR)
    elif state.depth < SHALLOW_DEPTH_THRESHOLD:
        s += bonus
    return s


class _Pending(NamedTuple):
    entry: Entry
    score: float
    assignment: str


class ActionPool:
    """What may be done next. One per search, used from one thread."""

    def __init__(self, sampling: ActionSampling) -> None:
        self.sampling = sampling
        self.draws = 0
        """Number of the next draw; a resumed search sets it."""
        self.running: dict[str, Entry] = {}
        self.completed: dict[str, Completed] = {}
        self._pending: list[_Pending] = []
        self._immediate: list[Entry] = []
        self._first_with_hash: dict[str, str] = {}

    def add(self, entries: Sequence[Entry]) -> None:
        """Put entries into the draw, all or, if one cannot be scored, none.

        Raises:
            ValueError: an id is in the pool already, or a score is no finite number.
        """
        known = {entry.id for entry in self.pending} | self.running.keys() | self.completed.keys()
        scored = []
        for entry in entries:
            if entry.id in known:
                message = f"action {entry.id!r} is in the pool already; ids are given once"
                raise ValueError(message)
            known.add(entry.id)
            score = score_entry(entry, self.sampling)
            scored.append(_Pending(entry, score, entry.state.assignment_hash))
        self._pending += scored

    def add_immediate(self, action: Entry) -> None:
        """Put an action before all draws: first in, first out, whatever its score."""
        self._immediate.append(action)

    @property
    def pending(self) -> tuple[Entry, ...]:
        """Everything that waits, the immediate queue first, then in order of creation."""
        return (*self._immediate, *(item.entry for item in self._pending))

    def size(self) -> int:
        """How many entries wait, the immediate queue included."""
        return len(self._pending) + len(self._immediate)

    def sample(self, k: int) -> list[Draw]:
        """Take up to k entries out: the immediate queue, then draws without replacement.

        Draw n takes the first entry whose cumulative weight exceeds u · total; weights are
        computed anew before each. A pool that is not empty always gives an entry.
        """
        drawn: list[Draw] = []
        while self._immediate and len(drawn) < k:
            drawn.append(Draw(None, None, self._immediate.pop(0)))
        while self._pending and len(drawn) < k:
            n, self.draws = self.draws, self.draws + 1
            u = draw_number(self.sampling.seed, n)
            drawn.append(Draw(n, u, self._pending.pop(_pick(self.draw_weights(), u)).entry))
        return drawn

    def draw_weights(self) -> list[float]:
        """Weight of each entry of the next draw in order of creation, queue apart; never all 0."""
        weights = self._weights()
        if any(weights):
            return weights
        tail = self._is_tail_drawn()
        return [1.0 if tail or not self._is_deep(item) else 0.0 for item in self._pending]

    def weight(self, entry: Entry) -> float:
        """The entry's weight max(0, s) beside what is pending now, whether it is pending or not."""
        item = _Pending(entry, score_entry(entry, self.sampling), entry.state.assignment_hash)
        beside = [other for other in self._pending if other.entry.id != entry.id]
        if self.sampling.random_sample:
            return 1.0
        n = 1 + sum(other.assignment == item.assignment for other in beside)
        tail = all(self._is_deep(other) for other in [*beside, item])
        return self._weight(item, tail=tail, n=n)

    def _weights(self) -> list[float]:
        if self.sampling.random_sample:
            return [1.0] * len(self._pending)
        tail = self._is_tail_drawn()
        shared = Counter(item.assignment for item in self._pending)
        return [self._weight(item, tail=tail, n=shared[item.assignment]) for item in self._pending]

    def _is_deep(self, item: _Pending) -> bool:
        return self.sampling.depth_weight and item.entry.state.depth >= MAX_STATE_DEPTH

    def _is_tail_drawn(self) -> bool:
        return all(self._is_deep(item) for item in self._pending)

    def _weight(self, item: _Pending, *, tail: bool, n: int) -> float:
        if self._is_deep(item):
            return max(0.0, proposal_score(item.entry)) if tail else 0.0
        weight = max(0.0, item.score)
        if self.sampling.promote_unique_states and n > MULTIPLE_STATES_DIVISOR_THRESHOLD:
            weight /= n
        return weight

    def start(self, entry: Entry) -> None:
        """Note that an entry is being worked on."""
        self.running[entry.id] = entry

    def record_completed(self, action_id: str, result: Result | None) -> bool:
        """Move an entry from running to completed; False if it was not running."""
        entry = self.running.pop(action_id, None)
        self.completed[action_id] = Completed(entry, result)
        return entry is not None

    def remove_pending(self, predicate: Callable[[Entry], bool]) -> list[Entry]:
        """Take out everything waiting that the predicate names, and return it."""
        removed = [entry for entry in self.pending if predicate(entry)]
        gone = {entry.id for entry in removed}
        self._immediate = [entry for entry in self._immediate if entry.id not in gone]
        self._pending = [item for item in self._pending if item.entry.id not in gone]
        return removed

    def used_directions(self, state: State) -> list[str]:
        """Directions waiting, running or explored for states of the same assignment."""
        ended = (done.entry for done in self.completed.values() if done.entry is not None)
        return [
            entry.proposal.direction
            for entry in [*ended, *self.running.values(), *self.pending]
            if isinstance(entry, Action) and entry.state.assignment_hash == state.assignment_hash
        ]

    def is_duplicate(self, state: State, mode: CluesMode) -> bool:
        """Whether another state of this search had the same hash; remembers this one if not.

        Called once for every state of the search, the root included. Always False when
        ``dedupe_states`` is off.
        """
        return self.duplicate_of(state, mode) is not None

    def duplicate_of(self, state: State, mode: CluesMode) -> str | None:
        """Id of the state that ``is_duplicate`` means."""
        if not self.sampling.dedupe_states:
            return None
        first = self._first_with_hash.setdefault(state.state_hash(mode), state.id)
        return first if first != state.id else None

    def snapshot(self) -> dict[str, object]:
        """The pool as ``action_pool.json`` shows it; only what may be drawn has a weight."""
        queued = [{**_row(entry), "weight": None} for entry in self._immediate]
        weighed = zip(self._pending, self._weights(), strict=True)
        return {
            "pending": [*queued, *({**_row(item.entry), "weight": w} for item, w in weighed)],
            "running": [_row(entry) for entry in self.running.values()],
            "completed": [
                {
                    **(_row(done.entry) if done.entry else {"id": action_id}),
                    "has_result": done.result is not None,
                }
                for action_id, done in self.completed.items()
            ],
        }


def _row(entry: Entry) -> dict[str, object]:
    return {
        "id": entry.id,
        "direction": entry.proposal.direction if isinstance(entry, Action) else "",
        "score": proposal_score(entry),
        "depth": entry.state.depth,
    }


def _pick(weights: Sequence[float], u: float) -> int:
    mark = u * math.fsum(weights)
    total = 0.0
    for position, weight in enumerate(weights):
        total += weight
        if total > mark:
            return position
    # Rounding can leave the sum at the mark: then the last entry that has a weight.
    return max(position for position, weight in enumerate(weights) if weight > 0)
