"""The best documents, held to a full scoring of all of them."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from index.config import IndexConfig
from index.lexical import Bm25
from index.postings import Postings
from index.postings_writer import PostingsWriter
from index.ranking import Ranking
from index.score_windows import WINDOW
from index.scoring import SCORERS, Floats

WORDS = ["a", "b", "c", "d", "水库"]
CORPORA = st.lists(st.lists(st.sampled_from(WORDS), max_size=8), min_size=1, max_size=15)
QUERIES = st.lists(st.sampled_from([*WORDS, "absent"]), min_size=1, max_size=6)


def write(folder: Path, corpus: Sequence[Sequence[str]]) -> Postings:
    writer = PostingsWriter(folder)
    for terms in corpus:
        writer.add(terms, length=len(terms))
    writer.finish()
    return Postings(folder)


def check(found: Ranking, scores: Floats, k: int, mask: NDArray[np.bool_] | None) -> None:
    """``found`` are k of the highest scores above 0, best first, ties in row order."""
    eligible = (scores > 0) if mask is None else (scores > 0) & mask
    expected = np.sort(scores[eligible])[::-1][:k]
    rows = [hit.row for hit in found]
    np.testing.assert_allclose([hit.score for hit in found], expected, rtol=0, atol=1e-9)
    np.testing.assert_allclose(scores[rows], expected, rtol=0, atol=1e-9)
    assert eligible[rows].all()
    assert len(set(rows)) == len(rows)
    assert found == sorted(found, key=lambda hit: (-hit.score, hit.row))


@given(CORPORA, QUERIES, st.sampled_from(sorted(SCORERS)), st.integers(1, 20), st.randoms())
@settings(max_examples=80, deadline=None)
def test_the_best_are_those_of_the_full_scores(
    corpus: list[list[str]], query: list[str], variant: str, k: int, random: object
) -> None:
    mask = np.array([random.random() < 0.5 for _ in corpus])  # type: ignore[attr-defined]
    with tempfile.TemporaryDirectory() as folder:
        bm25 = Bm25(
            write(Path(folder) / "p", corpus), IndexConfig.model_validate({"variant": variant})
        )
        scores = bm25.scores(query)
        for admitted in (None, mask):
            found = bm25.best(query, k=k, admitted=admitted)
            check(found, scores, k, admitted)
            assert found == bm25.best(query, k=99, admitted=admitted)[:k]
            assert found == bm25.best(query[::-1], k=k, admitted=admitted)


SHARES = [0.9, 0.5, 0.4, 0.2, 0.1, 0.03, 0.01, 0.004, 0.001, 0.0002, 0.0001]
"""Of the documents that hold t0, t1, ..."""


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Postings:
    """Documents for six windows, the last one not full; equal ones among them."""
    rng = np.random.default_rng(5)
    drawn = rng.random((5 * WINDOW + 77, len(SHARES))) < SHARES
    frequencies = drawn * rng.integers(1, 4, drawn.shape)
    corpus = [[f"t{t}" for t in np.flatnonzero(row) for _ in range(row[t])] for row in frequencies]
    return write(tmp_path_factory.mktemp("many") / "p", corpus)


@pytest.mark.parametrize("variant", sorted(SCORERS))
@pytest.mark.parametrize("k", [1, 10, 200, 10**6])
@pytest.mark.parametrize("terms", [[10, 9, 1], [0, 1, 2, 3, 4], [5, 5, 5, 0], range(11), [8]])
def test_windows_lose_nothing(many: Postings, variant: str, k: int, terms: Sequence[int]) -> None:
    bm25 = Bm25(many, IndexConfig.model_validate({"variant": variant}))
    query = [f"t{t}" for t in terms]
    scores = bm25.scores(query)
    rng = np.random.default_rng(6)
    for share in (None, 0.5, 0.001, 0.0):
        mask = None if share is None else rng.random(many.n_documents) < share
        found = bm25.best(query, k=k, admitted=mask)
        check(found, scores, k, mask)
        assert found == bm25.best(query, k=k + 1, admitted=mask)[:k]


def test_equal_documents_of_different_windows_stand_in_row_order(tmp_path: Path) -> None:
    corpus = [["x"] * (row % 1000 == 7) for row in range(2 * WINDOW)]
    rows = [hit.row for hit in _lucene(tmp_path, corpus).best(["x"], k=12, admitted=None)]
    assert rows == [1000 * i + 7 for i in range(12)]


@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_term_of_every_document_finds_them_all(tmp_path: Path, n: int) -> None:
    found = _lucene(tmp_path, [["x"]] * n).best(["x"], k=5, admitted=None)
    assert [hit.row for hit in found] == list(range(n))
    assert all(hit.score > 0 for hit in found)


def test_a_mask_that_admits_none_finds_none(tmp_path: Path) -> None:
    assert _lucene(tmp_path, [["x"], ["x"]]).best(["x"], k=5, admitted=np.zeros(2, bool)) == []


def _lucene(folder: Path, corpus: Sequence[Sequence[str]]) -> Bm25:
    return Bm25(write(folder / "p", corpus), IndexConfig())
