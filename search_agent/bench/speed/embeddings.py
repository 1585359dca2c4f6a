"""Real embeddings for ``bench speed``: those of built indexes, or of a sample of the documents."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpora.encoder_card import EncoderCard
from index.dense import load_vectors
from index.encoder import Encoder, load_encoder
from index.errors import IndexCorrupt, IndexMissing
from index.generations import Generations
from index.manifest import load_index_manifest
from index.sample_queries import N_QUERIES, middle_stretch
from search_agent.bench.speed.questions import Drawn
from search_agent.bench.speed.vectors import distinct_vectors

_EMBEDDED = 2_048
"""Documents embedded where no index has vectors: about a minute."""
_MOST_CHARS = 1_000
"""Of such a document: about as long as a chunk."""
_MOST_REAL = 50_000
"""Real vectors kept: the neighbours of all are looked for, which takes the square of the time."""
_BATCH = 128

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class RealEmbeddings:
    """What the vectors of a corpus are drawn from."""

    vectors: Vectors
    """Different unit vectors of real texts, (n, dimension)."""
    samples: Vectors
    """Queries made of stretches of the documents, as a build makes them, (m, dimension)."""
    from_indexes: bool


def real_embeddings(
    card: EncoderCard,
    documents: Sequence[str],
    *,
    index_folders: Sequence[Path],
    tell: Callable[[int, int], None],
) -> RealEmbeddings:
    """The vectors that this encoder made for the indexes below ``index_folders``.

    Where there are none, up to 2,048 of the documents are embedded; ``tell`` hears how many are
    done, and of how many.
    """
    encoder = load_encoder(card)
    stored = [
        vectors for folder in index_folders if (vectors := _indexed(folder, card)) is not None
    ]
    made = stored or [_embed(encoder, _evenly(documents, _EMBEDDED), tell)]
    texts = _evenly(documents, N_QUERIES)
    samples = np.vstack([encoder.encode_query(middle_stretch(text)) for text in texts])
    vectors = distinct_vectors(np.vstack(made))
    kept = np.linspace(0, len(vectors) - 1, min(len(vectors), _MOST_REAL)).astype(np.int64)
    return RealEmbeddings(vectors=vectors[kept], samples=samples, from_indexes=bool(stored))


def question_vectors(card: EncoderCard, questions: Sequence[Drawn]) -> Vectors:
    """Vectors of the questions' texts, (n, dimension)."""
    encoder = load_encoder(card)
    return np.vstack([encoder.encode_query(question.text) for question in questions])


def _indexed(index_folder: Path, card: EncoderCard) -> Vectors | None:
    generations = Generations(index_folder)
    try:
        folder = generations.path(generations.current())
        dense = load_index_manifest(folder).dense
        if (card.name, card.sha256) in {(record.name, record.sha256) for record in dense}:
            return load_vectors(folder / "dense" / card.name)
    except (IndexMissing, IndexCorrupt):
        pass  # not built, or of another version: as if it were not there
    return None


def _embed(encoder: Encoder, documents: Sequence[str], tell: Callable[[int, int], None]) -> Vectors:
    texts = sorted((text[:_MOST_CHARS] for text in documents), key=lambda text: (len(text), text))
    made: list[Vectors] = []
    for start in range(0, len(texts), _BATCH):
        made.append(encoder.encode_passages(texts[start : start + _BATCH]))
        tell(min(start + _BATCH, len(texts)), len(texts))
    return np.vstack(made)


def _evenly(documents: Sequence[str], most: int) -> list[str]:
    places = np.linspace(0, len(documents) - 1, min(len(documents), most)).astype(int)
    return [documents[place] for place in places]
