"""run_action: a direction followed as one conversation, to answer, states, nothing or an error."""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from prompts.catalogue import (
    ActNow,
    CluesBlacklist,
    CluesNone,
    CluesReport,
    RunAction,
    RunTurn,
    WrapUp,
)
from search_agent.errors import ActionReply, BudgetExhausted, ContextOverflow
from search_agent.model.protocol import Message
from search_agent.session import Session, payload
from search_agent.state_space.action_run import (
    ActionRun,
    first_queries,
    reduce_retrieval,
    run_tool,
    run_tools,
    seen_documents,
)
from search_agent.state_space.anchor import asked_part, nearest_segments
from search_agent.state_space.clues import binding_eliminations, resolve_mode
from search_agent.state_space.conversation import Conversation, Ladder
from search_agent.state_space.dependencies import known_evidence, next_unknown
from search_agent.state_space.records import Action, Result, Variable, norm
from search_agent.state_space.render import (
    describe_placeholders,
    describe_variable,
    render_eliminations,
    render_known,
)
from search_agent.state_space.replies import run_reply
from search_agent.state_space.successors import take_answer, take_state, take_value
from search_agent.tools.docs import RETRIEVE_DOC
from search_agent.tools.fence import fence, show_text

MAX_PAGE = 20
NEAREST_CHARS = 400
CLUES_SECTIONS = {"blacklist": CluesBlacklist, "report": CluesReport, "none": CluesNone}


def run_system(session: Session) -> Message:
    """The role's system message, byte-identical for all actions of a search."""
    mode, _ = resolve_mode(session.config.creation.discovered_clues_mode)
    prompt = RunAction(
        tools=(RETRIEVE_DOC,),
        clues_section=CLUES_SECTIONS[mode]().render(),
        use_candidate_strength=session.config.creation.use_candidate_strength,
    )
    return session.system(prompt.render())


def run_action(session: Session, action: Action, *, new_state_id: Callable[[int], str]) -> Result:
    """Follow the action's direction.

    Raises:
        Stopped: the clock or the user ended the search in the middle; the action is not counted.
        ModelError: the model cannot be called.
    """
    run = ActionRun(
        session=session,
        action=action,
        new_state_id=new_state_id,
        settings=session.config.retrieval,
        conversation=Conversation(system=run_system(session), opening=_opening(session, action)),
        remaining=session.config.creation.max_llm_calls_per_run,
        seen=list(action.state.seen_segments),
    )
    began = time.monotonic()
    session.trajectory.record(
        "action_started", {"id": action.id, "direction": action.proposal.direction}
    )
    result = _converse(run)
    return replace(
        result,
        summary=_summary(run, result),
        retrieved_evidence_ids=tuple(run.chunk_ids),
        llm_calls=run.turn,
        usage=run.usage,
        time_taken_s=time.monotonic() - began,
    )


def _opening(session: Session, action: Action) -> str:
    turn = RunTurn(
        direction=describe_placeholders(action.proposal.direction, action.state),
        eliminations=render_eliminations(
            binding_eliminations(action.state),
            limit_tokens=session.model.context_length // 16,
            count_tokens=session.model.count_tokens,
        ),
    )
    return turn.render().strip()


def _act_now(run: ActionRun, *, target: Variable | None, may_search: bool) -> str:
    session, state = run.session, run.action.state
    asked = asked_part(session.question, state)
    wanted = describe_variable(target, state) if target else ""
    nearest = [
        f"[{item.segment_id}] {_beginning(show_text(item.reading))}"
        for item in nearest_segments(session, wanted or asked, _shown(run))
    ]
    return ActNow(
        asked=asked,
        wanted=wanted,
        nearest=fence("\n".join(nearest)) if nearest else "",
        known=render_known(state),
        may_answer=target is None and bool(run.seen),
        may_search=may_search,
        with_thought=session.config.creation.thought,
    ).render()


def _beginning(text: str) -> str:
    return text if len(text) <= NEAREST_CHARS else text[:NEAREST_CHARS].rstrip() + " …"


def _shown(run: ActionRun) -> list[str]:
    """Ids whose text the model has before it, in order of first sight."""
    visible = run.conversation.shown_segments
    return [segment for segment in run.seen if segment in visible]


