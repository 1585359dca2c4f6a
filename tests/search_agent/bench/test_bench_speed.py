"""Corpora of ``bench speed`` are drawn alike each time, and what is measured outlives a stop."""

from pathlib import Path
from threading import Event

import numpy as np
import pytest

from index import hash_card
from search_agent.bench.prepare import find_dataset
from search_agent.bench.speed.cells import Answers, Cell, latencies_of
from search_agent.bench.speed.child import Asked
from search_agent.bench.speed.material import SpeedMaterial, gather_material
from search_agent.bench.speed.size import SpeedPlan, measure_size
from search_agent.bench.speed.texts import read_real_texts

from .growing_collection import WORDS, write_growing_collection


@pytest.fixture
def material(tmp_path: Path) -> SpeedMaterial:
    folder = write_growing_collection(tmp_path / "growing")
    texts = read_real_texts([find_dataset(str(folder))])
    return gather_material(
        texts, encoder=hash_card(), index_folders=[], seed=7, tell=lambda *_: None
    )


def test_a_corpus_is_the_same_bytes_again(material: SpeedMaterial, tmp_path: Path) -> None:
    first, again = (material.draw(tmp_path / name, n=500).folder for name in ("a", "b"))
    names = sorted(path.name for path in first.iterdir())
    assert {"tokens.npy", "vectors.npy", "questions.json"} <= {*names}
    assert all((first / name).read_bytes() == (again / name).read_bytes() for name in names)


def test_documents_are_of_real_terms_and_a_few_new_ones(
    material: SpeedMaterial, tmp_path: Path
) -> None:
    corpus = material.draw(tmp_path / "corpus", n=500)
    documents = [*corpus.documents()]
    assert len(documents) == 500
    assert all(20 <= len(terms) <= 79 for terms in documents)  # as long as the real ones
    new = [term for terms in documents for term in terms if term.startswith("~")]
    assert 0 < len(new) < 0.01 * len(corpus.tokens)
    assert {*corpus.vocabulary} == {*WORDS}


def test_vectors_are_unit_vectors_that_differ_and_lie_near_real_ones(
    material: SpeedMaterial, tmp_path: Path
) -> None:
    corpus = material.draw(tmp_path / "corpus", n=500)
    assert material.vectors is not None
    real = material.vectors.embeddings.vectors
    np.testing.assert_allclose(np.linalg.norm(corpus.vectors, axis=1), 1, atol=1e-5)
    assert len(np.unique(corpus.vectors, axis=0)) == 500
    nearest = (corpus.vectors @ real.T).max(axis=1)
    among_themselves = real @ real.T - 2 * np.eye(len(real))
    assert np.median(nearest) > np.median(among_themselves.max(axis=1))


def test_questions_have_the_terms_they_should_have(material: SpeedMaterial, tmp_path: Path) -> None:
    corpus = material.draw(tmp_path / "corpus", n=10)
    for n_terms in (3, 12, 40):
        questions = corpus.questions(n_terms)
        assert questions
        for question in questions:
            assert len({*question.terms}) == n_terms
            assert question.vector is not None


def test_what_was_built_is_kept_when_the_user_stops(
    material: SpeedMaterial, tmp_path: Path
) -> None:
    stop = Event()
    plan = SpeedPlan(
        systems=("rank-bm25", "ours"),
        legs=("sparse",),
        k=10,
        rounds=1,
        build_limit_s=600,
        stop=stop,
        tell=lambda line: stop.set() if "built" in line else None,
        count=lambda *_: None,
    )
    corpus = material.draw(tmp_path / "corpus", n=50)
    figures = measure_size(plan, corpus, tmp_path, n=50)
    assert [build.system for build in figures.builds] == ["rank-bm25"]
    assert [(skipped.system, skipped.why) for skipped in figures.skipped] == [(None, "interrupted")]


def test_a_question_counts_with_its_best_round_and_is_compared_where_both_answered() -> None:
    ours, other = Cell("ours", "sparse", 3, 1), Cell("other", "sparse", 3, 1)
    answers = {ours: Answers(), other: Answers()}
    rounds = [({0: 2.0, 1: 4.0, 2: 9.0}, ours), ({0: 3.0, 1: 2.0, 2: 9.0}, ours)]
    rounds += [({0: 8.0, 1: 8.0}, other)]
    for ms, cell in rounds:
        rows = {number: [1, 2] if cell is ours else [2, 3] for number in ms}
        answers[cell].add(Asked(ms=ms, cpu_ms={}, rows=rows, seconds=0.5))
    first, second = latencies_of(answers, n_chunks=50)
    assert (first.p50_ms, first.n_queries, first.queries_per_s) == (2.0, 3, 3 / 0.5)
    assert second.times_ours == 8.0 / 2.0  # of questions 0 and 1
    assert second.shared_with_ours == 1 / 2
