"""Documents as the unit: whole-document BM25, the best chunk, and the two fused."""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import bm25s
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from index import (
    HybridSearcher,
    IndexConfig,
    IndexingError,
    IndexMissing,
    ScoredDocument,
    build_index,
    hash_card,
    open_index,
    write_document_postings,
)
from index.analyzer import Analyzer
from tests.index.small_ingest import (
    CHINESE,
    HARBOUR,
    LIGHTHOUSE,
    Source,
    WriteIngest,
    write_ingest_folder,
)

WORDS = ["storm", "lamp", "keepers", "crane", "port", "café"]
PARAGRAPHS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
TEXTS = st.lists(st.lists(PARAGRAPHS, min_size=1, max_size=4), min_size=1, max_size=6)
QUERIES = st.lists(st.sampled_from(WORDS), unique=True, max_size=4).map(" ".join)


def opened(build_folder: Path, **choices: object) -> HybridSearcher:
    config = IndexConfig.model_validate(choices)
    build_index(build_folder, encoders=[hash_card()])
    write_document_postings(build_folder)
    return open_index(build_folder, encoders=[hash_card()], config=config)


@pytest.fixture
def three(three_documents: Path) -> Iterator[HybridSearcher]:
    """The two English documents and the Chinese one."""
    searcher = opened(three_documents)
    yield searcher
    searcher.close()


def ids(ranking: Sequence[ScoredDocument]) -> list[str]:
    return [scored.doc_id for scored in ranking]


@given(TEXTS, QUERIES)
@settings(max_examples=10, deadline=None)
def test_sparse_equals_bm25s_over_titles_and_whole_texts(
    texts: list[list[str]], query: str
) -> None:
    sources = [  # paragraphs are the chunks of these
        Source(doc_id=f"d{number}", title=f"Title {number}", text="\n".join(paragraphs))
        for number, paragraphs in enumerate(texts)
    ]
    with tempfile.TemporaryDirectory() as folder:
        write_ingest_folder(Path(folder) / "demo", sources)
        searcher = opened(Path(folder) / "demo")
        ranking = searcher.rank_documents(query, k=10, mode="sparse")
        searcher.close()
    analyzer = Analyzer(languages=("en",))
    reference = bm25s.BM25(method="lucene", k1=1.5, b=0.75, dtype="float64")
    corpus = [analyzer.document_terms(f"{s.title}\n{s.text}", "en").content for s in sources]
    reference.index(corpus, show_progress=False)
    terms = analyzer.query_terms(query).content
    known = [term for term in terms if term in reference.vocab_dict]
    scores = reference.get_scores(known) if known else []
    expected = {f"d{number}": score for number, score in enumerate(scores) if score > 0}
    assert dict(ranking) == pytest.approx(expected, abs=1e-5)


def test_words_of_two_chunks_count_for_one_document(write_ingest: WriteIngest) -> None:
    split = Source(doc_id="split", title="", text="storm here.\nlamp there.")
    storm = Source(doc_id="storm", title="", text="storm here.\nnothing there.")
    searcher = opened(write_ingest([split, storm]))
    assert ids(searcher.rank_documents("storm lamp", k=2, mode="sparse")) == ["split", "storm"]
    searcher.close()


def test_dense_scores_a_document_by_its_best_chunk(three: HybridSearcher) -> None:
    query = "cranes carry a part"
    [chunks] = three.search([query], k=10, mode="dense")
    best: dict[str, float] = {}
    for hit in chunks:
        best.setdefault(hit.doc_id, hit.score)
    assert dict(three.rank_documents(query, k=10, mode="dense")) == best


def test_dense_finds_k_documents_however_many_chunks_the_best_one_has(
    write_ingest: WriteIngest,
) -> None:
    long = Source(doc_id="a", text="\n".join(f"storm {n}" for n in range(40)))
    others = [Source(doc_id=f"b{n}", text=f"lamp {n}") for n in range(6)]
    searcher = opened(write_ingest([long, *others]), depth=1)
    assert len(searcher.rank_documents("storm", k=4, mode="dense")) == 4
    searcher.close()


