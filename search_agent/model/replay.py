"""ReplayModel: the replies of a recorded search, served again by call path.

What was not recorded goes to the live model (a resumed search) or is refused (a replay).
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic import BaseModel

from search_agent.errors import ReplayDiverged
from search_agent.model.protocol import Deadline, Finish, Message, Model, Reply, Usage
from search_agent.model.reply import parse_reply

Count = Callable[[str | Sequence[Message]], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedCall:
    """One model call as the trajectory holds it."""

    key: str
    """The call path."""
    messages_sha256: str
    text: str = ""
    finish: Finish = "stop"
    usage: Usage = field(default_factory=Usage)
    labels: Mapping[str, float] | None = None
    """The probabilities, where labels were asked for."""


def messages_sha256(messages: Sequence[Message]) -> str:
    """SHA-256 over the roles and contents of a conversation."""
    rows = [[message.role, message.content] for message in messages]
    return hashlib.sha256(json.dumps(rows, ensure_ascii=True).encode()).hexdigest()


class ReplayModel:
    """Serves ``recorded`` calls; ``live`` answers the others. As thread-safe as ``live``.

    Without a live model ``description`` says whose replies these are (keys ``name``, ``sha256``,
    ``n_ctx`` of a recorded ``describe()``) and ``count`` counts tokens as that model did.
    """

    def __init__(
        self,
        recorded: Mapping[str, RecordedCall],
        live: Model | None,
        *,
        description: Mapping[str, object] | None = None,
        count: Count | None = None,
    ) -> None:
        known = live.describe() if live is not None else dict(description or {})
        if live is None and (count is None or not {"name", "sha256", "n_ctx"} <= known.keys()):
            message = (
                "a replay without a live model needs count and a description (name, sha256, n_ctx)"
            )
            raise ValueError(message)
        self._recorded = recorded
        self._live = live
        self._count = live.count_tokens if live is not None else count
        self._description = known
        self.name = live.name if live is not None else str(known["name"])
        self.sha256 = live.sha256 if live is not None else str(known["sha256"])
        self.context_length = live.context_length if live is not None else int(str(known["n_ctx"]))
        self.served: set[str] = set()
        """The call paths answered from the record so far."""

    def complete(
        self,
        messages: Sequence[Message],
        *,
        reply_type: type[BaseModel] | None = None,
        max_tokens: int,
        temperature: float = 0.0,
        seed: int = 0,
        stop: Sequence[str] = (),
        deadline: Deadline | None = None,
        unit: str = "",
        call_path: str = "",
    ) -> Reply:
        """The recorded reply of this call path, parsed anew; else the live model's.

        Raises:
            ReplayDiverged: other messages than recorded, or not recorded and nobody live to ask.
        """
        record = self._record(messages, call_path=call_path, kind="reply")
        if record is None:
            assert self._live is not None
            return self._live.complete(
                messages,
                reply_type=reply_type,
                max_tokens=max_tokens,
                temperature=temperature,
                seed=seed,
                stop=stop,
                deadline=deadline,
                unit=unit,
                call_path=call_path,
            )
        return parse_reply(
            record.text, reply_type=reply_type, finish=record.finish, usage=record.usage
        )

    def label_probabilities(
        self,
        messages: Sequence[Message],
        labels: Sequence[str],
        *,
        unit: str = "",
        deadline: Deadline | None = None,
        call_path: str = "",
    ) -> tuple[dict[str, float], Usage]:
        """The recorded probabilities of this call path; else the live model's.

        Raises:
            ReplayDiverged: other messages or labels than recorded, or not recorded and nobody live.
        """
        record = self._record(messages, call_path=call_path, kind="label probabilities")
        if record is None:
            assert self._live is not None
            return self._live.label_probabilities(
                messages, labels, unit=unit, deadline=deadline, call_path=call_path
            )
        recorded = dict(record.labels or {})
        if recorded and set(recorded) != set(labels):
            message = (
                f"call {call_path!r} asks for {list(labels)!r}, recorded are {list(recorded)!r}"
            )
            raise ReplayDiverged(message)
        return recorded, record.usage

    def count_tokens(self, text_or_messages: str | Sequence[Message]) -> int:
        """As the live model counts, or as ``count`` says."""
        assert self._count is not None
        return self._count(text_or_messages)

    def describe(self) -> dict[str, object]:
        """The live model's description, or the recorded one."""
        return dict(self._description)

    def _record(
        self,
        messages: Sequence[Message],
        *,
        call_path: str,
        kind: Literal["reply", "label probabilities"],
    ) -> RecordedCall | None:
        record = self._recorded.get(call_path)
        if record is None:
            if self._live is None:
                message = f"call {call_path!r} was not recorded; the search took another way"
                raise ReplayDiverged(message)
            return None
        if (record.labels is not None) != (
            kind == "label probabilities"
        ) and record.finish == "stop":
            message = f"call {call_path!r} asks for a {kind}; recorded is something else"
            raise ReplayDiverged(message)
        found = messages_sha256(messages)
        if found != record.messages_sha256:
            message = (
                f"call {call_path!r} sends messages {found[:16]}, recorded are "
                f"{record.messages_sha256[:16]}; the last now ends {messages[-1].content[-120:]!r}"
            )
            raise ReplayDiverged(message)
        self.served.add(call_path)
        return record
