"""Successors: what a state reply or an answer reply turns into, once code has checked it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from prompts.catalogue import MustAnswer
from search_agent.state_space.action_run import ActionRun, child_of, is_last_try, rules_of
from search_agent.state_space.anchor import anchored_claims, asked_part, is_read, repeats_candidate
from search_agent.state_space.answer_rules import check_answer
from search_agent.state_space.checked_answer import check_support_of_answer
from search_agent.state_space.clues import render_elimination, render_report, resolve_mode
from search_agent.state_space.patch import (
    Rejected,
    apply_branches,
    clamp_must_answer,
    must_answer,
    normalise_branches,
    visible_ids,
)
from search_agent.state_space.records import Assumption, CluesMode, Result, as_candidate, norm


def take_state(run: ActionRun, body: Mapping[str, Any]) -> Result | list[str]:
    """Successor states of a state reply, an empty patch, or what the model is told."""
    session, base = run.session, run.action.state
    mode, _ = resolve_mode(session.config.creation.discovered_clues_mode)
    note = str(body.get("note") or "").strip()
    branches = normalise_branches(body.get("new_states"))
    if isinstance(branches, Rejected):
        return list(branches.problems)
    if not branches or _names_nothing(branches):
        return Result(previous_action_id=run.action.id, outcome="empty_patch", note=note)
    rendered = [[clues_as_strings(variable, mode) for variable in branch] for branch in branches]
    rules = rules_of(run)
    outcome = apply_branches(base, rendered, rules, is_last_try=is_last_try(run))
    for kind, data in outcome.events:
        session.trajectory.record(kind, {"action": run.action.id, **data})
    if outcome.problems:
        return [*outcome.problems, f"ids that can be cited: {', '.join(visible_ids(rules))}"]
    patched = list(outcome.variables)
    for index, variables in enumerate(patched):
        if not must_answer(variables, base.answer_variable, session.config.creation):
            continue
        if not run.must_answer_told and run.remaining > 0:
            run.must_answer_told = True
            held = next(v.candidate for v in variables if v.id == base.answer_variable)
            return [MustAnswer(candidate=held or "").render()]
        patched[index], _ = clamp_must_answer(variables, base.answer_variable)
        session.trajectory.record("must_answer_clamped", {"action": run.action.id, "branch": index})
    states = tuple(child_of(run, variables) for variables in patched)
    return Result(
        previous_action_id=run.action.id, outcome="new_states", new_states=states, note=note
    )


def _names_nothing(branches: Sequence[Sequence[Mapping[str, Any]]]) -> bool:
    """Whether every branch only says that there is no candidate: the empty patch in other words."""
    return all(
        as_candidate(variable.get("candidate")) is None and not variable.get("eliminates")
        for branch in branches
        for variable in branch
        if "candidate" in variable
    ) and all("candidate" in variable for branch in branches for variable in branch)


def clues_as_strings(variable: Mapping[str, Any], mode: CluesMode) -> dict[str, Any]:
    """The patch variable with its structured clues rendered to the stored strings."""
    plain = {key: value for key, value in variable.items() if key not in {"eliminates", "report"}}
    if mode == "blacklist" and variable.get("eliminates") is not None:
        plain["discovered_clues"] = [
            render_elimination(
                item["target"],
                item["reason"],
                item["sources"],
                [Assumption(a["id"], a["value"]) for a in item.get("assumptions", [])],
            )
            for item in variable["eliminates"]
        ]
    if mode == "report" and variable.get("report") is not None:
        report = variable["report"]
        note = _with_candidate(report["candidate_note"], as_candidate(variable.get("candidate")))
        plain["discovered_clues"] = [render_report(report["history"], note, report["sources"])]
    return plain


def _with_candidate(note: str, candidate: str | None) -> str:
    """The note with the candidate's name in it, blank without one (spec §11.1): code knows both."""
    if candidate is None:
        return ""
    return note if norm(candidate) in norm(note) else f"{candidate}; {note}"


def take_value(run: ActionRun, body: Mapping[str, Any]) -> Result | list[str]:
    """The candidate that a state reply gives for the answer, taken as the answer: code makes its
    claims. The empty patch if it gives none.
    """
    branches = normalise_branches(body.get("new_states"))
    named = (
        as_candidate(str(variable.get("candidate") or ""))
        for branch in ([] if isinstance(branches, Rejected) else branches)
        for variable in branch
    )
    value = next(filter(None, named), None)
    if value is None:
        return Result(previous_action_id=run.action.id, outcome="empty_patch")
    return take_answer(run, {"answer": value, "claims": []})


def take_answer(run: ActionRun, body: Mapping[str, Any]) -> Result | list[str]:
    """A supported answer, the state that an unsupported one becomes, or what the model is told."""
    session, base = run.session, run.action.state
    mode, _ = resolve_mode(session.config.creation.discovered_clues_mode)
    raw = {
        **body,
        "new_state": [clues_as_strings(item, mode) for item in body.get("new_state", [])],
    }
    answer = str(body.get("answer") or "")
    repeated = repeats_candidate(answer, base)
    if repeated:
        wanted = f"V{base.answer.id}, a {base.answer.type}"
        fault = f"{repeated!r} is known already; the question asks for {wanted}"
        if not run.is_answer_sought and not is_last_try(run):
            run.is_answer_sought = True
            return [fault]
        return Result(previous_action_id=run.action.id, outcome="empty_patch", note=fault)
    is_checked = session.config.params.answer_min_support > 0
    if is_checked and answer.strip() and not is_read(session, answer, run.seen):
        note = "the answer stands in no passage"
        return Result(previous_action_id=run.action.id, outcome="empty_patch", note=note)
    claims, is_anchored = anchored_claims(
        session,
        base,
        answer,
        [(claim["text"], tuple(claim["segment_ids"])) for claim in body.get("claims", [])],
        shown=run.seen,
    )
    raw["claims"] = [{"text": text, "segment_ids": list(ids)} for text, ids in claims]
    rules = rules_of(run)
    outcome = check_answer(raw, base, rules, is_last_try=is_last_try(run))
    for kind, data in outcome.events:
        session.trajectory.record(kind, {"action": run.action.id, **data})
    if outcome.problems:
        return list(outcome.problems)
    state = child_of(run, outcome.variables)
    checked = check_support_of_answer(
        session,
        text=outcome.text,
        claims=outcome.claims,
        flags=(*outcome.flags, *(("answer_anchored",) if is_anchored else ())),
        call_path=f"{run.action.id}/t{run.turn}",
        asked=asked_part(session.question, base),
    )
    if checked.is_accepted:
        return Result(
            previous_action_id=run.action.id,
            outcome="answer",
            found_answer=outcome.text,
            answer=checked.answer,
            answer_state=state,
        )
    variables = tuple(
        replace(
            variable,
            candidate=variable.candidate or outcome.text,
            candidate_strength=checked.strength,
        )
        if variable.id == base.answer_variable
        else variable
        for variable in state.state
    )
    session.trajectory.record(
        "answer_unsupported", {"action": run.action.id, "answer": outcome.text, "why": checked.why}
    )
    session.flag("answer_unsupported")
    return Result(
        previous_action_id=run.action.id,
        outcome="new_states",
        new_states=(replace(state, state=variables),),
        found_answer=outcome.text,
        answer=checked.answer,
    )
