"""Which token comes next: greedy or sampled, and only what the grammar admits.

The fast order: choose first, ask the grammar about that one token, and look further only when it
refuses. Asking about the whole vocabulary at every token would cost more than the evaluation.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from search_agent.errors import ModelCallFailed
from search_agent.model.gate import Gate

TOP_P = 0.95
MIN_P = 0.05
FIRST_LOOK = 64
"""Greedy decoding asks the grammar about this many best tokens before it asks about all."""


class Chooser:
    """Chooses token after token of one reply; the seed decides every draw."""

    def __init__(
        self, *, temperature: float, seed: int, gate: Gate | None, barred: Iterable[int]
    ) -> None:
        self._temperature = temperature
        self._random = np.random.Generator(np.random.PCG64(seed))
        self._gate = gate
        self._barred = np.fromiter(sorted(barred), dtype=np.int64)

    def choose(self, logits: NDArray[np.float32]) -> int:
        """The next token; equal logits go to the lower id.

        Raises:
            ModelCallFailed: the grammar admits no token at all.
        """
        logits[self._barred] = -np.inf
        token = self._pick(logits)
        if self._gate is None or self._gate.admits(token):
            return token
        if self._temperature <= 0:
            best = np.argpartition(-logits, FIRST_LOOK)[:FIRST_LOOK]
            best = best[np.lexsort((best, -logits[best]))]
            admitted = best[self._gate.admitted(best)]
            if len(admitted) and np.isfinite(logits[admitted[0]]):
                return int(admitted[0])
        everything = np.arange(len(logits), dtype=np.int32)
        logits[~self._gate.admitted(everything)] = -np.inf
        if not np.isfinite(logits).any():
            message = "the grammar admits no token of the vocabulary; the schema cannot be written"
            raise ModelCallFailed(message)
        return self._pick(logits)

    def _pick(self, logits: NDArray[np.float32]) -> int:
        if self._temperature <= 0:
            return int(np.argmax(logits))
        scaled = (logits.astype(np.float64) - float(logits.max())) / self._temperature
        order = np.argsort(-scaled, kind="stable")[:1024]  # beyond lies less than top-p leaves
        shares = np.exp(scaled[order])
        shares /= np.exp(scaled).sum()
        before = np.cumsum(shares) - shares
        shares[(before >= TOP_P) | (shares < MIN_P * shares[0])] = 0.0
        mark = self._random.random() * shares.sum()
        chosen = min(int(np.searchsorted(np.cumsum(shares), mark, side="right")), len(order) - 1)
        return int(order[chosen])
