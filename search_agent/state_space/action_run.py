"""ActionRun: what one action accumulates (budget, what it has seen), and its tool calls."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from search_agent.config import RetrievalSettings
from search_agent.errors import ToolRejected
from search_agent.model.protocol import Usage
from search_agent.session import Session
from search_agent.state_space.clues import resolve_mode
from search_agent.state_space.conversation import Conversation
from search_agent.state_space.dependencies import next_unknown
from search_agent.state_space.patch import PatchRules, child_state
from search_agent.state_space.records import Action, State, Variable, norm
from search_agent.state_space.render import describe_placeholders
from search_agent.tools.names import resolve_tool
from search_agent.tools.retrieve import ToolRow, retrieve

CALLS_PER_REPLY = 4


@dataclass(kw_only=True)
class ActionRun:
    """The changing part of one action."""

    session: Session
    action: Action
    new_state_id: Callable[[int], str]
    settings: RetrievalSettings
    conversation: Conversation
    remaining: int
    turn: int = 0
    rejections: int = 0
    must_answer_told: bool = False
    is_answer_sought: bool = False
    """The answer repeated a known candidate: its value is asked for as that of an unknown."""
    seen: list[str] = field(default_factory=list)
    chunk_ids: list[str] = field(default_factory=list)
    calls_made: dict[str, int] = field(default_factory=dict)
    repeats: int = 0
    last_fault: str = ""
    usage: Usage = Usage()
    row_tokens: int = 0
    """Cap of a tool row; 0: the configuration's."""


def run_tools(run: ActionRun, calls: Sequence[Mapping[str, Any]], text: str) -> list[str]:
    """Run the calls of a reply in order; faults if they only repeat earlier ones."""
    keys = [_call_key(call["name"], call["arguments"]) for call in calls]
    if all(key in run.calls_made for key in keys):
        run.repeats += 1
        if run.repeats >= 2:
            return [
                "the same search was sent again; use what it showed, or search for something else"
            ]
    else:
        run.repeats = 0
    run.conversation.add_reply(text)
    for number, call in enumerate(calls):
        if number >= CALLS_PER_REPLY:
            run.conversation.add_note(f"not run: at most {CALLS_PER_REPLY} calls a reply")
            continue
        run_tool(run, call["name"], call["arguments"])
    return []


def _call_key(name: str, arguments: Mapping[str, Any]) -> str:
    queries = sorted(norm(str(query)) for query in arguments.get("query", []))
    return f"{name}:{arguments.get('page', 1)}:{queries}"


def run_tool(run: ActionRun, name: str, arguments: Mapping[str, Any]) -> None:
    """Run one call and add its row, or a line that says why it was not run."""
    session = run.session
    key = _call_key(name, arguments)
    call_id = f"{run.action.id}/t{run.turn}/{len(run.calls_made)}"
    session.trajectory.record(
        "tool_called", {"id": call_id, "name": name, "arguments": dict(arguments)}
    )
    if key in run.calls_made:
        run.conversation.add_note(f"(the same search was made in turn {run.calls_made[key]})")
        return
    run.calls_made[key] = run.turn
    try:
        row = retrieve(
            {**arguments, "name": resolve_tool(name, "retrieve")},
            searcher=session.searcher,
            ledger=session.ledger,
            settings=run.settings,
            filters=session.filters,
            token_limit=run.row_tokens or session.config.tool_row_tokens,
            count_tokens=session.model.count_tokens,
            in_context=run.conversation.shown_segments,
            action_id=run.action.id,
            call_id=call_id,
        )
    except ToolRejected as error:
        run.conversation.add_note(f"(not run: [{error.code}] {error})")
        return
    run.conversation.add_row(row)
    _register(run, row, call_id)


def _register(run: ActionRun, row: ToolRow, call_id: str) -> None:
    session = run.session
    new = [segment for segment in row.segment_ids if segment not in run.seen]
    run.seen.extend(new)
    run.chunk_ids.extend(chunk for chunk in row.chunk_ids if chunk not in run.chunk_ids)
    session.trajectory.record(
        "tool_result",
        {
            "id": call_id,
            "queries": list(row.queries),
            "hits": list(row.hits),
            "segments": list(row.segment_ids),
            "text": session.trajectory.store_message("tool", row.text),
        },
    )
    if row.left_out_hits or row.left_out_segments:
        session.truncations["tool_output_capped"] += 1
        session.trajectory.record(
            "tool_output_capped",
            {"id": call_id, "hits": row.left_out_hits, "segments": row.left_out_segments},
        )


def first_queries(action: Action, question: str) -> list[str]:
    """What code searches for before the model is asked: the direction, and the clues of the
    unknown it is due to find (the question where there is but one unknown).
    """
    state = action.state
    target = next_unknown(state)
    clues = [describe_placeholders(c, state) for c in (target or state.answer).question_clues]
    wanted = [
        action.proposal.direction,
        "; ".join(clues) if target or len(state.state) > 1 else question,
    ]
    wanted = [describe_placeholders(text, state) for text in wanted]
    queries: dict[str, str] = {}
    for text in wanted:
        cleaned = " ".join(text.replace('"', " ").split())[:200].strip()
        if cleaned:
            queries.setdefault(norm(cleaned), cleaned)
    return list(queries.values())[:2]


def reduce_retrieval(run: ActionRun) -> None:
    """Halve what a query brings (spec §17, reduced_retrieval_request)."""
    run.settings = run.settings.model_copy(
        update={
            "top_k": max(1, run.settings.top_k // 2),
            "top_k_multiply_factor": max(1, run.settings.top_k_multiply_factor // 2),
        }
    )


def seen_documents(run: ActionRun) -> list[str]:
    """``D`` ids of the documents shown on this branch."""
    found = (run.session.ledger.get(segment) for segment in run.seen)
    return list(dict.fromkeys(evidence.document_id for evidence in found if evidence is not None))


def rules_of(run: ActionRun) -> PatchRules:
    """What a patch of this action is checked against."""
    mode, _ = resolve_mode(run.session.config.creation.discovered_clues_mode)
    found = (run.session.ledger.get(segment) for segment in run.seen)
    shown = {item.document_id: item.title for item in found if item is not None}
    return PatchRules(
        creation=run.session.config.creation,
        mode=mode,
        seen_segments=frozenset(run.seen),
        seen_documents=shown,
        aliases={text: key for text, key in run.session.ledger.aliases().items() if key in shown},
        count_tokens=run.session.model.count_tokens,
    )


def is_last_try(run: ActionRun) -> bool:
    """Whether a rejection of this reply would end the action."""
    limit = run.session.config.creation.max_consecutive_errors
    return run.rejections + 1 >= limit or run.remaining == 0


def child_of(run: ActionRun, variables: tuple[Variable, ...]) -> State:
    """The successor of the action's state with these variables."""
    base = run.action.state
    return child_state(
        base,
        variables,
        state_id=run.new_state_id(base.depth + 1),
        action_id=run.action.id,
        evidence_ids=tuple(run.chunk_ids),
        seen_segments=tuple(run.seen),
    )
