"""Single-shot RAG: one search, one reply; the floor that every other strategy must beat."""

from prompts.catalogue import QuestionTurn, ReplyNow, SingleShot
from search_agent.model.protocol import Message
from search_agent.react import conclude_answer, reply_now
from search_agent.session import RESERVE_TOKENS, Session, Stopped, payload
from search_agent.state_space.action_run import ActionRun, run_tool
from search_agent.state_space.conclude import Conclusion
from search_agent.state_space.conversation import Conversation
from search_agent.state_space.records import Action, ActionProposal, State, Variable
from search_agent.state_space.replies import react_reply

UNIT = "single-shot"
DOCUMENTS = 5
ROW_SHARE = 0.3
"""Most of the context given to passages: there is but one row."""
TRIES = 2


def single_shot_system(session: Session) -> Message:
    """The role's system message."""
    return session.system(SingleShot().render())


def single_shot(session: Session) -> Conclusion:
    """Answer from the best passages of one search.

    Raises:
        ModelError: the model cannot be called.
    """
    config = session.config
    question = QuestionTurn(question=session.question).render()
    variable = Variable(id=1, type="Answer", question_clues=(session.question,))
    run = ActionRun(
        session=session,
        action=Action(
            id=UNIT,
            question=session.question,
            state=State(state=(variable,), answer_variable=1),
            proposal=ActionProposal(direction=session.question, score=1.0),
            proposal_call_id="",
        ),
        new_state_id=lambda _: UNIT,
        settings=config.retrieval.model_copy(update={"top_k": DOCUMENTS}),
        conversation=Conversation(
            system=single_shot_system(session),
            opening=question,
        ),
        remaining=TRIES,
        row_tokens=_row_tokens(session, question),
    )
    run_tool(
        run, "retrieve", {"query": [" ".join(session.question.replace('"', " ").split())[:200]]}
    )
    if not run.seen:
        return Conclusion(status="abstained", termination="action_pool_depleted")
    run.conversation.nudge = reply_now(run, may_search=False)
    try:
        return _ask(run)
    except Stopped:
        if session.stop_requested():
            session.trajectory.record("stop_requested", {})
            return Conclusion(status="abstained", termination="cancelled")
        return Conclusion(status="abstained", termination="time_limit")


def _room(session: Session) -> int:
    return session.model.context_length - session.config.output_tokens("react") - RESERVE_TOKENS


def _row_tokens(session: Session, opening: str) -> int:
    now = ReplyNow(question=session.question, may_answer=True, may_search=False).render()
    around = [
        single_shot_system(session),
        Message(role="user", content=opening),
        Message(role="user", content=now),
    ]
    free = _room(session) - session.model.count_tokens(around)
    return max(1, min(free, int(session.model.context_length * ROW_SHARE)))


def _ask(run: ActionRun) -> Conclusion:
    session, config = run.session, run.session.config
    while run.remaining > 0:
        run.turn += 1
        if session.model.count_tokens(run.conversation.messages()) > _room(session):
            run.conversation.rejected = ()  # what was wrong is worth less than the passages
        reply = session.call(
            "single-shot",
            run.conversation.messages(),
            unit=UNIT,
            call_path=f"single-shot/t{run.turn}",
            reply_type=react_reply(config, segment_ids=run.seen, tools=()),
            max_tokens=config.output_tokens("react"),
            temperature=0.0 if run.turn == 1 else 0.4,
        )
        run.remaining -= 1
        content = payload(reply)
        if "missing" in content:
            session.flag(f"missing: {content['missing']}")
            return Conclusion(status="abstained", termination="action_pool_depleted")
        body = content.get("answer")
        step = (
            conclude_answer(run, body)
            if isinstance(body, dict)
            else [reply.problem or "nothing readable found; send answer or missing"]
        )
        if isinstance(step, Conclusion):
            return step
        run.rejections += 1
        session.trajectory.record(
            "reply_rejected", {"action": UNIT, "turn": run.turn, "problems": step}
        )
        run.conversation.reject(reply.text, step)
    return Conclusion(status="abstained", termination="fail_limit")