def test_hybrid_is_the_weighted_sum_of_both_legs_min_max_normalised(
    three_documents: Path,
) -> None:
    searcher = opened(three_documents, weight_dense=0.25)
    query = "storm harbour"
    sparse = dict(searcher.rank_documents(query, k=10, mode="sparse"))
    dense = dict(searcher.rank_documents(query, k=10, mode="dense"))
    assert len(sparse) == 2  # the Chinese document shares no word
    expected = {
        doc_id: 0.75
        * (sparse.get(doc_id, min(sparse.values())) - min(sparse.values()))
        / (max(sparse.values()) - min(sparse.values()))
        + 0.25 * (dense[doc_id] - min(dense.values())) / (max(dense.values()) - min(dense.values()))
        for doc_id in ("d_1", "d_2", "d_3")
    }
    assert dict(searcher.rank_documents(query, k=10)) == pytest.approx(expected)
    searcher.close()


def test_fusion_takes_depth_documents_of_each_leg_whatever_k_is(three_documents: Path) -> None:
    searcher = opened(three_documents, depth=1)
    ranking = searcher.rank_documents("storm harbour", k=10)
    assert set(ids(ranking)) == {
        *ids(searcher.rank_documents("storm harbour", k=1, mode="sparse")),
        *ids(searcher.rank_documents("storm harbour", k=1, mode="dense")),
    }
    searcher.close()


def test_equal_scores_stand_in_order_of_doc_id(write_ingest: WriteIngest) -> None:
    same = [Source(doc_id=name, title="", text="one storm") for name in ("c", "a", "b")]
    searcher = opened(write_ingest(same))
    for mode in ("sparse", "dense", "hybrid"):
        assert ids(searcher.rank_documents("storm", k=10, mode=mode)) == ["a", "b", "c"]  # type: ignore[arg-type]
    searcher.close()


def test_documents_without_text_count_and_are_never_found(write_ingest: WriteIngest) -> None:
    empty = Source(doc_id="d_0", title="storm of old", text="")
    searcher = opened(write_ingest([empty, HARBOUR, LIGHTHOUSE]))
    # its title is all that can be found of it
    assert "d_0" in ids(searcher.rank_documents("storm", k=10, mode="sparse"))
    assert "d_0" not in ids(searcher.rank_documents("storm", k=10, mode="dense"))
    searcher.close()


@pytest.mark.parametrize("query", ["", "   ", "\ud800", "the of and", "zzzz", "水库"])
def test_odd_queries_give_rankings(three: HybridSearcher, query: str) -> None:
    for mode in ("sparse", "dense", "hybrid"):
        ranking = three.rank_documents(query, k=10, mode=mode)  # type: ignore[arg-type]
        assert all(scored.score == scored.score for scored in ranking)


def test_postings_are_written_once_and_anew_when_the_documents_change(
    write_ingest: WriteIngest,
) -> None:
    build_folder = write_ingest([HARBOUR, LIGHTHOUSE])
    build_index(build_folder, encoders=[])
    assert write_document_postings(build_folder)
    assert not write_document_postings(build_folder)
    write_ingest([HARBOUR, LIGHTHOUSE, CHINESE])
    build_index(build_folder, encoders=[])
    searcher = open_index(build_folder)
    with pytest.raises(IndexMissing, match="no postings of whole documents"):
        searcher.rank_documents("storm", k=1, mode="sparse")
    searcher.close()
    assert write_document_postings(build_folder)
    searcher = open_index(build_folder)
    assert ids(searcher.rank_documents("水库", k=1, mode="sparse")) == ["d_3"]
    with pytest.raises(IndexingError, match="without an encoder"):
        searcher.rank_documents("storm", k=1, mode="dense")
    searcher.close()


def test_hidden_text_is_not_found(write_ingest: WriteIngest) -> None:
    secret = Source(doc_id="d_9", title="", text="A storm. Ignore all this.", hidden="Ignore")
    searcher = opened(write_ingest([secret, HARBOUR]))
    assert searcher.rank_documents("ignore", k=5, mode="sparse") == []
    searcher.close()
