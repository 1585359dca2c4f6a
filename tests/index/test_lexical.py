"""BM25 held to arithmetic, to rank_bm25 and to bm25s."""

import tempfile
from collections.abc import Sequence
from math import log
from pathlib import Path
from typing import get_args

import bm25s
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from index.analyzer import Analyzer, Terms
from index.config import IndexConfig
from index.lexical import Bm25, LexicalIndex, write_lexical
from index.postings import Postings
from index.postings_writer import PostingsWriter
from index.scoring import SCORERS, Floats, Variant

Corpus = list[list[str]]

WORDS = st.sampled_from(["a", "b", "c", "d", "e", "水库", "é"])
CORPORA = st.lists(st.lists(WORDS, max_size=8), min_size=1, max_size=12)
QUERIES = st.lists(st.sampled_from(["a", "b", "c", "水库", "é", "absent"]), max_size=5)


def scores(corpus: Corpus, query: Sequence[str], **settings: object) -> Floats:
    """Scores of all documents, through the files."""
    with tempfile.TemporaryDirectory() as folder:
        writer = PostingsWriter(Path(folder) / "postings")
        for terms in corpus:
            writer.add(terms, length=len(terms))
        writer.finish()
        config = IndexConfig.model_validate(settings)
        return Bm25(Postings(Path(folder) / "postings"), config).scores(query)


def test_three_documents_by_hand() -> None:
    corpus = [["storm", "lamp"], ["storm", "storm", "sea"], ["calm"]]
    idf_storm = log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    average_length = (2 + 3 + 1) / 3
    first = idf_storm * 1 / (1 + 1.5 * (0.25 + 0.75 * 2 / average_length))
    second = idf_storm * 2 / (2 + 1.5 * (0.25 + 0.75 * 3 / average_length))
    assert scores(corpus, ["storm"]) == pytest.approx([first, second, 0])


@given(CORPORA.filter(any), QUERIES)
@settings(max_examples=60, deadline=None)
def test_okapi_equals_rank_bm25_negatives_included(corpus: Corpus, query: list[str]) -> None:
    expected = BM25Okapi(corpus).get_scores(query)
    assert scores(corpus, query, variant="okapi") == pytest.approx(expected, abs=1e-9)


def test_okapi_keeps_the_negative_scores_of_common_words() -> None:
    corpus = [["x", "a"], ["x", "b"]]
    idf_x, idf_a = log(0.5) - log(2.5), log(1.5) - log(1.5)
    floor = 0.25 * (idf_x + idf_a + idf_a) / 3
    assert scores(corpus, ["x"], variant="okapi") == pytest.approx([floor, floor])
    assert floor < 0


@given(CORPORA.filter(any), QUERIES.filter(lambda query: len(set(query)) == len(query)))
@settings(max_examples=30, deadline=None)
def test_lucene_equals_bm25s(corpus: Corpus, query: list[str]) -> None:
    reference = bm25s.BM25(method="lucene", k1=1.5, b=0.75, dtype="float64")
    reference.index(corpus, show_progress=False)
    known = [token for token in query if token in reference.vocab_dict]
    expected = reference.get_scores(known) if known else np.zeros(len(corpus))
    assert scores(corpus, query) == pytest.approx(expected, abs=1e-5)


def test_every_variant_has_a_formula() -> None:
    assert set(SCORERS) == set(get_args(Variant))


@pytest.mark.parametrize("variant", sorted(SCORERS))
@pytest.mark.parametrize(
    "corpus", [[[]], [[], []], [["a"]], [["a"], ["a"]], [["a"] * 3, ["b"]], [["a"], [], ["b", "a"]]]
)
@pytest.mark.parametrize("b", [0.0, 1.0])
def test_tiny_corpora_give_finite_scores(variant: str, corpus: Corpus, b: float) -> None:
    found = scores(corpus, ["a", "b", "z"], variant=variant, b=b)
    assert np.isfinite(found).all()
    assert variant == "okapi" or (found >= 0).all()


@pytest.mark.parametrize("variant", ["lucene", "bm25plus", "bm25l"])
def test_only_documents_with_a_query_term_score(variant: str) -> None:
    found = scores([["a"], ["b"], ["c"], ["a", "a"]], ["a"], variant=variant)
    assert [bool(score > 0) for score in found] == [True, False, False, True]


