"""Closed book: the model answers from memory, without any passage; the floor of a benchmark.

What is right here owes nothing to the corpus. There is nothing to cite, so nothing is.
"""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, RootModel

from prompts.catalogue import ClosedBook, QuestionTurn
from search_agent.evidence.records import Answer
from search_agent.model.protocol import Message
from search_agent.session import Session, Stopped, payload
from search_agent.state_space.conclude import Conclusion
from search_agent.state_space.init_state import rejection_turns

UNIT = "closed-book"
TRIES = 2
Thought = Annotated[str, Field(max_length=120)]


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid")


class KnownAnswer(_Reply):
    """The model thinks that it knows."""

    thought: Thought
    answer: Annotated[str, Field(min_length=1, max_length=120)]


class UnknownAnswer(_Reply):
    """The model says that it does not know."""

    thought: Thought
    missing: Annotated[str, Field(min_length=1, max_length=200)]


class ClosedBookReply(RootModel[KnownAnswer | UnknownAnswer]):
    """An answer, or what is missing."""


def closed_book_system() -> Message:
    """The system message; not that of the other roles, who must know nothing but what they read."""
    return Message(role="system", content=ClosedBook().render())


def closed_book(session: Session) -> Conclusion:
    """Answer without a search, or abstain.

    Raises:
        ModelError: the model cannot be called.
    """
    try:
        return _ask(session)
    except Stopped:
        if session.stop_requested():
            session.trajectory.record("stop_requested", {})
            return Conclusion(status="abstained", termination="cancelled")
        return Conclusion(status="abstained", termination="time_limit")


def _ask(session: Session) -> Conclusion:
    opening = [
        closed_book_system(),
        Message(role="user", content=QuestionTurn(question=session.question).render()),
    ]
    messages = opening
    for turn in range(1, TRIES + 1):
        reply = session.call(
            "closed-book",
            messages,
            unit=UNIT,
            call_path=f"closed-book/t{turn}",
            reply_type=ClosedBookReply,
            max_tokens=session.config.output_tokens("react"),
            temperature=0.0 if turn == 1 else 0.4,
        )
        content = payload(reply)
        if "missing" in content:
            session.flag(f"missing: {content['missing']}")
            return Conclusion(status="abstained", termination="action_pool_depleted")
        text = " ".join(str(content.get("answer", "")).split())
        if text:
            answer = Answer(text=text, claims=(), flags=("closed_book",))
            return Conclusion(status="answered", termination="answer", answer=answer)
        problem = reply.problem or "the answer is blank; send answer or missing"
        session.trajectory.record(
            "reply_rejected", {"action": UNIT, "turn": turn, "problems": [problem]}
        )
        messages = [*opening, *rejection_turns(reply.text, [problem])]
    return Conclusion(status="abstained", termination="fail_limit")
