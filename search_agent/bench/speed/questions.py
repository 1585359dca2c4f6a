"""Questions of a given number of terms, made of real ones; the time that analysing them takes."""

import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

from index.analyzer import Analyzer
from search_agent.bench.speed.texts import RealTexts
from search_agent.errors import ConfigError

N_TERMS = (3, 12, 40)
"""A few words, a question, a question with a clue appended."""
N_QUESTIONS = 100
"""Of each length, where the collections have that many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """One question."""

    terms: tuple[str, ...]
    """Each once; all of them occur in the documents."""
    text: str
    """The real questions it was made of."""


def draw_questions(
    texts: RealTexts, analyzer: Analyzer, known: Collection[str], *, n_terms: int, seed: int
) -> list[Drawn]:
    """Up to 100 questions of ``n_terms`` terms: consecutive real ones, cut where they have enough.

    Raises:
        ConfigError: all queries of a collection together have too few terms.
    """
    made = [
        question
        for queries in texts.queries
        for question in _in_order(queries, analyzer, known, n_terms)
    ]
    if not made:
        message = f"no collection of {', '.join(texts.names)} has queries of {n_terms} known terms"
        raise ConfigError(message)
    order = np.random.default_rng((seed, n_terms)).permutation(len(made))[:N_QUESTIONS]
    return [made[place] for place in order]


def _in_order(
    queries: Collection[str], analyzer: Analyzer, known: Collection[str], n_terms: int
) -> Iterator[Drawn]:
    terms: dict[str, None] = {}
    texts: list[str] = []
    for text in queries:
        texts.append(text)
        terms.update((term, None) for term in analyzer.query_terms(text).content if term in known)
        if len(terms) >= n_terms:
            yield Drawn(terms=tuple(terms)[:n_terms], text=" ".join(texts))
            terms, texts = {}, []


def analysis_ms(questions: Collection[Drawn], analyzer: Analyzer, *, rounds: int) -> list[float]:
    """Milliseconds to analyse each question's text, the best of the rounds."""
    best = [float("inf")] * len(questions)
    for _ in range(rounds):
        for number, question in enumerate(questions):
            started = time.perf_counter()
            analyzer.query_terms(question.text)
            best[number] = min(best[number], (time.perf_counter() - started) * 1e3)
    return best
