"""Label probabilities of every (pair, question), asked once and kept: a killed run goes on.

One line of a JSONL file per answer, appended as it comes. An answer is found again by the model's
hash and the hash of the whole prompt with its labels, so a changed wording is asked anew and equal
prompts of several pairs (a blank passage) are asked once.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from pydantic import BaseModel, ConfigDict, ValidationError

from corpora.canonical_json import canonical_json, sha256_hex
from corpora.errors import MalformedRecord
from corpora.first_fault import first_fault
from search_agent.bench.support_pairs import ResolvedPair
from search_agent.bench.support_variants import QUESTIONS
from search_agent.model.protocol import Message, Model

UNIT = "bench citations"
"""One unit for all calls: neighbours share their beginnings, and what is reused costs no time. The
price is that a score may differ in its last bits with what was asked before it."""


class Answer(BaseModel):
    """What a model gave for one prompt."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    pair: str
    """The first pair that asked."""
    question: str
    model_sha256: str
    prompt_sha256: str
    labels: dict[str, float]
    seconds: float
    prompt_evaluated: int
    prompt_reused: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A prompt that may have to be asked."""

    claim_id: str
    pair_id: str
    question: str
    messages: tuple[Message, ...]
    key: str

    @property
    def shared_first(self) -> tuple[str, ...]:
        """Sorted by its words, a prompt stands beside those it shares its beginning with."""
        return tuple(message.content for message in self.messages)


class AnswerFile:
    """The answers of one model so far."""

    def __init__(self, folder: Path, *, model_sha256: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{model_sha256[:16]}.jsonl"
        self._model_sha256 = model_sha256
        self._answers = {answer.prompt_sha256: answer for answer in self._read()}

    def get(self, key: str) -> Answer | None:
        """The answer to a prompt; None where it was not asked yet."""
        return self._answers.get(key)

    def add(self, answer: Answer) -> None:
        """Keep an answer, on disk first."""
        with self.path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(answer.model_dump_json() + "\n")
        self._answers[answer.prompt_sha256] = answer

    def _read(self) -> Iterator[Answer]:
        if not self.path.is_file():
            return
        content = self.path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if len(whole) < len(content):  # a kill tore the last line; what follows needs a fresh one
            self.path.write_bytes(whole)
        for number, line in enumerate(whole.decode("utf-8").splitlines(), start=1):
            try:
                answer = Answer.model_validate_json(line)
            except ValidationError as error:
                fault = first_fault(error)
                message = f"{self.path.name} line {number} is damaged ({fault}); delete the file"
                raise MalformedRecord(message) from error
            if answer.model_sha256 == self._model_sha256:
                yield answer


def call_of(pair: ResolvedPair, question: str) -> Call:
    """The prompt of a question about a pair, with its hash."""
    asked = QUESTIONS[question]
    messages = asked.messages(pair)
    rows = [[message.role, message.content] for message in messages]
    return Call(
        claim_id=pair.pair.claim_id,
        pair_id=pair.pair.pair_id,
        question=question,
        messages=messages,
        key=sha256_hex(canonical_json([rows, list(asked.labels)])),
    )


def missing_calls(
    pairs: Sequence[ResolvedPair], questions: Sequence[str], known: AnswerFile
) -> list[Call]:
    """What must still be asked: claim by claim, within a claim what begins alike side by side."""
    calls = {
        call.key: call
        for pair in pairs
        for question in questions
        if known.get((call := call_of(pair, question)).key) is None
    }
    order = {
        claim: place for place, claim in enumerate(dict.fromkeys(p.pair.claim_id for p in pairs))
    }
    return sorted(calls.values(), key=lambda call: (order[call.claim_id], call.shared_first))


def ask_calls(
    calls: Sequence[Call],
    known: AnswerFile,
    model: Model,
    *,
    on_progress: Callable[[int, int], None],
    stop: Event,
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Ask until all is known or ``stop`` is set.

    Raises:
        ContextOverflow: a prompt does not fit the model's context.
        ModelCallFailed: the backend failed; what was asked before is kept.
    """
    for done, call in enumerate(calls, start=1):
        if stop.is_set():
            return
        began = clock()
        labels, usage = model.label_probabilities(
            call.messages, QUESTIONS[call.question].labels, unit=UNIT, call_path=call.key
        )
        answer = Answer(
            pair=call.pair_id,
            question=call.question,
            model_sha256=model.sha256,
            prompt_sha256=call.key,
            labels=labels,
            seconds=round(clock() - began, 3),
            prompt_evaluated=usage.prompt_evaluated,
            prompt_reused=usage.prompt_reused,
        )
        known.add(answer)
        on_progress(done, len(calls))


def heard(
    pair: ResolvedPair, questions: Sequence[str], known: AnswerFile
) -> dict[str, Answer] | None:
    """The answers about a pair by question; None while one is missing."""
    answers = {question: known.get(call_of(pair, question).key) for question in questions}
    complete = {question: answer for question, answer in answers.items() if answer is not None}
    return complete if len(complete) == len(answers) else None