def _converse(run: ActionRun) -> Result:
    session, conversation = run.session, run.conversation
    creation = session.config.creation
    ladder = Ladder(
        session=session, action_id=run.action.id, reduce_retrieval=lambda: reduce_retrieval(run)
    )
    known = known_evidence(session, run.action.state)
    if known:
        conversation.add_note(known)
    if creation.first_retrieve:
        _search_first(run)
    wrap_up_at = min(3, math.ceil(creation.max_llm_calls_per_run / 4))
    max_tokens = session.config.output_tokens("run")
    while run.remaining > 0:
        run.turn += 1
        is_wrap_up = run.remaining <= wrap_up_at or ladder.must_wrap_up
        target = None if run.must_answer_told else next_unknown(run.action.state)
        if run.is_answer_sought:
            target = run.action.state.answer
        may_search = not is_wrap_up and run.turn >= creation.tools_from_turn
        asked = _act_now(run, target=target, may_search=may_search)
        conversation.nudge = f"{WrapUp().render()}\n{asked}" if is_wrap_up else asked
        if not ladder.fit(conversation, max_tokens=max_tokens):
            error = (
                f"context_exhausted: the prompt does not fit n_ctx {session.model.context_length}"
            )
            return _error(run, ContextOverflow.code, error)
        reply = session.call(
            "run",
            conversation.messages(),
            unit=run.action.id,
            call_path=f"{run.action.id}/t{run.turn}/a{run.rejections}",
            reply_type=run_reply(
                session.config,
                variable_ids=[target.id] if target else [v.id for v in run.action.state.state],
                segment_ids=run.seen,
                document_ids=seen_documents(run),
                tools=("retrieve",) if may_search and not ladder.must_wrap_up else (),
                may_answer=target is None,
                must_name=target is not None,
            ),
            max_tokens=max_tokens,
            temperature=session.config.llm.temperature.run,
        )
        run.usage += reply.usage
        run.remaining -= 1
        step = _step(run, payload(reply), reply.text, reply.problem)
        if isinstance(step, Result):
            return step
        if not step:
            run.rejections = 0
            continue
        run.rejections += 1
        run.last_fault = "; ".join(step)
        session.trajectory.record(
            "reply_rejected",
            {"action": run.action.id, "turn": run.turn, "problems": step, "text": reply.text},
        )
        conversation.reject(reply.text, step)
        if run.rejections >= creation.max_consecutive_errors:
            return _error(run, ActionReply.code, f"{run.rejections} replies in a row rejected")
    return _error(run, BudgetExhausted.code, "llm_budget_exhausted")


def _search_first(run: ActionRun) -> None:
    """Code's own search; where this search has made it before, the next page, if there is one."""
    queries = first_queries(run.action, run.session.question)
    key = repr(sorted(map(norm, queries)))
    run.session.first_searches[key] += 1
    page = min(run.session.first_searches[key], MAX_PAGE)
    if page > 1:
        run_tool(run, "retrieve", {"query": queries, "page": page})
    if not run.conversation.shown_segments:
        run_tool(run, "retrieve", {"query": queries})


def _step(
    run: ActionRun, content: Mapping[str, Any], text: str, problem: str | None
) -> Result | list[str]:
    """What a reply leads to: the end of the action, faults to send back, or ([]) another turn."""
    if "tool_calls" in content:
        return run_tools(run, content["tool_calls"], text)
    if "state" in content:
        take = take_value if run.is_answer_sought else take_state
        return take(run, content["state"])
    if "answer" in content:
        return take_answer(run, content["answer"])
    return [problem or "nothing readable found; send tool_calls, state or answer"]


def _error(run: ActionRun, code: int, message: str) -> Result:
    return Result(previous_action_id=run.action.id, outcome="error", error_code=code, error=message)


def _summary(run: ActionRun, result: Result) -> str:
    """Outcome, what changed, note or error, new segments; cut on a word (spec §10.5)."""
    base = run.action.state
    parts = [result.outcome.replace("_", " ")]
    if result.found_answer:
        parts.append(f"answer {result.found_answer}")
    for state in result.new_states:
        for old, new in zip(base.state, state.state, strict=True):
            if norm(old.candidate or "") != norm(new.candidate or ""):
                strength = (
                    f" ({new.candidate_strength:.2f})" if new.candidate_strength is not None else ""
                )
                parts.append(
                    f"V{new.id}: {old.candidate or 'none'} → {new.candidate or 'none'}{strength}"
                )
    if result.error:
        parts.append(
            f"{run.action.proposal.direction}: {result.error}; {run.last_fault}".strip("; ")
        )
    if result.note:
        parts.append(result.note)
    parts.append(f"{len(run.seen) - len(base.seen_segments)} new passages")
    words = "; ".join(parts).split()
    count, limit = run.session.model.count_tokens, run.session.config.find.result_summary_tokens
    while len(words) > 1 and count(" ".join(words)) > limit:
        words.pop()
    return " ".join(words)
