"""LlamaModel: a GGUF in this process through llama.cpp, with constrained decoding and prefix reuse.

Built on the library's low-level interface. Why not its ``Llama`` class: it neither restores a saved
prefix, nor stops between prompt batches, nor says how many prompt tokens it reused.
"""

import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from pydantic import BaseModel

from search_agent.model.chat_template import ChatTemplate
from search_agent.model.engine import Engine
from search_agent.model.gate import Gate
from search_agent.model.gguf_file import checked_gguf, physical_cores
from search_agent.model.grammar_check import check_grammar
from search_agent.model.labels import Spellings
from search_agent.model.limits import require_room
from search_agent.model.prefix import PrefixStates, common_prefix, evaluate_slices
from search_agent.model.protocol import Deadline, Finish, Message, Reply, Usage
from search_agent.model.reply import parse_reply
from search_agent.model.schema import grammar_of
from search_agent.model.write import write_reply


class LlamaModel:
    """A local GGUF. Thread-safe: one call runs at a time, the others wait.

    Units must be named uniquely within the life of the model: a call under the name of the call
    before it goes on from that call's cache.

    Raises:
        ModelUnavailable: the file is absent, no GGUF, truncated or without a chat template.
        ModelHashMismatch: the file's SHA-256 is not ``sha256``.
    """

    def __init__(
        self,
        path: Path,
        *,
        name: str,
        sha256: str | None = None,
        n_ctx: int = 4096,
        n_threads: int | None = None,
        n_batch: int = 512,
        verify_hash: bool = True,
    ) -> None:
        self.name = name
        self.sha256 = checked_gguf(path, sha256=sha256, verify=verify_hash)
        self.context_length = n_ctx
        self.n_threads = n_threads or physical_cores()
        self.n_batch = n_batch
        self._engine = Engine(path, n_ctx=n_ctx, n_threads=self.n_threads, n_batch=n_batch)
        self._template = ChatTemplate(self._engine, path=str(path))
        self._prefixes = PrefixStates(self._engine, self._template)
        self._spellings = Spellings(self._engine)
        self._unit: str | None = None
        self._lock = threading.RLock()

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
        call_path: str = "",  # noqa: ARG002  (for records and replays)
    ) -> Reply:
        """One reply, see ``Model.complete``; above temperature 0: top-p 0.95 and min-p 0.05."""
        with self._lock:
            prompt = self._template.tokenize(messages)
            require_room(len(prompt), max_tokens, self.context_length)
            stopped, usage = self._read(prompt, messages, unit=unit, deadline=deadline)
            if stopped is not None:
                return Reply(text="", value=None, finish=stopped, usage=usage)
            gate = Gate(self._engine, grammar_of(reply_type)) if reply_type is not None else None
            try:
                text, finish, completion = write_reply(
                    self._engine,
                    gate,
                    max_tokens=max_tokens,
                    temperature=temperature,
                    seed=seed,
                    stop=stop,
                    deadline=deadline,
                )
            finally:
                if gate is not None:
                    gate.close()
        usage += Usage(completion=completion)
        return parse_reply(text, reply_type=reply_type, finish=finish, usage=usage)

    def label_probabilities(
        self,
        messages: Sequence[Message],
        labels: Sequence[str],
        *,
        unit: str = "",
        deadline: Deadline | None = None,
        call_path: str = "",  # noqa: ARG002
    ) -> tuple[dict[str, float], Usage]:
        """Probability of each label as the next word, over all its one-token spellings; sums to 1.

        Empty when the deadline came first.
        """
        with self._lock:
            prompt = self._template.tokenize(messages)
            require_room(len(prompt), 1, self.context_length)
            stopped, usage = self._read(prompt, messages, unit=unit, deadline=deadline)
            if stopped is not None:
                return {}, usage
            return self._spellings.probabilities(self._engine.logits(), labels), usage

    def count_tokens(self, text_or_messages: str | Sequence[Message]) -> int:
        """Tokens of a text, or of a whole conversation with the chat template around it."""
        with self._lock:
            if isinstance(text_or_messages, str):
                return len(self._engine.tokenize(text_or_messages, special=False))
            return len(self._template.tokenize(text_or_messages))

    def warm(self, system_texts: Sequence[str]) -> Usage:
        """Prepare the saved prefixes of these system messages, their common beginning only once.

        The same texts give the same states; a different set replaces the earlier one.
        """
        with self._lock:
            self._unit = None
            return Usage(prompt_evaluated=self._prefixes.warm(system_texts))

    def check_grammar(self) -> None:
        """Prove that constrained decoding is active, see ``grammar_check``.

        Raises:
            GrammarInactive: the model wrote something else than the schema.
        """
        check_grammar(self)

    def describe(self) -> dict[str, object]:
        """What a manifest records of the model and of everything that can change its words."""
        return {
            "name": self.name,
            "sha256": self.sha256,
            "n_ctx": self.context_length,
            "n_threads": self.n_threads,
            "n_batch": self.n_batch,
            "library": f"llama-cpp-python {self._engine.library_version}",
            "chat_template_sha256": self._template.sha256,
            "cpu_features": self._engine.cpu_features,
        }

    def close(self) -> None:
        """Give the memory back."""
        with self._lock:
            self._engine.close()

    def __enter__(self) -> "LlamaModel":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _read(
        self,
        prompt: Sequence[int],
        messages: Sequence[Message],
        *,
        unit: str,
        deadline: Deadline | None,
    ) -> tuple[Finish | None, Usage]:
        """Evaluate the prompt in slices, reusing what the unit may; says why it stopped early."""
        if unit != self._unit:
            self._engine.clear()
        self._unit = unit
        made = 0
        if messages[0].role == "system":
            expected = common_prefix(self._engine.tokens, prompt)
            made = self._prefixes.restore(messages[0].content, expected=expected, deadline=deadline)
        kept = common_prefix(self._engine.tokens, prompt)
        # The last token is evaluated anew: its logits are needed.
        self._engine.rewind(min(kept, len(prompt) - 1))
        kept = len(self._engine.tokens)
        reused = max(0, kept - made)
        evaluated = kept - reused
        stopped = evaluate_slices(self._engine, prompt[kept:], deadline=deadline)
        evaluated += len(self._engine.tokens) - kept
        return stopped, Usage(prompt_evaluated=evaluated, prompt_reused=reused)
