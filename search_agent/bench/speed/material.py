"""SpeedMaterial: all that the corpora of a run are drawn from, and the drawing of one.

A corpus of a given size, seed and material is the same to the last bit wherever it is drawn.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpora.encoder_card import EncoderCard
from corpora.manifest import write_atomically
from index.analyzer import Analyzer
from index.array_file import save_array
from search_agent.bench.speed.corpus import SpeedCorpus, Vectors, write_questions
from search_agent.bench.speed.embeddings import (
    RealEmbeddings,
    question_vectors,
    real_embeddings,
)
from search_agent.bench.speed.questions import N_TERMS, Drawn, draw_questions
from search_agent.bench.speed.terms import RealTerms, draw_terms, real_terms
from search_agent.bench.speed.texts import RealTexts
from search_agent.bench.speed.vectors import draw_vectors, nearest_neighbours

ANALYZER = Analyzer(languages=("en",))
"""One for all: of other scripts it makes the same terms, of other languages other stems."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RealVectors:
    """Real embeddings, the neighbours of each, and the questions' vectors by number of terms."""

    embeddings: RealEmbeddings
    neighbours: NDArray[np.int64]
    questions: Mapping[int, Vectors]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedMaterial:
    """What corpora are drawn from."""

    terms: RealTerms
    questions: Mapping[int, Sequence[Drawn]]
    """By number of terms."""
    vectors: RealVectors | None
    """None where no dense leg is measured."""
    seed: int

    def draw(self, folder: Path, *, n: int) -> SpeedCorpus:
        """A corpus of ``n`` chunks in a new folder."""
        folder.mkdir()
        write_atomically(folder / "vocabulary.json", json.dumps(self.terms.vocabulary))
        draw_terms(folder, self.terms, n=n, seed=self.seed)
        vectors = self.vectors
        write_questions(folder, self.questions, {} if vectors is None else vectors.questions)
        if vectors is not None:
            save_array(folder / "samples.npy", vectors.embeddings.samples)
            draw_vectors(
                folder / "vectors.npy",
                vectors.embeddings.vectors,
                vectors.neighbours,
                n=n,
                seed=self.seed,
            )
        return SpeedCorpus(folder)

    def bytes_per_chunk(self) -> int:
        """Of a corpus on disk, about."""
        n_terms = len(self.terms.numbers) // max(1, len(self.terms.starts) - 1)
        dimension = 0 if self.vectors is None else self.vectors.embeddings.vectors.shape[1]
        return 4 * (n_terms + dimension) + 8


def gather_material(
    texts: RealTexts,
    *,
    encoder: EncoderCard | None,
    index_folders: Sequence[Path],
    seed: int,
    tell: Callable[[str, int, int], None],
) -> SpeedMaterial:
    """Analyse the texts and embed what is needed; without an encoder there are no vectors.

    ``tell`` hears of a stage, how much is done and of how much.

    Raises:
        ConfigError: the collections are too small for questions of 40 terms.
    """
    terms = real_terms(
        texts.documents, ANALYZER, lambda done, total: tell("documents analysed", done, total)
    )
    known = frozenset(terms.vocabulary)
    questions = {
        n_terms: draw_questions(texts, ANALYZER, known, n_terms=n_terms, seed=seed)
        for n_terms in N_TERMS
    }
    vectors = None
    if encoder is not None:
        embeddings = real_embeddings(
            encoder,
            texts.documents,
            index_folders=index_folders,
            tell=lambda done, total: tell("documents embedded", done, total),
        )
        vectors = RealVectors(
            embeddings=embeddings,
            neighbours=nearest_neighbours(
                embeddings.vectors, lambda done, total: tell("neighbours found", done, total)
            ),
            questions={n: question_vectors(encoder, drawn) for n, drawn in questions.items()},
        )
    return SpeedMaterial(terms=terms, questions=questions, vectors=vectors, seed=seed)
