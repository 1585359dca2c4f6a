"""Spellings: the probability a model gives to a word, whatever its spaces and capitals."""

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from search_agent.model.engine import Engine


class Spellings:
    """The one-token spellings of every word a vocabulary knows."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def probabilities(self, logits: NDArray[np.float32], labels: Sequence[str]) -> dict[str, float]:
        """Softmax over the vocabulary, summed per label (" yes", "yes", "Yes"…), renormalised.

        Raises:
            ValueError: no labels, or two labels that begin with the same token.
        """
        tokens = {label: self.tokens(label) for label in labels}
        seen = [token for label in tokens for token in tokens[label]]
        if not seen or len(seen) != len(set(seen)):
            message = (
                f"labels {list(labels)!r} share their first token; choose words that differ there"
            )
            raise ValueError(message)
        wide = logits.astype(np.float64)
        log_shares = wide - wide.max()
        log_shares -= np.log(np.exp(log_shares).sum())
        # Relative to the likeliest spelling: labels far down the vocabulary must not underflow.
        top = max(log_shares[token] for token in seen)
        shares = {
            label: float(np.exp(log_shares[list(ids)] - top).sum()) for label, ids in tokens.items()
        }
        total = sum(shares.values())
        return {label: share / total for label, share in shares.items()}

    def tokens(self, label: str) -> tuple[int, ...]:
        """The tokens that spell ``label``; its first tokens where no single one does."""
        whole = self._by_word.get(label.strip().casefold())
        if whole:
            return tuple(whole)
        starts = {self._engine.tokenize(text, special=False)[0] for text in (label, f" {label}")}
        return tuple(sorted(starts))

    @cached_property
    def _by_word(self) -> dict[str, list[int]]:
        words: dict[str, list[int]] = defaultdict(list)
        for token, piece in enumerate(self._engine.pieces):
            word = piece.decode("utf-8", errors="ignore").strip(" ").casefold()
            if word:
                words[word].append(token)
        return words
