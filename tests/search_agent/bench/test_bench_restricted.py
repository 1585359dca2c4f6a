"""A searcher over a part of a corpus behaves as if the other documents were not there."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.card import find_corpus
from corpora.errors import MalformedRecord
from corpora.hit import Filters
from index import HybridSearcher, UnknownDocument, build_index, hash_card, open_index
from ingest import ingest_corpus
from search_agent.bench.mode import approach_name, question_in_mode, searcher_in_mode
from search_agent.bench.question import BenchQuestion
from search_agent.bench.restricted import RestrictedSearcher

QUERY = "the brass barometer of Little Tarn"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HybridSearcher]:
    """The toy corpus behind the hash encoder."""
    folder = tmp_path_factory.mktemp("toy")
    ingest_corpus(find_corpus("toy"), folder / "ingest", encoder=hash_card())
    build_index(folder, encoders=(hash_card(),))
    searcher = open_index(folder, encoders=(hash_card(),))
    yield searcher
    searcher.close()


def doc_ids(whole: HybridSearcher) -> list[str]:
    return [document.doc_id for document in whole.store.documents()]


def ranking(searcher: RestrictedSearcher | HybridSearcher, **choices: object) -> list[str]:
    [hits] = searcher.search([QUERY], **{"k": 1000, **choices})  # type: ignore[arg-type]
    return [hit.chunk_id for hit in hits]


def best_document(whole: HybridSearcher) -> str:
    [[hit]] = whole.search([QUERY], k=1)
    return hit.doc_id


@given(data=st.data())
def test_without_some_documents_the_others_keep_their_order_and_move_up(
    data: st.DataObject, whole: HybridSearcher
) -> None:
    removed = data.draw(st.sets(st.sampled_from(doc_ids(whole))))
    part = RestrictedSearcher(whole, without=removed)
    [hits] = part.search([QUERY], k=1000)
    [all_hits] = whole.search([QUERY], k=1000)
    assert [hit.chunk_id for hit in hits] == [
        hit.chunk_id for hit in all_hits if hit.doc_id not in removed
    ]
    assert [hit.rank for hit in hits] == list(range(len(hits)))
    alike = [chunk_id.rpartition(":")[0] for hit in hits for chunk_id in hit.duplicates]
    assert removed.isdisjoint(alike)


@given(k=st.integers(1, 6), n_removed=st.integers(0, 6))
def test_pages_of_a_part_follow_one_another(k: int, n_removed: int, whole: HybridSearcher) -> None:
    [hits] = whole.search([QUERY], k=1000)
    first = dict.fromkeys(hit.doc_id for hit in hits)
    part = RestrictedSearcher(whole, without=list(first)[:n_removed])
    pages = [chunk for page in (1, 2, 3) for chunk in ranking(part, k=k, page=page)]
    assert pages == ranking(part)[: 3 * k]


@given(data=st.data())
def test_with_some_documents_alone_nothing_else_is_found(
    data: st.DataObject, whole: HybridSearcher
) -> None:
    kept = data.draw(st.sets(st.sampled_from(doc_ids(whole)), max_size=4))
    found = ranking(RestrictedSearcher(whole, only=kept))
    assert {chunk_id.rpartition(":")[0] for chunk_id in found} <= kept


def test_a_document_alone_is_found_however_far_down_it_was(whole: HybridSearcher) -> None:
    last = ranking(whole)[-1].rpartition(":")[0]
    assert ranking(RestrictedSearcher(whole, only={last}), k=1)[0].startswith(last)


def test_filters_act_within_the_part(whole: HybridSearcher) -> None:
    one, two, three = doc_ids(whole)[:3]
    part = RestrictedSearcher(whole, only={one, two})
    for asked, expected in (((one,), {one}), ((three,), set()), ((two, three), {two})):
        found = ranking(part, filters=Filters(doc_ids=asked))
        assert {chunk.rpartition(":")[0] for chunk in found} <= expected
    without = RestrictedSearcher(whole, without={one})
    found = ranking(without, filters=Filters(doc_ids=(one, two)))
    assert {chunk.rpartition(":")[0] for chunk in found} == {two}


def test_nothing_is_left_of_no_documents(whole: HybridSearcher) -> None:
    assert ranking(RestrictedSearcher(whole, only=())) == []
    assert ranking(RestrictedSearcher(whole, without=doc_ids(whole))) == []


def test_what_is_not_of_the_part_cannot_be_opened_found_or_cut(whole: HybridSearcher) -> None:
    gold = best_document(whole)
    for part in (
        RestrictedSearcher(whole, without={gold}),
        RestrictedSearcher(whole, only=set(doc_ids(whole)) - {gold}),
    ):
        with pytest.raises(UnknownDocument, match=f"no document '{gold}' here"):
            part.open(gold)
        with pytest.raises(UnknownDocument):
            part.find(gold, "barometer")
        assert part.segments(gold, 0, 1000) == []
    part = RestrictedSearcher(whole, only={gold})
    assert part.open(gold) == whole.open(gold)
    assert part.find(gold, "barometer") == whole.find(gold, "barometer") != []
    assert part.segments(gold, 0, 1000) == whole.segments(gold, 0, 1000) != []


def test_terms_and_their_weights_are_those_of_the_whole(whole: HybridSearcher) -> None:
    part = RestrictedSearcher(whole, only=())
    assert part.content_tokens(QUERY) == whole.content_tokens(QUERY)
    assert part.idf("barometer") == whole.idf("barometer")
    assert (part.corpus, part.languages) == (whole.corpus, whole.languages)


def test_every_part_has_a_fingerprint_of_its_own(whole: HybridSearcher) -> None:
    one, two = doc_ids(whole)[:2]
    parts = [
        whole,
        RestrictedSearcher(whole, only={one}),
        RestrictedSearcher(whole, only={one, two}),
        RestrictedSearcher(whole, without={one}),
        RestrictedSearcher(whole, only=()),
        RestrictedSearcher(whole),
    ]
    assert len({part.fingerprint for part in parts}) == len(parts)
    again = RestrictedSearcher(whole, only=[two, one])
    assert again.fingerprint == RestrictedSearcher(whole, only=[one, two]).fingerprint


# ---- modes


def asked_about(gold: str) -> BenchQuestion:
    return BenchQuestion(
        query_id="q", text=QUERY, answers=("Ewan Sorrel",), gold_doc_ids=frozenset({gold})
    )


def test_oracle_searches_gold_and_filter_gold_all_else(whole: HybridSearcher) -> None:
    gold = best_document(whole)
    question = asked_about(gold)
    found = {
        mode: {
            chunk.rpartition(":")[0]
            for chunk in ranking(searcher_in_mode(whole, question, mode))  # type: ignore[arg-type]
        }
        for mode in ("oracle", "filter-gold")
    }
    assert found["oracle"] == {gold}
    assert gold not in found["filter-gold"] != set()
    assert searcher_in_mode(whole, question, "normal") is whole
    assert searcher_in_mode(whole, question, "closed-book") is whole


def test_an_unanswerable_question_has_an_oracle_that_knows_nothing(
    whole: HybridSearcher,
) -> None:
    question = BenchQuestion(query_id="u", text=QUERY, answers=())
    searcher = searcher_in_mode(whole, question, "oracle")
    assert searcher.search([QUERY], k=5) == [[]]


def test_gold_that_nobody_named_cannot_be_taken_away(whole: HybridSearcher) -> None:
    unnamed = BenchQuestion(query_id="q", text=QUERY, answers=("x",))
    with pytest.raises(MalformedRecord, match="'q' names no gold documents"):
        searcher_in_mode(whole, unnamed, "filter-gold")


@pytest.mark.parametrize(
    ("mode", "answerable", "has_gold"),
    [
        ("normal", True, True),
        ("oracle", True, True),
        ("closed-book", True, False),
        ("filter-gold", False, False),
    ],
)
def test_what_is_expected_follows_from_what_may_be_read(
    mode: str, answerable: bool, has_gold: bool
) -> None:
    question = question_in_mode(asked_about("d"), mode)  # type: ignore[arg-type]
    assert (question.answerable, bool(question.gold_doc_ids)) == (answerable, has_gold)
    assert (question.query_id, question.text) == ("q", QUERY)


@pytest.mark.parametrize(
    ("strategy", "mode", "name"),
    [
        ("react", "normal", "react"),
        ("react", "oracle", "react-oracle"),
        ("closed-book", "closed-book", "closed-book"),
    ],
)
def test_a_strategy_in_a_mode_has_a_name(strategy: str, mode: str, name: str) -> None:
    assert approach_name(strategy, mode) == name
