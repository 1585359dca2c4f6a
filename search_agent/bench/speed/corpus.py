"""SpeedCorpus: one corpus of ``bench speed`` on disk, as the processes that are measured read it.

    vocabulary.json, tokens.npy, offsets.npy   the documents as terms
    vectors.npy, samples.npy                   their vectors, and queries to choose settings with
    questions.json, questions.N.npy            terms and vectors of the questions of N terms

All arrays are memory-mapped, so that reading them adds nothing to a process's private memory.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpora.manifest import write_atomically
from index.array_file import load_array, save_array
from search_agent.bench.speed.questions import Drawn

Vectors = NDArray[np.float32]


class Question(NamedTuple):
    """What a system is asked: terms, and a vector where the corpus has vectors."""

    terms: tuple[str, ...]
    vector: Vectors | None


@dataclass(frozen=True)
class SpeedCorpus:
    """Read access to the folder."""

    folder: Path

    @cached_property
    def vocabulary(self) -> list[str]:
        """Names of the terms that are not new."""
        names: list[str] = json.loads((self.folder / "vocabulary.json").read_text("utf-8"))
        return names

    @cached_property
    def tokens(self) -> NDArray[np.int32]:
        """Term numbers of all documents on end."""
        return load_array(self.folder / "tokens.npy", dtype=np.int32)

    @cached_property
    def offsets(self) -> NDArray[np.int64]:
        """Where each document starts in ``tokens``, and the end."""
        return load_array(self.folder / "offsets.npy", dtype=np.int64)

    @cached_property
    def vectors(self) -> Vectors:
        """(n, dimension)."""
        return load_array(self.folder / "vectors.npy", dtype=np.float32)

    @cached_property
    def samples(self) -> Vectors:
        """Queries that are not asked, (m, dimension)."""
        return load_array(self.folder / "samples.npy", dtype=np.float32)

    def name(self, number: int) -> str:
        """The term of that number; new ones hold a character that no analysed term has."""
        return self.vocabulary[number] if number < len(self.vocabulary) else f"~{number}"

    def documents(self) -> Iterator[list[str]]:
        """The terms of each document."""
        for start, end in zip(self.offsets[:-1], self.offsets[1:], strict=True):
            yield [self.name(number) for number in self.tokens[start:end].tolist()]

    def questions(self, n_terms: int) -> list[Question]:
        """The questions of that many terms."""
        content = json.loads((self.folder / "questions.json").read_text("utf-8"))
        terms = [tuple(names) for names in content[str(n_terms)]]
        path = self.folder / f"questions.{n_terms}.npy"
        if not path.is_file():
            return [Question(names, None) for names in terms]
        vectors = load_array(path, dtype=np.float32)
        return [Question(*pair) for pair in zip(terms, vectors, strict=True)]


def write_questions(
    folder: Path, questions: Mapping[int, Sequence[Drawn]], vectors: Mapping[int, Vectors]
) -> None:
    """Write the questions by number of terms; ``vectors`` has those lengths too, or none."""
    terms = {n_terms: [drawn.terms for drawn in made] for n_terms, made in questions.items()}
    write_atomically(folder / "questions.json", json.dumps(terms))
    for n_terms, rows in vectors.items():
        save_array(folder / f"questions.{n_terms}.npy", rows)
