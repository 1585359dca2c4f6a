"""PrefixStates: the KV states of system messages; every unit of work starts from the same bits."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Literal

from search_agent.model.chat_template import ChatTemplate
from search_agent.model.engine import Engine, SavedState
from search_agent.model.protocol import Deadline, Message

MAX_STATES = 8
"""About 28 kB a token for a 1.5B model: eight prefixes of 800 tokens are 180 MB."""


class PrefixStates:
    """Saved states by system text. Evaluated from an empty cache, or from the warmed beginning."""

    def __init__(self, engine: Engine, template: ChatTemplate) -> None:
        self._engine = engine
        self._template = template
        self._states: OrderedDict[str, SavedState] = OrderedDict()
        self._warmed: frozenset[str] = frozenset()

    def restore(self, system: str, *, expected: int, deadline: Deadline | None) -> int:
        """Put the system message's state into the cache, unless that holds ``expected`` tokens of
        the prompt already and they are as many; returns how many tokens had to be evaluated.
        """
        known = self._states.get(system)
        if known is not None:
            self._states.move_to_end(system)
            if len(known.tokens) > expected:
                self._engine.restore(known)
            return 0
        tokens = self.prefix_tokens(system)
        if len(tokens) <= expected:
            return 0
        self._engine.clear()
        if evaluate_slices(self._engine, tokens, deadline=deadline) is None:
            self._engine.restore(self._save(system))
        return len(self._engine.tokens)

    def warm(self, systems: Sequence[str]) -> int:
        """Make the states of all ``systems``; returns the number of tokens evaluated."""
        texts = sorted(set(systems))
        if frozenset(texts) == self._warmed and all(text in self._states for text in texts):
            return 0
        self._states.clear()
        prefixes = {text: self.prefix_tokens(text) for text in texts}
        shared = min(prefixes.values(), key=len, default=[])
        for tokens in prefixes.values():
            shared = shared[: common_prefix(shared, tokens)]
        self._engine.clear()
        evaluate_slices(self._engine, shared)
        beginning = self._engine.save()
        evaluated = len(shared)
        for text, tokens in prefixes.items():
            self._engine.restore(beginning)
            evaluate_slices(self._engine, tokens[len(shared) :])
            self._save(text)
            evaluated += len(tokens) - len(shared)
        self._warmed = frozenset(texts)
        return evaluated

    def prefix_tokens(self, system: str) -> list[int]:
        """What every conversation under this system message begins with, whatever the user says."""
        first, second = (
            self._template.tokenize(
                [Message(role="system", content=system), Message(role="user", content=user)]
            )
            for user in ("a", "1")
        )
        return first[: common_prefix(first, second)]

    def _save(self, system: str) -> SavedState:
        state = self._engine.save()
        self._states[system] = state
        while len(self._states) > MAX_STATES:
            self._states.popitem(last=False)
        return state


def evaluate_slices(
    engine: Engine, tokens: Sequence[int], *, deadline: Deadline | None = None
) -> Literal["deadline", "cancelled"] | None:
    """Append any number of tokens, ``n_batch`` at a time; says why it stopped before the end."""
    for start in range(0, len(tokens), engine.n_batch):
        stopped = deadline.state() if deadline is not None else None
        if stopped is not None:
            return stopped
        engine.evaluate(tokens[start : start + engine.n_batch])
    return None


def common_prefix(first: Sequence[int], second: Sequence[int]) -> int:
    """How many tokens both begin with."""
    n = 0
    for a, b in zip(first, second, strict=False):
        if a != b:
            break
        n += 1
    return n
