"""Conversation: the turns of one action, and the ladder that makes them fit the context (§17)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from search_agent.model.protocol import Message
from search_agent.session import RESERVE_TOKENS, Session
from search_agent.state_space.init_state import rejection_turns
from search_agent.tools.retrieve import ToolRow

DIGEST_TOKENS = 120
DIGESTS_KEPT = 3
COMPACT_FROM = 0.75
"""Share of the room at which old rows become digests."""

Strategy = Literal[
    "reduced_retrieval_request", "delete_tool_responses", "delete_tool_input_and_responses"
]
STRATEGIES: tuple[Strategy, ...] = (
    "reduced_retrieval_request",
    "delete_tool_responses",
    "delete_tool_input_and_responses",
)


@dataclass(kw_only=True)
class Turn:
    """One turn: a reply of the model, or a tool row in full, as a digest or as a stub."""

    kind: Literal["reply", "row", "note"]
    text: str
    row: ToolRow | None = None
    is_full: bool = True
    is_digest: bool = False
    """A note that stands for a row of a conversation that was restarted."""


@dataclass(kw_only=True)
class Conversation:
    """System message, opening, turns, and at most one rejected reply with its faults."""

    system: Message
    opening: str
    turns: list[Turn] = field(default_factory=list)
    rejected: tuple[Message, ...] = ()
    nudge: str = ""

    def add_reply(self, text: str) -> None:
        """A reply that was accepted and is followed by tool rows."""
        self.turns.append(Turn(kind="reply", text=text))
        self.rejected = ()

    def add_row(self, row: ToolRow) -> None:
        """The result of a tool call."""
        self.turns.append(Turn(kind="row", text=row.text, row=row))

    def add_note(self, text: str) -> None:
        """A line of code's own in a user turn, in place of a row."""
        self.turns.append(Turn(kind="note", text=text))

    def reject(self, text: str, problems: Sequence[str], allowed: Sequence[str] = ()) -> None:
        """Only the latest rejected reply and its faults stay in the context."""
        self.rejected = tuple(rejection_turns(text, problems, allowed))

    @property
    def shown_segments(self) -> frozenset[str]:
        """Ids whose text is still in the context."""
        rows = (turn.row for turn in self.turns if turn.row is not None and turn.is_full)
        return frozenset(segment for row in rows for segment in row.segment_ids)

    def messages(self) -> list[Message]:
        """What the model reads: neighbouring turns of one role are joined into one message."""
        parts = [Message(role="user", content=self.opening)]
        for turn in self.turns:
            role: Literal["assistant", "user"] = "assistant" if turn.kind == "reply" else "user"
            parts.append(Message(role=role, content=turn.text))
        parts.extend(self.rejected)
        if self.nudge:
            parts.append(Message(role="user", content=self.nudge))
        joined: list[Message] = []
        for part in parts:
            if joined and joined[-1].role == part.role:
                text = joined.pop().content + "\n" + part.content
                joined.append(Message(role=part.role, content=text))
            else:
                joined.append(part)
        return [self.system, *joined]


@dataclass(kw_only=True)
class Ladder:
    """Applies the rungs in order until the prompt fits; one per action, strategies fire once."""

    session: Session
    action_id: str
    reduce_retrieval: Callable[[], None]
    used: set[Strategy] = field(default_factory=set)
    must_wrap_up: bool = False

    def fit(self, conversation: Conversation, *, max_tokens: int) -> bool:
        """Make ``prompt + max_tokens`` fit; False when no rung is left (context_exhausted)."""
        session = self.session
        room = session.model.context_length - max_tokens - RESERVE_TOKENS
        creation = session.config.creation

        def size() -> int:
            return session.model.count_tokens(conversation.messages())

        if creation.overflow_ladder and size() > COMPACT_FROM * room:
            self._compact(conversation)
        if size() <= room:
            return True
        first = creation.context_limit_reached_strategy
        if first == "fail":
            return False
        others = [strategy for strategy in STRATEGIES if strategy != first]
        for strategy in [first, *others] if creation.overflow_ladder else [first]:
            if strategy in self.used:
                continue
            self.used.add(strategy)
            self._event("overflow_strategy", {"strategy": strategy, "prompt": size(), "room": room})
            self._apply(strategy, conversation)
            if size() <= room:
                return True
        if creation.overflow_ladder and not self.must_wrap_up:
            self.must_wrap_up = True
            self._event("forced_wrap_up", {"prompt": size(), "room": room})
            self._restart(conversation)
            return size() <= room
        return False

    def _apply(self, strategy: Strategy, conversation: Conversation) -> None:
        match strategy:
            case "reduced_retrieval_request":
                self.reduce_retrieval()
                self._restart(conversation)
            case "delete_tool_responses":
                for turn in conversation.turns:
                    if turn.row is not None:
                        turn.text, turn.is_full = "(search result removed)", False
            case "delete_tool_input_and_responses":
                # a reply here is the call itself, so it goes with its row
                conversation.turns = [turn for turn in conversation.turns if turn.kind == "note"]

    def _restart(self, conversation: Conversation) -> None:
        digests = [
            turn.text if turn.row is None else self._digest(turn.row)
            for turn in conversation.turns
            if turn.row is not None or turn.is_digest
        ]
        conversation.turns = [
            Turn(kind="note", text=text, is_digest=True) for text in digests[-DIGESTS_KEPT:]
        ]
        conversation.rejected = ()

    def _compact(self, conversation: Conversation) -> None:
        rows = [turn for turn in conversation.turns if turn.row is not None]
        keep = self.session.config.creation.keep_recent_tool_rows
        old = [turn for turn in rows[: max(0, len(rows) - keep)] if turn.is_full]
        for turn in old:
            if turn.row is not None:
                turn.text, turn.is_full = self._digest(turn.row), False
        if old:
            self._event("rows_compacted", {"rows": len(old)})

    def _digest(self, row: ToolRow) -> str:
        """Tool, queries, and per document the ids shown; ids stay citable."""
        by_document: dict[str, list[str]] = {}
        for segment in row.segment_ids:
            evidence = self.session.ledger.get(segment)
            if evidence is not None:
                title = f'{evidence.document_id} "{evidence.title[:60]}"'
                by_document.setdefault(title, []).append(segment)
        parts = [f"{title}: {', '.join(ids)}" for title, ids in by_document.items()]
        queries = "; ".join(row.queries)
        count = self.session.model.count_tokens
        while True:
            text = f"(earlier search for {queries} showed {'; '.join(parts) or 'nothing'})"
            if count(text) <= DIGEST_TOKENS or not parts:
                return text
            parts.pop()

    def _event(self, kind: str, data: dict[str, object]) -> None:
        self.session.truncations[kind] += 1
        self.session.trajectory.record(kind, {"action": self.action_id, **data})
