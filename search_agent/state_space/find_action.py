"""find_action: state → directions, checked against those already used."""

from collections.abc import Sequence
from dataclasses import dataclass

from prompts.catalogue import FindAction, FindTurn
from search_agent.errors import Proposals
from search_agent.model.protocol import Message
from search_agent.session import RESERVE_TOKENS, Session, payload
from search_agent.state_space.clues import binding_eliminations
from search_agent.state_space.init_state import rejection_turns
from search_agent.state_space.proposals import select_proposals
from search_agent.state_space.records import ActionProposal, State
from search_agent.state_space.render import render_eliminations, render_state
from search_agent.state_space.replies import find_reply

SHOWN_USED = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Explored:
    """A direction already taken, with what came of it (empty while pending)."""

    direction: str
    summary: str = ""


def find_system(session: Session) -> Message:
    """The role's system message."""
    limit = session.config.find.action_proposals_limit
    return session.system(FindAction(action_proposals_limit=limit).render())


def find_action(
    session: Session,
    state: State,
    *,
    unit: str,
    used: Sequence[str],
    last_result: str = "",
    ledger: Sequence[Explored] = (),
) -> list[ActionProposal]:
    """Up to ``action_proposals_limit`` new directions; [] when every try failed (recorded).

    Args:
        session: the search.
        state: what directions are for.
        unit: call path of this expansion.
        used: directions explored or pending for the same assignment; repeats are dropped.
        last_result: summary of the action that made the state.
        ledger: on a depletion retry, everything tried so far.
    """
    config = session.config
    system = find_system(session)
    count_tokens = session.model.count_tokens
    rejected: list[Message] = []
    for attempt in range(1, config.find.max_tries + 1):
        turn = _user_turn(
            session,
            state,
            used,
            last_result,
            ledger,
            unit=unit,
            beside=count_tokens([system, *rejected]),
        )
        reply = session.call(
            "find",
            [system, Message(role="user", content=turn), *rejected],
            unit=unit,
            call_path=f"{unit}/{attempt}",
            reply_type=find_reply(config),
            max_tokens=config.output_tokens("find"),
            temperature=config.llm.temperature.find,
        )
        content = payload(reply)
        if content:
            items = content["action_proposals"]
            raw = [
                ActionProposal(direction=item["direction"], score=item["score"])
                for item in (items if isinstance(items, list) else [])
            ]
            kept, _ = select_proposals(raw, limit=config.find.action_proposals_limit, used=used)
            if kept:
                return kept
            listed = "; ".join(list(used)[-SHOWN_USED:])
            problems = [f"every direction was used before; already used: {listed}"]
        else:
            problems = [reply.problem or "nothing readable found"]
        session.trajectory.record(
            "reply_rejected", {"workflow": "find_action", "problems": problems, "text": reply.text}
        )
        rejected = rejection_turns(reply.text, problems)
    session.trajectory.record(
        "find_action_failed", {"state": state.id, "unit": unit, "error_code": Proposals.code}
    )
    return []


def _user_turn(
    session: Session,
    state: State,
    used: Sequence[str],
    last_result: str,
    ledger: Sequence[Explored],
    *,
    unit: str,
    beside: int,
) -> str:
    """The turn with as much of the explored ledger as fits (spec §7.6) next to ``beside`` tokens of
    other messages: summaries go first, oldest first, then the oldest directions, with their number
    stated.
    """
    config = session.config
    count = session.model.count_tokens
    n_ctx = session.model.context_length
    entries = list(ledger) or [Explored(direction=direction) for direction in used]
    eliminations = render_eliminations(
        binding_eliminations(state), limit_tokens=n_ctx // 16, count_tokens=count
    )
    shown_state = render_state(state, limit_tokens=n_ctx // 4, count_tokens=count)
    limit = n_ctx - config.output_tokens("find") - RESERVE_TOKENS - beside
    short = omitted = 0

    def render() -> str:
        lines = [
            f"{entry.direction}: {entry.summary}"
            if entry.summary and index >= short
            else entry.direction
            for index, entry in enumerate(entries)
            if index >= omitted
        ]
        return FindTurn(
            question=session.question,
            state=shown_state,
            eliminations=eliminations,
            last_result=last_result or "none yet",
            explored=tuple(lines),
            omitted=omitted,
        ).render()

    text = render()
    while count([Message(role="user", content=text)]) > limit and omitted < len(entries):
        if short < len(entries):
            short += 1
        else:
            omitted += 1
        text = render()
    if ledger:
        full = sum(bool(entry.summary) for entry in entries[short:])
        session.trajectory.record(
            "ledger_rendered",
            {
                "unit": unit,
                "tokens": count(text),
                "full": full,
                "short": len(entries) - full - omitted,
                "omitted": omitted,
            },
        )
    return text
