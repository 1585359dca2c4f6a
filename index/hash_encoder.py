"""HashEncoder: vectors without a model, from hashed words and character trigrams.

For tests and for machines without any encoder: deterministic everywhere, no files, and texts that
share words or spellings are near each other. It knows nothing of meaning.
"""

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpora.encoder_card import EncoderCard
from index.analyzer import Analyzer

_VERSION = 1
_TRIGRAM_WEIGHT = 0.25
"""A word counts as much as four of its trigrams, so that whole words decide."""


class HashEncoder:
    """An ``Encoder`` of kind ``hash``; safe to share between threads."""

    def __init__(self, card: EncoderCard) -> None:
        self.card = card
        self._analyzer = Analyzer(languages=("en",))

    def encode_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dimension); a text without words is the zero vector."""
        vectors = np.zeros((len(texts), self.card.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            vectors[row] = self.encode_query(text)
        return vectors

    def encode_query(self, text: str) -> NDArray[np.float32]:
        """(dimension,)."""
        vector = np.zeros(self.card.dimension, dtype=np.float64)
        for term in self._analyzer.query_terms(text).content:
            for feature, weight in _features(term):
                for place, sign in _places(feature, self.card.dimension):
                    vector[place] += sign * weight
        length = float(np.linalg.norm(vector))
        return (vector / length if length else vector).astype(np.float32)

    def overlong(self, texts: Sequence[str]) -> None:
        """Never: a bag of features has no last position."""


def hash_card(
    *, name: str = "hash", dimension: int = 512, languages: tuple[str, ...] = ("en", "zh")
) -> EncoderCard:
    """A card for a HashEncoder; its hash stands for the algorithm and the dimension."""
    identity = f"hash encoder {_VERSION} {dimension}"
    return EncoderCard(
        name=name,
        folder=Path(),
        sha256=hashlib.sha256(identity.encode()).hexdigest(),
        dimension=dimension,
        max_tokens=256,
        languages=languages,
        kind="hash",
    )


def _features(term: str) -> list[tuple[str, float]]:
    padded = f"^{term}$"
    trigrams = [padded[i : i + 3] for i in range(len(padded) - 2)]
    return [(term, 1.0), *((trigram, _TRIGRAM_WEIGHT) for trigram in trigrams)]


@lru_cache(maxsize=65536)
def _places(feature: str, dimension: int) -> tuple[tuple[int, int], ...]:
    """Eight places and signs, so that two words never share more than a part of their vectors."""
    digest = hashlib.blake2b(feature.encode(), digest_size=32).digest()
    numbers = (int.from_bytes(digest[i : i + 4], "little") for i in range(0, 32, 4))
    return tuple(((number >> 1) % dimension, 1 if number & 1 else -1) for number in numbers)
