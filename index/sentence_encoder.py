"""SentenceEncoder: a local sentence-transformers folder on the CPU, without any hub.

Speed comes from batches of equal length: texts are sorted before they are batched, so little is
padded. Texts that the model would cut are refused by the build (``overlong``), and a long query is
read in pieces whose vectors are averaged.
"""

import os
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from corpora.encoder_card import EncoderCard
from index.errors import EmbedderMismatch, IndexingError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

_BATCH = 32


class SentenceEncoder:
    """An ``Encoder`` of kind ``sentence-transformers``; a lock makes it safe to share.

    Raises:
        IndexingError: ``card.folder`` is no model folder; names of a hub are not looked up.
        EmbedderMismatch: the model's dimension is not the card's.
    """

    def __init__(self, card: EncoderCard) -> None:
        if not (card.folder / "modules.json").is_file():
            message = (
                f"encoder {card.name!r}: {str(card.folder)!r} is no sentence-transformers folder"
                " (modules.json is missing); run `make models`, or give a local folder"
            )
            raise IndexingError(message)
        self.card = card
        self._lock = threading.Lock()
        self._model = _load(card)
        self._limit = min(card.max_tokens, self._model.max_seq_length or card.max_tokens)
        dimension = self._model.get_embedding_dimension()
        if dimension != card.dimension:
            message = (
                f"encoder {card.name!r} gives {dimension} dimensions, its card says"
                f" {card.dimension}; correct the card"
            )
            raise EmbedderMismatch(message)

    def encode_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dimension), rows in the order of ``texts``."""
        return self._encode([self.card.passage_prefix + text for text in texts])

    def encode_query(self, text: str) -> NDArray[np.float32]:
        """(dimension,); the mean over pieces where the query is longer than the model reads."""
        vectors = self._encode([self.card.query_prefix + piece for piece in self._pieces(text)])
        mean = vectors.mean(axis=0)
        return np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-12), dtype=np.float32)

    def overlong(self, texts: Sequence[str]) -> tuple[int, int] | None:
        """(position, tokens) of the first text with more tokens than the model reads."""
        for start in range(0, len(texts), 1024):
            batch = [self.card.passage_prefix + text for text in texts[start : start + 1024]]
            for position, n_tokens in enumerate(self._count(batch), start):
                if n_tokens > self._limit:
                    return position, n_tokens
        return None

    def _pieces(self, text: str) -> list[str]:
        """``text``, halved until each piece fits."""
        if self._count([self.card.query_prefix + text])[0] <= self._limit or len(text) < 2:
            return [text]
        middle = text.rfind(" ", 1, len(text) // 2 + 1)
        cut = middle if middle > 0 else len(text) // 2
        return self._pieces(text[:cut]) + self._pieces(text[cut:])

    def _count(self, texts: list[str]) -> list[int]:
        with self._lock:
            encoded = self._model.tokenizer(texts, truncation=False, verbose=False)
        return [len(ids) for ids in encoded["input_ids"]]

    def _encode(self, texts: list[str]) -> NDArray[np.float32]:
        import torch

        # The library sorts by length itself, but only within one call; callers pass whole shards.
        with self._lock, torch.inference_mode():
            torch.manual_seed(0)
            vectors = self._model.encode(
                texts,
                batch_size=_BATCH,
                show_progress_bar=False,
                convert_to_numpy=True,
                normalize_embeddings=True,
            )
        return np.asarray(vectors, dtype=np.float32).reshape(len(texts), self.card.dimension)


def _load(card: EncoderCard) -> "SentenceTransformer":
    # Read by the hub client when it is imported; without them it would look for newer files.
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["TRANSFORMERS_OFFLINE"] = "1"
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    # The command line shows its own progress.
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        return SentenceTransformer(
            str(card.folder), device="cpu", local_files_only=True, trust_remote_code=False
        )
    except (OSError, ValueError, KeyError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        message = f"encoder {card.name!r} at {str(card.folder)!r} cannot be loaded: {reason}"
        raise IndexingError(message) from error
