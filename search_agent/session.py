"""Session: all that one search shares (model, searcher, evidence, record, clock).

The one place where a model is called: each call is recorded and counted here, exactly once.
"""

import hashlib
import json
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import BaseModel

from corpora.canonical_json import canonical_json, sha256_hex
from corpora.hit import Filters
from index.searcher import Searcher
from prompts.catalogue import AnswersQuestion, Shared, Support
from search_agent.config import SearchConfig
from search_agent.errors import ModelError
from search_agent.evidence.ledger import EvidenceLedger
from search_agent.model.protocol import Deadline, Message, Model, Reply, Usage
from search_agent.model.replay import messages_sha256
from search_agent.trajectory.log import Trajectory

Role = Literal["init", "find", "run", "judge", "react", "single-shot", "closed-book"]
WORKFLOW: dict[Role, str] = {
    "init": "init_state",
    "find": "find_action",
    "run": "state_creation",
    "judge": "finalise",
    "react": "react",
    "single-shot": "single_shot",
    "closed-book": "closed_book",
}
RESERVE_TOKENS = 64
"""Kept free in every prompt for what a chat template adds."""


class _EitherEvent(threading.Event):
    """Set as soon as one of its events is."""

    def __init__(self, *events: threading.Event) -> None:
        super().__init__()
        self._events = events

    def is_set(self) -> bool:
        return any(event.is_set() for event in self._events)


class Stopped(Exception):
    """A model call was cut off by the deadline or a cancellation; its reply is discarded."""


