"""ReAct: one conversation of search and answer, the baseline beside the state-space search."""

from collections.abc import Mapping
from typing import Any

from prompts.catalogue import QuestionTurn, React, ReplyNow
from search_agent.final_result import Termination
from search_agent.model.protocol import Message
from search_agent.session import Session, Stopped, payload
from search_agent.state_space.action_run import ActionRun, reduce_retrieval, rules_of, run_tools
from search_agent.state_space.anchor import anchored_claims
from search_agent.state_space.answer_rules import check_answer
from search_agent.state_space.checked_answer import check_support_of_answer
from search_agent.state_space.conclude import Conclusion
from search_agent.state_space.conversation import Conversation, Ladder
from search_agent.state_space.records import Action, ActionProposal, State, Variable
from search_agent.state_space.replies import react_reply
from search_agent.tools.docs import RETRIEVE_DOC

UNIT = "react"


def react_system(session: Session) -> Message:
    """The role's system message."""
    return session.system(React(tools=(RETRIEVE_DOC,)).render())


def react(session: Session) -> Conclusion:
    """Search and answer in one conversation of at most ``react.max_steps`` replies.

    Raises:
        ModelError: the model cannot be called.
    """
    variable = Variable(id=1, type="Answer", question_clues=(session.question,))
    root = State(state=(variable,), answer_variable=1)
    proposal = ActionProposal(direction=session.question, score=1.0)
    run = ActionRun(
        session=session,
        action=Action(
            id=UNIT, question=session.question, state=root, proposal=proposal, proposal_call_id=""
        ),
        new_state_id=lambda _: UNIT,
        settings=session.config.retrieval,
        conversation=Conversation(
            system=react_system(session), opening=QuestionTurn(question=session.question).render()
        ),
        remaining=session.config.search_workflow.react_agent.max_steps,
    )
    session.trajectory.record("react_run_started", {"max_steps": run.remaining})
    try:
        return _converse(run)
    except Stopped:
        if session.stop_requested():
            session.trajectory.record("stop_requested", {})
            return Conclusion(status="abstained", termination="cancelled")
        return Conclusion(status="abstained", termination="time_limit")


def _converse(run: ActionRun) -> Conclusion:
    session, config = run.session, run.session.config
    ladder = Ladder(session=session, action_id=UNIT, reduce_retrieval=lambda: reduce_retrieval(run))
    max_tokens = config.output_tokens("react")
    while run.remaining > 0:
        if session.stop_requested() or session.time_is_over():
            raise Stopped
        run.turn += 1
        # A small model sends a refused search again as long as it may search.
        is_last = run.remaining == 1 or ladder.must_wrap_up or bool(run.rejections and run.seen)
        run.conversation.nudge = reply_now(run, may_search=not is_last)
        if not ladder.fit(run.conversation, max_tokens=max_tokens):
            return Conclusion(status="abstained", termination="fail_limit")
        is_last = is_last or ladder.must_wrap_up
        reply = session.call(
            "react",
            run.conversation.messages(),
            unit=UNIT,
            call_path=f"react/t{run.turn}/a{run.rejections}",
            reply_type=react_reply(
                config, segment_ids=run.seen, tools=() if is_last else ("retrieve",)
            ),
            max_tokens=max_tokens,
            temperature=config.llm.temperature.run,
        )
        run.remaining -= 1
        content = payload(reply)
        step = _step(run, content, reply.text, reply.problem)
        if isinstance(step, Conclusion):
            return step
        run.rejections = run.rejections + 1 if step else 0
        if step:
            session.trajectory.record(
                "reply_rejected", {"action": UNIT, "turn": run.turn, "problems": step}
            )
            run.conversation.reject(reply.text, step)
        if run.rejections >= config.creation.max_consecutive_errors:
            return Conclusion(status="abstained", termination="fail_limit")
    return Conclusion(status="abstained", termination="actions_explored_limit")


def reply_now(run: ActionRun, *, may_search: bool) -> str:
    """The last words of a user turn: the question and the replies that are possible."""
    return ReplyNow(
        question=run.session.question, may_answer=bool(run.seen), may_search=may_search
    ).render()


def _step(
    run: ActionRun, content: Mapping[str, Any], text: str, problem: str | None
) -> Conclusion | list[str]:
    if "tool_calls" in content:
        return run_tools(run, content["tool_calls"], text)
    if "missing" in content:
        run.session.flag(f"missing: {content['missing']}")
        return Conclusion(status="abstained", termination="action_pool_depleted")
    if "answer" in content:
        return conclude_answer(run, content["answer"])
    return [problem or "nothing readable found; send tool_calls, answer or missing"]


def conclude_answer(run: ActionRun, body: Mapping[str, Any]) -> Conclusion | list[str]:
    """The answer with checked claims, a guess where its support is too low, or what is told."""
    session: Session = run.session
    is_last = run.remaining == 0 or run.rejections + 1 >= (
        session.config.creation.max_consecutive_errors
    )
    claims, is_anchored = anchored_claims(
        session,
        run.action.state,
        str(body.get("answer") or ""),
        [(claim["text"], tuple(claim["segment_ids"])) for claim in body.get("claims", [])],
        shown=run.seen,
    )
    raw = {**body, "claims": [{"text": text, "segment_ids": list(ids)} for text, ids in claims]}
    outcome = check_answer(raw, run.action.state, rules_of(run), is_last_try=is_last)
    if outcome.problems:
        return list(outcome.problems)
    checked = check_support_of_answer(
        session,
        text=outcome.text,
        claims=outcome.claims,
        flags=(*outcome.flags, *(("answer_anchored",) if is_anchored else ())),
        call_path=f"{run.action.id}/t{run.turn}",
    )
    termination: Termination = "answer"
    if checked.is_accepted:
        return Conclusion(status="answered", termination=termination, answer=checked.answer)
    session.flag("answer_unsupported")
    params = session.config.params
    if params.provide_best_guess and checked.strength >= params.guess_min_strength:
        return Conclusion(status="guess", termination=termination, answer=checked.answer)
    return Conclusion(status="abstained", termination="action_pool_depleted")
