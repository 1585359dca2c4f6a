"""Applying a patch: what a reply changes in a state, under the rules R3–R16 and R21 (spec §10).

A *branch* is a list of raw patch variables with the keys id, candidate, candidate_strength and
discovered_clues; an absent key leaves the base as it is. A single variable is read in
``variable_patch``; here are the rules that see a whole branch, a whole reply, or a whole state.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from search_agent.config import StateCreationAgent
from search_agent.state_space.clues import eliminations_of_variable, rules_out
from search_agent.state_space.records import State, Variable, binds
from search_agent.state_space.variable_patch import (
    Event,
    PatchRules,
    VariablePatch,
    coerced_id,
    differs,
    visible_ids,
)

__all__ = [
    "BranchOutcome",
    "PatchOutcome",
    "PatchRules",
    "Rejected",
    "apply_branches",
    "apply_patch",
    "child_state",
    "clamp_must_answer",
    "held_eliminations",
    "must_answer",
    "normalise_branches",
    "unwrapped",
    "visible_ids",
]

Branch = Sequence[Mapping[str, object]]

MUST_ANSWER_ABOVE = 0.7
VALID_SHAPES = (
    '{"thought": …, "tool_calls": [{"name": …, "arguments": {…}}]}',
    '{"thought": …, "state": {"new_states": [{"state": [{"id": …, "candidate": …}]}]}}',
    '{"thought": …, "answer": {"answer": …, "claims": [{"text": …, "segment_ids": […]}]}}',
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """A reply that cannot be used, and what the model is told."""

    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchOutcome:
    """One branch applied: all variables of the new state, and the faults that forbid it."""

    variables: tuple[Variable, ...]
    problems: tuple[str, ...]
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PatchOutcome:
    """The branches kept; problems are empty unless the reply is rejected."""

    variables: tuple[tuple[Variable, ...], ...]
    problems: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()


def normalise_branches(new_states: object) -> list[list[dict[str, object]]] | Rejected:
    """The branches of a reply in any of the accepted shapes (spec §8.3); [] is the empty patch."""
    items = unwrapped(new_states)
    if isinstance(items, Mapping) and items:
        items = [items]
    if not isinstance(items, list):
        return _unreadable("new_states")
    if items and all(isinstance(item, Mapping) and "id" in item for item in items):
        variables = [_patch_variable(item) for item in items]
        ids = [coerced_id(variable["id"]) for variable in variables]
        if len(set(map(repr, ids))) == len(ids):
            return [variables]
        return [[variable] for variable in variables]
    branches: list[list[dict[str, object]]] = []
    for number, item in enumerate(items, start=1):
        branch = unwrapped(item["state"]) if isinstance(item, Mapping) and "state" in item else item
        if isinstance(branch, Mapping) and "id" in branch:
            branch = [branch]
        if not isinstance(branch, list) or not all(isinstance(part, Mapping) for part in branch):
            return _unreadable(f"branch {number}")
        branches.append([_patch_variable(part) for part in branch])
    return branches


def _unreadable(where: str) -> Rejected:
    shapes = " or ".join(VALID_SHAPES)
    return Rejected(problems=(f"nothing readable found in {where}; send one of {shapes}",))


def unwrapped(value: object) -> object:
    """A list or object that arrived as JSON text, read once; anything else as it is."""
    if not isinstance(value, str) or value.strip()[:1] not in {"[", "{"}:
        return value
    try:
        parsed: object = json.loads(value)
    except json.JSONDecodeError:
        return value
    return parsed


def _patch_variable(raw: Mapping[str, object]) -> dict[str, object]:
    variable = dict(raw)
    clues = variable.get("discovered_clues")
    if isinstance(clues, str):
        parsed = unwrapped(clues)
        variable["discovered_clues"] = parsed if isinstance(parsed, list) else [clues]
    return variable


def apply_branches(
    base: State, branches: Sequence[Branch], rules: PatchRules, *, is_last_try: bool
) -> PatchOutcome:
    """Apply every branch to the base, and keep all or none, or the good ones, as configured.

    ``keep_good``, and ``all_or_nothing`` on the last try, keep the good branches and name the bad
    ones in the event ``branches_salvaged``; the model is told only if nothing was left.
    """
    limit = rules.creation.branches_limit
    outcomes = [apply_patch(base, branch, rules, must_change=True) for branch in branches]
    faults = {n: out.problems for n, out in enumerate(outcomes, start=1) if out.problems}
    good = [n for n in range(1, len(outcomes) + 1) if n not in faults]
    for extra in good[limit:]:
        faults[extra] = (f"more than {limit} branches",)
    if len(branches) > limit and rules.creation.patches == "all_or_nothing" and not is_last_try:
        told = f"{len(branches)} branches were sent, at most {limit} are allowed; send the best"
        return PatchOutcome(variables=(), problems=(told,))
    kept = good[:limit]
    salvage = is_last_try or rules.creation.patches == "keep_good"
    if faults and not (kept and salvage):
        return PatchOutcome(variables=(), problems=_told(faults, len(outcomes)))
    events = [event for n in kept for event in outcomes[n - 1].events]
    if faults:
        dropped = {str(n): list(problems) for n, problems in sorted(faults.items())}
        events.append(("branches_salvaged", {"kept": kept, "dropped": dropped}))
    return PatchOutcome(
        variables=tuple(outcomes[n - 1].variables for n in kept), events=tuple(events)
    )


def _told(faults: Mapping[int, tuple[str, ...]], n_branches: int) -> tuple[str, ...]:
    if n_branches == 1:
        return faults[1]
    return tuple(
        f"branch {n}: {'; '.join(faults[n])}"
        if n in faults
        else f"branch {n} is good; send it again"
        for n in range(1, n_branches + 1)
    )


def apply_patch(
    base: State, patch: Branch, rules: PatchRules, *, must_change: bool
) -> BranchOutcome:
    """One branch applied to a copy of the base; ``must_change`` refuses a patch without effect."""
    patched: dict[int, Variable] = {}
    problems: list[str] = []
    events: list[Event] = []
    cited: set[str] = set()
    valid = {variable.id: variable for variable in base.state}
    choices = ", ".join(f"{variable.id} ({variable.type})" for variable in base.state)
    for raw in patch:
        variable_id = coerced_id(raw.get("id"))
        if variable_id is None or variable_id not in valid:
            problems.append(f"id {raw.get('id')!r} is unknown; the ids are {choices}")
        elif variable_id in patched:
            problems.append(
                f"id {variable_id} stands twice; merge both, or make a branch of each value"
            )
        else:
            reading = VariablePatch(valid[variable_id], raw, rules)
            patched[variable_id] = reading.apply()
            problems += [f"variable {variable_id}: {fault}" for fault in reading.faults]
            events += reading.events
            cited |= reading.cited
    variables = tuple(patched.get(variable.id, variable) for variable in base.state)
    if rules.mode == "none":
        variables = tuple(replace(variable, discovered_clues=()) for variable in variables)
    if must_change and not problems and not any(map(differs, base.state, variables)):
        problems.append('nothing changes; say so with the empty patch {"new_states": []}')
    held, reopened = held_eliminations(variables, rules, cited=cited)
    return BranchOutcome(
        variables=variables, problems=(*problems, *held), events=(*events, *reopened)
    )


def held_eliminations(
    variables: Sequence[Variable], rules: PatchRules, *, cited: set[str]
) -> tuple[list[str], list[Event]]:
    """R11: candidates that a binding elimination rules out, and the search-wide ones now lifted.

    A search-wide elimination is lifted if ``cited`` holds a segment first shown after it.
    """
    problems: list[str] = []
    events: list[Event] = []
    for variable in variables:
        wide = [item for item in rules.search_eliminations if item.variable_id == variable.id]
        for item in [*eliminations_of_variable(variable), *wide]:
            if variable.candidate is None or not binds(item, variables):
                continue
            if not rules_out(item, variable.candidate):
                continue
            newer = sorted(s for s in cited if rules.first_seen.get(s, -1) > item.event_seq)
            if item.scope == "search" and newer:
                data: dict[str, object] = {
                    "variable_id": variable.id,
                    "candidate": item.candidate,
                    "event_seq": item.event_seq,
                    "segment_ids": newer,
                }
                events.append(("elimination_reopened", data))
                continue
            way_out = "clear the candidate" + (
                " or remove the entry" if item.scope == "branch" else ""
            )
            problems.append(
                f"variable {variable.id}: candidate {variable.candidate!r} is ruled out:"
                f" {item.candidate!r}, {item.reason}; {way_out}"
            )
    return problems, events


def must_answer(
    variables: Sequence[Variable], answer_variable: int, creation: StateCreationAgent
) -> bool:
    """R16: whether a state is so sure of the answer that an answer is due instead."""
    return creation.use_candidate_strength and any(
        variable.id == answer_variable
        and variable.candidate is not None
        and (variable.candidate_strength or 0.0) > MUST_ANSWER_ABOVE
        for variable in variables
    )


def clamp_must_answer(
    variables: Sequence[Variable], answer_variable: int
) -> tuple[tuple[Variable, ...], bool]:
    """The variables with the answer's strength at most 0.70, and whether it was more."""
    clamped = tuple(
        replace(variable, candidate_strength=MUST_ANSWER_ABOVE)
        if variable.id == answer_variable
        and (variable.candidate_strength or 0.0) > MUST_ANSWER_ABOVE
        else variable
        for variable in variables
    )
    return clamped, clamped != tuple(variables)


def child_state(
    base: State,
    variables: Sequence[Variable],
    *,
    state_id: str,
    action_id: str,
    evidence_ids: Sequence[str],
    seen_segments: Sequence[str],
) -> State:
    """The successor of ``base``; the ids are those this action was shown, oldest first."""
    return replace(
        base,
        state=tuple(sorted(variables, key=lambda variable: variable.id)),
        id=state_id,
        depth=base.depth + 1,
        parent_id=base.id,
        parent_action_id=action_id,
        retrieved_evidence_ids=tuple(
            dict.fromkeys([*reversed(evidence_ids), *base.retrieved_evidence_ids])
        ),
        seen_segments=tuple(dict.fromkeys([*base.seen_segments, *seen_segments])),
        origin="patch",
    )