@dataclass(kw_only=True)
class Session:
    """State shared by the workflows of one search; ``record`` and ``call`` are thread-safe."""

    question: str
    searcher: Searcher
    model: Model
    config: SearchConfig
    trajectory: Trajectory
    source_root: Path | None
    seed: int = 0
    cancelled: threading.Event = field(default_factory=threading.Event)
    """The caller's wish to stop; never set from here."""
    abandoned: threading.Event = field(default_factory=threading.Event)
    """Set when the loop has ended and work still running is of no use."""
    ledger: EvidenceLedger = field(default_factory=EvidenceLedger)
    usage: dict[Role, Usage] = field(default_factory=dict)
    calls: Counter[str] = field(default_factory=Counter)
    truncations: Counter[str] = field(default_factory=Counter)
    flags: list[str] = field(default_factory=list)
    first_searches: Counter[str] = field(default_factory=Counter)
    """How often code has searched for the same queries: the next time it turns the page."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def filters(self) -> Filters | None:
        """The access filter of every tool call."""
        labels = self.config.params.labels_any
        return Filters(labels_any=labels) if labels else None

    def deadline(self, *, at_s: float | None = None) -> Deadline:
        """The search's deadline on its own clock; or, for the last checks, ``at_s`` seconds from
        its start, which an orderly stop does not cut short.
        """
        if at_s is not None:
            return Deadline(at_s, clock=self.trajectory.elapsed)
        stop = _EitherEvent(self.cancelled, self.abandoned)
        limit = self.config.params.time_limit
        return Deadline(limit, clock=self.trajectory.elapsed, cancelled=stop)

    def flag(self, name: str) -> None:
        """Note something the reader of the result must know; once each."""
        if name not in self.flags:
            self.flags.append(name)

    def system(self, role_text: str) -> Message:
        """System message of a role; all begin with the same words, whose KV state is shared."""
        return Message(role="system", content=Shared().render() + "\n" + role_text.strip())

    def call_seed(self, call_path: str) -> int:
        """Seed of one call: depends on its path, never on scheduling."""
        return int(hashlib.sha256(f"{self.seed}:call:{call_path}".encode()).hexdigest()[:8], 16)

    def call(
        self,
        role: Role,
        messages: Sequence[Message],
        *,
        unit: str,
        call_path: str,
        reply_type: type[BaseModel],
        max_tokens: int,
        temperature: float,
    ) -> Reply:
        """One constrained reply, recorded and counted.

        Raises:
            Stopped: the deadline passed or the search was cancelled during the call.
            ModelError: the model cannot be called.
        """
        seed = self.call_seed(call_path)
        reply = self.model.complete(
            messages,
            reply_type=reply_type,
            max_tokens=max_tokens,
            temperature=temperature,
            seed=seed,
            deadline=self.deadline(),
            unit=self._unit(unit),
            call_path=call_path,
        )
        schema = sha256_hex(canonical_json(reply_type.model_json_schema()))
        self._record_call(
            role,
            messages,
            call_path,
            reply.usage,
            {
                "schema": schema,
                "max_tokens": max_tokens,
                "temperature": temperature,
                "seed": seed,
                "text": reply.text,
                "finish": reply.finish,
                "problem": reply.problem,
            },
        )
        if reply.finish in {"deadline", "cancelled"}:
            raise Stopped(reply.finish)
        return reply

    def judge(
        self, claim: str, quotes: Sequence[str], *, call_path: str, deadline: Deadline
    ) -> float | None:
        """Probability that the quotes state the claim; None when time is over, nothing fits, or the
        model fails: a search keeps what it has found when its judge is gone.
        """

        def ask(kept: Sequence[str]) -> str:
            return Support(claim=claim, quotes=tuple(kept)).render()

        return self._say_yes(ask, quotes, call_path=call_path, deadline=deadline)

    def judge_answer(
        self,
        question: str,
        answer: str,
        passages: Sequence[str],
        *,
        call_path: str,
        deadline: Deadline,
    ) -> float | None:
        """Probability that the passages give this answer to this question; None as in ``judge``."""

        def ask(kept: Sequence[str]) -> str:
            return AnswersQuestion(question=question, answer=answer, passages=tuple(kept)).render()

        return self._say_yes(ask, passages, call_path=call_path, deadline=deadline)

    def _say_yes(
        self,
        ask: Callable[[Sequence[str]], str],
        passages: Sequence[str],
        *,
        call_path: str,
        deadline: Deadline,
    ) -> float | None:
        if not self._has_time_to_judge(call_path, deadline):
            return None
        room = self.model.context_length - RESERVE_TOKENS - 8
        kept = list(passages)
        messages = [Message(role="user", content=ask(kept))]
        while len(kept) > 1 and self.model.count_tokens(messages) > room:
            kept.pop()
            self.truncations["judge_quotes"] += 1
            messages = [Message(role="user", content=ask(kept))]
        if self.model.count_tokens(messages) > room:
            self.truncations["judge_skipped"] += 1
            return None
        try:
            probabilities, usage = self.model.label_probabilities(
                messages,
                ("yes", "no"),
                unit=self._unit(call_path),
                call_path=call_path,
                deadline=deadline,
            )
        except ModelError:
            self.flag("judge_failed")
            return None
        # rounded: the last bits of a logit may differ between processors, an event must not
        rounded = {label: round(value, 6) for label, value in probabilities.items()}
        self._record_call("judge", messages, call_path, usage, {"labels": rounded})
        return rounded.get("yes")

    def _has_time_to_judge(self, call_path: str, deadline: Deadline) -> bool:
        """Whether this call is made; a re-run does as the record did, whatever the clock says."""
        expected = self.trajectory.next_recorded()
        if expected is not None:
            return expected.kind == "model_call" and expected.data.get("call_path") == call_path
        return deadline.state() is None

    def _unit(self, name: str) -> str:
        """Unit names must differ between the searches that one model serves."""
        return f"{self.trajectory.folder.name}/{self.question[:40]}/{name}"

    def _record_call(
        self,
        role: Role,
        messages: Sequence[Message],
        call_path: str,
        usage: Usage,
        data: dict[str, object],
    ) -> None:
        with self._lock:
            self.usage[role] = self.usage.get(role, Usage()) + usage
            self.calls[role] += 1
        hashes = [self.trajectory.store_message(m.role, m.content) for m in messages]
        prompt_tokens = usage.prompt_evaluated + usage.prompt_reused
        self.trajectory.record(
            "model_call",
            {
                "role": role,
                "workflow": WORKFLOW[role],
                "call_path": call_path,
                "messages": hashes,
                "messages_sha256": messages_sha256(messages),
                "prompt_tokens": prompt_tokens,
                "completion": usage.completion,
                **data,
            },
            {"prompt_evaluated": usage.prompt_evaluated, "prompt_reused": usage.prompt_reused},
        )

    def stop_requested(self) -> bool:
        """Whether somebody asked for an end; recorded once, and repeated by a replay."""
        expected = self.trajectory.next_recorded()
        if expected is not None:
            return expected.kind == "stop_requested"
        return self.cancelled.is_set()

    def time_is_over(self) -> bool:
        """Whether the time limit is met; recorded when it is, and repeated by a replay.

        Why not the recorded times alone: the event that follows a check may be later than the limit
        although the check was not.
        """
        expected = self.trajectory.next_recorded()
        if expected is not None:
            is_over = expected.kind == "time_limit_reached"
        else:
            is_over = self.trajectory.elapsed() >= self.config.params.time_limit
        if is_over:
            self.trajectory.record("time_limit_reached", {})
        return is_over


def payload(reply: Reply) -> dict[str, object]:
    """The parsed reply as plain data with only the keys that were sent; {} if it did not parse."""
    if reply.value is None:
        return {}
    content: dict[str, object] = json.loads(reply.value.model_dump_json(exclude_unset=True))
    return content
