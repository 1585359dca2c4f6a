"""ScriptedModel: a model that says what a test wrote down, and fails when the script does not fit.

It behaves as the real one does where a caller can tell: replies are validated against the reply
type, a prompt that does not fit raises, a passed deadline yields no text.
"""

import json
import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel

from search_agent.model.limits import require_room
from search_agent.model.protocol import Deadline, Message, Reply, Usage
from search_agent.model.reply import parse_reply

Words = dict[str, object] | str | BaseModel | Reply
Scripted = Words | Callable[[Sequence[Message]], Words]
Labels = Mapping[str, float] | Callable[[Sequence[Message], Sequence[str]], Mapping[str, float]]

TOKENS_PER_MESSAGE = 4


class ScriptMismatch(AssertionError):
    """The calls made and the script written for them differ; told to the developer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedCall:
    """One call as it came in."""

    kind: Literal["complete", "label_probabilities"]
    messages: tuple[Message, ...]
    reply_type: type[BaseModel] | None = None
    labels: tuple[str, ...] = ()
    max_tokens: int = 0
    temperature: float = 0.0
    seed: int = 0
    unit: str = ""
    call_path: str = ""


class ScriptedModel:
    """Plays ``replies`` in order, or asks ``by_call`` for each; ``calls`` is what was asked.

    A reply is a dict or pydantic object (sent as its JSON), a text, a whole ``Reply``, or a
    function of the messages that returns one of these. ``by_call`` sees the whole call, so that
    concurrent callers can be told apart by call path or prompt, whatever order they come in.
    """

    def __init__(
        self,
        replies: Iterable[Scripted] = (),
        *,
        by_call: Callable[[ScriptedCall], Words] | None = None,
        label_probabilities: Labels | None = None,
        context_length: int = 4096,
        name: str = "scripted",
    ) -> None:
        self.name = name
        self.sha256 = "0" * 64
        self.context_length = context_length
        self.calls: list[ScriptedCall] = []
        self._replies = list(replies)
        self._played = 0
        self._by_call = by_call
        self._labels = label_probabilities
        self._lock = threading.Lock()

    def complete(
        self,
        messages: Sequence[Message],
        *,
        reply_type: type[BaseModel] | None = None,
        max_tokens: int,
        temperature: float = 0.0,
        seed: int = 0,
        stop: Sequence[str] = (),  # noqa: ARG002  (scripted texts are taken as already stopped)
        deadline: Deadline | None = None,
        unit: str = "",
        call_path: str = "",
    ) -> Reply:
        """The next reply of the script.

        Raises:
            ScriptMismatch: the script is exhausted.
            ContextOverflow: prompt + ``max_tokens`` is more than ``context_length``.
        """
        call = ScriptedCall(
            kind="complete",
            messages=tuple(messages),
            reply_type=reply_type,
            max_tokens=max_tokens,
            temperature=temperature,
            seed=seed,
            unit=unit,
            call_path=call_path,
        )
        prompt_tokens = self.count_tokens(messages)
        require_room(prompt_tokens, max_tokens, self.context_length)
        stopped = deadline.state() if deadline is not None else None
        if stopped is not None:
            return Reply(text="", value=None, finish=stopped, usage=Usage())
        with self._lock:
            self.calls.append(call)
            words = self._next_words(call)
        if isinstance(words, Reply):
            return words
        text = _as_text(words)
        usage = Usage(prompt_evaluated=prompt_tokens, completion=self.count_tokens(text))
        return parse_reply(text, reply_type=reply_type, finish="stop", usage=usage)

    def label_probabilities(
        self,
        messages: Sequence[Message],
        labels: Sequence[str],
        *,
        unit: str = "",
        deadline: Deadline | None = None,
        call_path: str = "",
    ) -> tuple[dict[str, float], Usage]:
        """The scripted probabilities, renormalised; equal shares where none were given."""
        prompt_tokens = self.count_tokens(messages)
        require_room(prompt_tokens, 1, self.context_length)
        if deadline is not None and deadline.state() is not None:
            return {}, Usage()
        call = ScriptedCall(
            kind="label_probabilities",
            messages=tuple(messages),
            labels=tuple(labels),
            unit=unit,
            call_path=call_path,
        )
        with self._lock:
            self.calls.append(call)
        if self._labels is None:
            shares: Mapping[str, float] = dict.fromkeys(labels, 1.0)
        elif callable(self._labels):
            shares = self._labels(messages, labels)
        else:
            shares = self._labels
        total = sum(shares.get(label, 0.0) for label in labels)
        if total <= 0:
            message = (
                f"the script gives none of the labels {list(labels)!r} a share: {dict(shares)!r}"
            )
            raise ScriptMismatch(message)
        probabilities = {label: shares.get(label, 0.0) / total for label in labels}
        return probabilities, Usage(prompt_evaluated=prompt_tokens)

    def count_tokens(self, text_or_messages: str | Sequence[Message]) -> int:
        """Pieces of at most four word characters, and each other sign; four more per message."""
        if isinstance(text_or_messages, str):
            return len(re.findall(r"\w{1,4}|[^\w\s]", text_or_messages))
        return sum(
            TOKENS_PER_MESSAGE + self.count_tokens(message.content) for message in text_or_messages
        )

    def describe(self) -> dict[str, object]:
        """Name, hash and context length, as a real model has them."""
        return {"name": self.name, "sha256": self.sha256, "n_ctx": self.context_length}

    def assert_finished(self) -> None:
        """Raise ScriptMismatch when replies of the script were never asked for."""
        left = self._replies[self._played :]
        if left:
            message = (
                f"{len(left)} of {len(self._replies)} replies were not asked for; next: {left[0]!r}"
            )
            raise ScriptMismatch(message)

    def _next_words(self, call: ScriptedCall) -> Words:
        if self._by_call is not None:
            return self._by_call(call)
        if self._played == len(self._replies):
            message = (
                f"call {len(self.calls)} {call.call_path!r} finds the script of "
                f"{len(self._replies)} replies exhausted; it asks: "
                f"{call.messages[-1].content[-300:]!r}"
            )
            raise ScriptMismatch(message)
        reply = self._replies[self._played]
        self._played += 1
        return reply(call.messages) if callable(reply) else reply


def _as_text(words: dict[str, object] | str | BaseModel) -> str:
    if isinstance(words, str):
        return words
    if isinstance(words, BaseModel):
        return words.model_dump_json()
    return json.dumps(words, ensure_ascii=False, separators=(",", ":"))