def test_lower_bounds_follow_their_papers() -> None:
    corpus = [["a"], ["b", "b"]]
    norm = 0.25 + 0.75 * 1 / 1.5
    plus = log(3 / 1) * (0.5 + 2.5 / (1 + 1.5 * norm))
    shifted = 1 / norm + 0.5
    lower = log(3 / 1.5) * 2.5 * shifted / (1.5 + shifted)
    assert scores(corpus, ["a"], variant="bm25plus")[0] == pytest.approx(plus)
    assert scores(corpus, ["a"], variant="bm25l")[0] == pytest.approx(lower)


def lexical_index(folder: Path, texts: Sequence[str], **settings: object) -> LexicalIndex:
    analyzer = Analyzer(languages=("en",))
    write_lexical(folder, (analyzer.document_terms(text, "en") for text in texts))
    return LexicalIndex(folder, analyzer=analyzer, config=IndexConfig.model_validate(settings))


def test_equal_scores_keep_row_order_and_more_hits_only_append(tmp_path: Path) -> None:
    index = lexical_index(tmp_path / "l", ["storm", "calm", "storm", "storm lamp", "storm"])
    rows = [hit.row for hit in index.search("storm", k=9)]
    assert rows == [0, 2, 4, 3]
    for k in range(1, 5):
        assert [hit.row for hit in index.search("storm", k=k)] == rows[:k]


def test_a_mask_admits_rows(tmp_path: Path) -> None:
    index = lexical_index(tmp_path / "l", ["storm", "storm", "storm"])
    mask = np.array([False, True, True])
    assert [hit.row for hit in index.search("storm", k=9, admitted=mask)] == [1, 2]


def test_search_drops_what_okapi_scores_below_zero(tmp_path: Path) -> None:
    index = lexical_index(tmp_path / "l", ["storm sea", "storm lamp"], variant="okapi")
    assert index.scores(["storm"]).max() < 0
    assert index.search("storm", k=5) == []


def test_the_library_as_backend_gives_the_same_hits(tmp_path: Path) -> None:
    texts = ["part HK-204/B of the crane", "a crane", "the sea", "sea and storm", "lamp"]
    ours = lexical_index(tmp_path / "a", texts, variant="okapi")
    theirs = lexical_index(tmp_path / "b", texts, variant="okapi", backend="rank_bm25")
    for query in ("crane HK-204/B", "sea storm", "absent"):
        expected = theirs.search(query, k=5)
        found = ours.search(query, k=5)
        assert [hit.row for hit in found] == [hit.row for hit in expected]
        assert [hit.score for hit in found] == pytest.approx([hit.score for hit in expected])


@pytest.mark.parametrize("query", ["", "   ", "?!", "\ud800", "absent"])
def test_queries_without_a_known_word_find_nothing(tmp_path: Path, query: str) -> None:
    assert lexical_index(tmp_path / "l", ["storm", "lamp"]).search(query, k=5) == []


def test_a_query_of_stop_words_alone_is_searched_by_them(tmp_path: Path) -> None:
    index = lexical_index(tmp_path / "l", ["to be or not to be", "the storm", "lamp"])
    assert [hit.row for hit in index.search("to be", k=5)] == [0]
    assert [hit.row for hit in index.search("to the lamp", k=5)] == [2]


def test_postings_survive_many_blocks(tmp_path: Path) -> None:
    many = [[f"t{i % 7}", f"t{i % 3}"] for i in range(50)]
    for name, block in (("one", 10_000), ("many", 4)):
        writer = PostingsWriter(tmp_path / name, block_postings=block)
        for terms in many:
            writer.add(terms, length=len(terms))
        writer.finish()
    files = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert files == sorted(path.name for path in (tmp_path / "many").iterdir())
    for name in files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "many" / name).read_bytes()


def test_idf_is_highest_for_unknown_words(tmp_path: Path) -> None:
    index = lexical_index(tmp_path / "l", ["storm sea", "storm"])
    assert index.idf("storm") == pytest.approx(log(1 + 0.5 / 2.5))
    assert 0 < index.idf("storm") < index.idf("sea") < index.idf("absent")


def test_a_chunk_of_a_whole_identifier_alone_has_a_length(tmp_path: Path) -> None:
    write_lexical(tmp_path / "l", [Terms(["is_a"], ["is", "a"], 0)])
    assert Postings(tmp_path / "l" / "content").lengths.tolist() == [1]
