"""Searching, paging, filtering and reading."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corpora.hit import Filters
from index import (
    HybridSearcher,
    IndexConfig,
    IndexingError,
    Searcher,
    UnknownDocument,
    build_index,
    hash_card,
    open_index,
)
from tests.index.small_ingest import (
    CHINESE,
    HARBOUR,
    LIGHTHOUSE,
    Source,
    WriteIngest,
    write_ingest_folder,
)

ENGLISH = hash_card(languages=("en",))


def opened(folder: Path, **choices: object) -> HybridSearcher:
    config = IndexConfig.model_validate(choices)
    build_index(folder, encoders=[hash_card()], config=config)
    return open_index(folder, encoders=[hash_card()])


def ids(searcher: Searcher, query: str, k: int = 10, **choices: object) -> list[str]:
    (found,) = searcher.search([query], k=k, **choices)  # type: ignore[arg-type]
    return [hit.chunk_id for hit in found]


def test_a_hit_carries_its_place_text_segments_and_legs(searcher: HybridSearcher) -> None:
    (hit, *_), _ = searcher.search(["storm in the lighthouse", "Bremen"], k=3)
    assert (hit.chunk_id, hit.doc_id, hit.rank, hit.title) == ("d_2:0-73", "d_2", 0, "Lighthouse")
    assert hit.text == LIGHTHOUSE.text[hit.start : hit.end]
    assert [LIGHTHOUSE.text[s.start : s.end].strip() for s in hit.segments] == [
        "The lighthouse keeper logged every storm.",
        "A storm broke the lamp in 1901.",
    ]
    assert hit.legs == {"sparse": 0, "dense": 0}
    assert hit.leg_scores["sparse"] is not None
    assert hit.uri == "corpus:///towers/lighthouse.md"
    assert (hit.language, hit.labels, hit.score) == ("en", ("secret",), 1.0)


def test_the_title_is_searched_but_never_quoted(searcher: HybridSearcher) -> None:
    (hit, *_) = searcher.search(["report"], k=1, mode="sparse")[0]
    assert (hit.doc_id, "report" in hit.text.lower()) == ("d_1", False)


@pytest.mark.parametrize("mode", ["hybrid", "sparse", "dense"])
def test_a_chinese_question_finds_the_chinese_chunk(searcher: HybridSearcher, mode: str) -> None:
    assert ids(searcher, "三峡水库的库容是多少", mode=mode)[0] == "d_3:0-28"


def test_no_hit_of_the_lexical_leg_scores_zero(searcher: HybridSearcher) -> None:
    for query in ("storm", "the", "三峡", "nothing of this", "", "???", "a\ud800b"):
        (found,) = searcher.search([query], k=10, mode="sparse")
        assert all(hit.score > 0 for hit in found)
    assert searcher.search(["absent", ""], k=10, mode="sparse") == [[], []]


def test_an_encoder_of_another_script_has_no_say(three_documents: Path) -> None:
    build_index(three_documents, encoders=[ENGLISH])
    searcher = open_index(three_documents, encoders=[ENGLISH])
    (found,) = searcher.search(["水库的总库容"], k=10)
    assert [(hit.chunk_id, hit.legs["dense"]) for hit in found] == [("d_3:0-28", None)]
    assert searcher.search(["水库"], k=10, mode="dense") == [[]]
    assert all(hit.doc_id != "d_3" for hit in searcher.search(["storm"], k=9, mode="dense")[0])


def test_a_second_encoder_speaks_for_what_the_first_cannot_read(three_documents: Path) -> None:
    both = [hash_card(name="first", languages=("en",)), hash_card(name="second")]
    build_index(three_documents, encoders=both)
    searcher = open_index(three_documents, encoders=both)
    assert ids(searcher, "水库的总库容", mode="dense")[0] == "d_3:0-28"
    assert {*ids(searcher, "storm lamp", mode="dense")} >= {"d_2:0-73", "d_3:0-28"}
    assert ids(searcher, "storm lamp", mode="dense")[0] == "d_2:0-73"


MIXED = [
    Source(doc_id="d_en", text="The harbour basin is eleven metres deep."),
    Source(doc_id="d_zh", text="港口 harbour basin 深十一米。", language="zh"),
    Source(doc_id="d_de", text="Das Hafenbecken ist elf Meter tief.", language="de"),
]


def test_the_language_of_a_query_picks_its_encoders(write_ingest: WriteIngest) -> None:
    folder = write_ingest(MIXED)
    # The second's vectors have other dimensions, so the scores tell which one was asked.
    both = [
        hash_card(name="first", dimension=256, languages=("en",)),
        hash_card(name="second", languages=("en", "zh", "de")),
    ]
    build_index(folder, encoders=both)
    searcher = open_index(folder, encoders=both)
    alone = open_index(folder, encoders=both[1:])

    def scores(searcher: HybridSearcher, query: str) -> dict[str, float]:
        (found,) = searcher.search([query], k=9, mode="dense")
        return {hit.doc_id: hit.score for hit in found}

    german, english = "Wie tief ist das Hafenbecken?", "How deep is the harbour basin?"
    assert scores(searcher, german) == scores(alone, german)
    assert set(scores(searcher, english)) == {"d_en", "d_zh", "d_de"}
    assert scores(searcher, english) != scores(alone, english)


def test_a_document_in_another_language_is_not_lowered_for_lacking_the_words(
    write_ingest: WriteIngest,
) -> None:
    folder = write_ingest([*MIXED, Source(doc_id="d_x", text="深 eleven unrelated words.")])
    multilingual = [hash_card(languages=("en", "zh", "de"))]
    build_index(folder, encoders=multilingual)
    (found,) = open_index(folder, encoders=multilingual).search(
        ["十一米 harbour basin 港口深"], k=9
    )
    hits = {hit.doc_id: hit for hit in found}
    dense = {doc_id: hit.leg_scores["dense"] for doc_id, hit in hits.items()}
    worst, best = min(filter(None, dense.values())), max(filter(None, dense.values()))
    expected = IndexConfig().foreign * (dense["d_de"] - worst) / (best - worst)
    assert hits["d_de"].score == pytest.approx(expected)


def test_stray_guesses_of_the_language_stay_with_the_first_encoder(
    write_ingest: WriteIngest,
) -> None:
    english = [Source(doc_id=f"d_{i:03}", text=f"Harbour number {i}.") for i in range(60)]
    folder = write_ingest([*english, Source(doc_id="d_fr", text="Harbour plan.", language="fr")])
    both = [
        hash_card(name="first", dimension=256, languages=("en",)),
        hash_card(name="second", languages=("en", "fr")),
    ]
    build_index(folder, encoders=both)
    one, two = (open_index(folder, encoders=cards) for cards in (both[:1], both))
    query = ["What is the plan of the harbour?"]
    assert two.search(query, k=100) == one.search(query, k=100)
    assert ids(two, query[0], mode="dense")[0] == "d_fr:0-13"


def test_without_an_encoder_the_lexical_leg_answers_alone(three_documents: Path) -> None:
    build_index(three_documents, encoders=[hash_card()])
    searcher = open_index(three_documents)
    assert ids(searcher, "storm") == ["d_2:0-73"]
    with pytest.raises(IndexingError, match="without an encoder"):
        searcher.search(["storm"], k=1, mode="dense")


def test_pages_continue_one_ranking(searcher: HybridSearcher) -> None:
    everything = ids(searcher, "storm harbour", k=10)
    pages = [ids(searcher, "storm harbour", k=2, page=page) for page in (1, 2, 3)]
    assert pages == [everything[:2], everything[2:4], []]
    assert [h.rank for h in searcher.search(["storm harbour"], k=2, page=2)[0]] == [2, 3]
    with pytest.raises(ValueError, match="count from 1"):
        searcher.search(["storm"], k=0)


@pytest.mark.parametrize(
    ("filters", "documents"),
    [
        (Filters(), {"d_1", "d_2", "d_3"}),
        (Filters(labels_any=("public",)), {"d_1"}),
        (Filters(labels_none=("secret",)), {"d_1", "d_3"}),
        (Filters(doc_ids=("d_2", "d_9")), {"d_2"}),
        (Filters(uri_glob="corpus:///ports/*"), {"d_1"}),
        (Filters(uri_glob="*.txt"), {"d_1", "d_3"}),
        (Filters(uri_glob="zh/*"), {"d_3"}),
        (Filters(media_type="text/markdown"), {"d_2"}),
        (Filters(language="zh"), {"d_3"}),
        (Filters(date_from="2024"), {"d_1"}),
        (Filters(date_to="2023"), {"d_2"}),
        (Filters(date_from="2023", date_to="2024-05-03"), {"d_1", "d_2"}),
        (Filters(date_to="2024-05-02"), {"d_2"}),
        (Filters(labels_any=("public",), language="zh"), set()),
    ],
)
@pytest.mark.parametrize("mode", ["hybrid", "sparse", "dense"])
def test_filters_act_inside_every_leg(
    searcher: HybridSearcher, filters: Filters, documents: set[str], mode: str
) -> None:
    (found,) = searcher.search(
        ["storm harbour cranes lighthouse 三峡水库"],
        k=10,
        mode=mode,  # type: ignore[arg-type]
        filters=filters,
    )
    assert {hit.doc_id for hit in found} == documents


def test_a_document_shows_only_the_place_that_may_be_seen(write_ingest: WriteIngest) -> None:
    places = (("corpus:///a/secret.txt", ("secret",)), ("corpus:///b/open.txt", ("public",)))
    folder = write_ingest([replace(HARBOUR, uri="corpus:///a/secret.txt", places=places)])
    searcher = opened(folder)
    public = Filters(labels_none=("secret",))
    assert searcher.search(["Bremen"], k=1)[0][0].uri == "corpus:///a/secret.txt"
    assert searcher.search(["Bremen"], k=1, filters=public)[0][0].uri == "corpus:///b/open.txt"
    assert searcher.open("d_1", filters=public).uri == "corpus:///b/open.txt"


def test_what_filters_hide_cannot_be_opened_or_searched(searcher: HybridSearcher) -> None:
    public = Filters(labels_none=("secret",))
    with pytest.raises(UnknownDocument, match="'d_2'"):
        searcher.open("d_2", filters=public)
    with pytest.raises(UnknownDocument, match="'d_2'"):
        searcher.find("d_2", "storm", filters=public)


def test_equal_texts_are_one_hit_that_lists_the_others(write_ingest: WriteIngest) -> None:
    copies = [replace(LIGHTHOUSE, doc_id=f"d_{i}", uri=f"corpus:///{i}.txt") for i in (5, 6, 7)]
    searcher = opened(write_ingest([HARBOUR, *copies]))
    (hit,) = searcher.search(["storm"], k=10, mode="sparse")[0]
    assert (hit.chunk_id, hit.duplicates) == ("d_5:0-73", ("d_6:0-73", "d_7:0-73"))
    only_last = Filters(doc_ids=("d_7",))
    (hit,) = searcher.search(["storm"], k=10, mode="sparse", filters=only_last)[0]
    assert (hit.chunk_id, hit.duplicates) == ("d_7:0-73", ())


def test_hidden_text_is_neither_found_nor_among_the_segments(write_ingest: WriteIngest) -> None:
    hidden = replace(LIGHTHOUSE, hidden="storm broke")
    searcher = opened(write_ingest([HARBOUR, hidden]))
    assert ids(searcher, "lamp 1901", mode="sparse") == []
    (hit,) = searcher.search(["keeper"], k=1, mode="sparse")[0]
    assert [hidden.text[s.start : s.end] for s in hit.segments] == [
        "The lighthouse keeper logged every storm."
    ]


def test_opening_gives_the_exact_stretch(searcher: HybridSearcher) -> None:
    passage = searcher.open("d_1", (4, 11))
    assert (passage.text, passage.title, passage.start, passage.end) == (
        "harbour", "Harbour report", 4, 11,
    )  # fmt: skip
    assert searcher.open("d_3").text == CHINESE.text
    assert len(searcher.segments("d_2", 0, 40)) == 1
    for doc_id, span in (("d_9", None), ("d_1", (5, 4)), ("d_1", (0, 10**6))):
        with pytest.raises(UnknownDocument, match=doc_id):
            searcher.open(doc_id, span)


def test_finding_gives_spans_of_the_canonical_text(searcher: HybridSearcher) -> None:
    assert searcher.find("d_1", "THE  HARBOUR") == [(0, 11)]
    assert searcher.find("d_1", "absent") == []


def test_evidence_code_gets_terms_and_their_rarity(searcher: HybridSearcher) -> None:
    assert searcher.content_tokens("The storms of Bremen") == ["storm", "bremen"]
    assert searcher.idf("harbour") < searcher.idf("bremen") < searcher.idf("absent")
    assert searcher.languages == frozenset({"en", "zh"})
    assert searcher.corpus == "demo"


def test_other_settings_may_be_tried_without_a_build(three_documents: Path) -> None:
    build_index(three_documents, encoders=[hash_card()])
    plain = open_index(three_documents, encoders=[hash_card()])
    tried = open_index(three_documents, encoders=[hash_card()], config=IndexConfig(fusion="rrf"))
    assert tried.fingerprint != plain.fingerprint
    assert tried.search(["storm"], k=1)[0][0].score == pytest.approx(0.5 / 61 + 0.5 / 61)


def test_threads_share_a_searcher(searcher: HybridSearcher) -> None:
    queries = ["storm", "Bremen", "三峡水库", "cranes HK-204/B"] * 10
    expected = [ids(searcher, query) for query in queries]
    fresh = opened(searcher.store.path.parent.parent)
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(lambda query: ids(fresh, query), queries)) == expected


WORDS = ("storm", "harbour", "lamp", "crane", "sea", "1897")


@given(
    texts=st.lists(
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=6), min_size=1, max_size=6
    ),
    query=st.lists(st.sampled_from(WORDS), min_size=1, max_size=3),
)
@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_reopened_gives_the_same_hits_and_more_hits_only_append(
    tmp_path_factory: pytest.TempPathFactory, texts: list[list[str]], query: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("build") / "demo"
    sources = [Source(doc_id=f"d_{i}", text=" ".join(words)) for i, words in enumerate(texts)]
    write_ingest_folder(folder, sources)
    first, again = opened(folder), opened(folder)
    question = " ".join(query)
    everything = ids(first, question)
    assert ids(again, question) == everything
    for k in range(1, len(everything) + 1):
        assert ids(again, question, k=k) == everything[:k]
    first.close()
    again.close()


SECTIONED = Source(
    doc_id="d_9",
    text="Before all.\nFirst pump.\nSecond pump.\nWells.\nAfter.",
    headings=((), ("Pumps",), ("Pumps",), ("Pumps", "Wells"), ("Rest",)),
)


def test_a_chunk_is_read_with_its_neighbours(write_ingest: WriteIngest) -> None:
    searcher = opened(write_ingest([SECTIONED]))
    chunk_id = "d_9:12-23"
    assert searcher.around(chunk_id).text == "Before all.\nFirst pump.\nSecond pump."
    assert searcher.around(chunk_id, before=0, after=2).text == "First pump.\nSecond pump.\nWells."
    assert searcher.around(chunk_id, before=9, after=9).text == SECTIONED.text


def test_a_chunk_is_read_with_its_section_and_those_above(write_ingest: WriteIngest) -> None:
    searcher = opened(write_ingest([SECTIONED]))
    assert searcher.section("d_9:24-36").text == "First pump.\nSecond pump.\nWells."
    assert searcher.section("d_9:37-43").text == "Wells."
    assert searcher.section("d_9:37-43", levels_up=1).text == "First pump.\nSecond pump.\nWells."
    assert searcher.section("d_9:37-43", levels_up=5).text == SECTIONED.text


@pytest.mark.parametrize("chunk_id", ["d_9:0-3", "d_8:0-11", "d_9", "", "d_9:12-99999"])
def test_a_chunk_that_is_not_there_is_named(write_ingest: WriteIngest, chunk_id: str) -> None:
    searcher = opened(write_ingest([SECTIONED]))
    with pytest.raises(UnknownDocument, match="there is no chunk"):
        searcher.around(chunk_id)


def test_neighbours_are_read_within_the_filters(write_ingest: WriteIngest) -> None:
    searcher = opened(write_ingest([replace(SECTIONED, labels=("secret",))]))
    with pytest.raises(UnknownDocument):
        searcher.section("d_9:12-23", filters=Filters(labels_none=("secret",)))
