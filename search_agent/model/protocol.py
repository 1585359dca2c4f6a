"""Model: what the agent asks of a language model, and the records that travel with it."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from pydantic import BaseModel

Role = Literal["system", "user", "assistant"]
Finish = Literal["stop", "length", "deadline", "cancelled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One turn of the conversation the model reads."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of one call, or of several added up."""

    prompt_evaluated: int = 0
    prompt_reused: int = 0
    """Prompt tokens whose KV state was still there; evaluated + reused = prompt length."""
    completion: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        """Both calls together."""
        return Usage(
            prompt_evaluated=self.prompt_evaluated + other.prompt_evaluated,
            prompt_reused=self.prompt_reused + other.prompt_reused,
            completion=self.completion + other.completion,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a model said; ``value`` only where a reply type was asked for and obeyed."""

    text: str
    value: BaseModel | None
    finish: Finish
    usage: Usage
    problem: str | None = None
    """Why ``value`` is None although a reply type was asked for (cut, invalid)."""


class Deadline:
    """When to stop, and whether somebody has asked to stop; shared by all calls of a search.

    Thread-safe: ``cancelled`` may be set from any thread.
    """

    def __init__(
        self,
        at: float | None,
        *,
        clock: Callable[[], float] = time.monotonic,
        cancelled: threading.Event | None = None,
    ) -> None:
        self.at = at
        self.clock = clock
        self.cancelled = cancelled

    def state(self) -> Literal["deadline", "cancelled"] | None:
        """Why work must stop now, or None while it may go on; a cancellation comes first."""
        if self.cancelled is not None and self.cancelled.is_set():
            return "cancelled"
        if self.at is not None and self.clock() >= self.at:
            return "deadline"
        return None

    def remaining(self) -> float | None:
        """Seconds left, never negative; None where there is no limit."""
        return None if self.at is None else max(0.0, self.at - self.clock())


class Model(Protocol):
    """A language model. Implementations are thread-safe: one call runs at a time.

    ``unit`` names the unit of work a call belongs to (an init, an expansion, an action, a judging).
    When it differs from the previous call's, cached state goes back to the system message's
    prefix, so that results do not depend on what ran before; within a unit the longest common
    prefix is reused. ``call_path`` names the one call, for records and replays.
    """

    name: str
    sha256: str
    context_length: int

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
        """One reply; with ``reply_type`` decoding is constrained to its JSON schema.

        Raises:
            ContextOverflow: prompt + ``max_tokens`` is more than ``context_length``.
            ModelCallFailed: the backend failed.
        """
        ...

    def label_probabilities(
        self,
        messages: Sequence[Message],
        labels: Sequence[str],
        *,
        unit: str = "",
        deadline: Deadline | None = None,
        call_path: str = "",
    ) -> tuple[dict[str, float], Usage]:
        """Probability of each label as the next word, renormalised over ``labels`` (sum 1)."""
        ...

    def count_tokens(self, text_or_messages: str | Sequence[Message]) -> int:
        """Tokens of a text, or of a whole conversation with the chat template around it."""
        ...

    def describe(self) -> dict[str, object]:
        """What a manifest records: name, sha256, n_ctx, threads, batch, versions, template hash."""
        ...
