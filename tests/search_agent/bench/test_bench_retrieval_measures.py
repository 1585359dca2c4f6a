"""Measures of rankings against arithmetic, and run files against the tools that read them."""

from math import log2
from pathlib import Path

import ir_measures
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpora.errors import CorpusNotFound, MalformedRecord
from index import ScoredDocument
from search_agent.bench.judged_topic import JudgedTopic, collection_topics
from search_agent.bench.retrieval_measures import MEASURES, mean_measures, measure_topics
from search_agent.bench.run_file import write_run

from .judged_collection import write_judged_collection


def topic(**relevance: int) -> JudgedTopic:
    return JudgedTopic(query_id="q", text="?", relevance=relevance)


def ranking(*doc_ids: str) -> list[ScoredDocument]:
    return [ScoredDocument(doc_id, 1 / (1 + rank)) for rank, doc_id in enumerate(doc_ids)]


def test_every_measure_by_hand() -> None:
    # gains are linear: the grade itself, discounted by log2(rank + 1)
    judged = topic(a=2, b=1, c=1, x=0)
    values = measure_topics([judged], {"q": ranking("x", "b", "a", "y")})["q"]
    gained = 1 / log2(3) + 2 / log2(4)
    ideal = 2 / log2(2) + 1 / log2(3) + 1 / log2(4)
    assert values == pytest.approx(
        {
            "nDCG@10": gained / ideal,
            "R@10": 2 / 3,
            "R@100": 2 / 3,
            "AP": (1 / 2 + 2 / 3) / 3,
            "RR@10": 1 / 2,
            "all_gold@5": 0,
            "all_gold@10": 0,
        }
    )


def test_cuts_count_from_the_top() -> None:
    fillers = [f"n{n}" for n in range(10)]
    order = [*fillers[:4], "a", *fillers[4:9], "b"]  # a is fifth, b eleventh
    values = measure_topics([topic(a=1, b=1)], {"q": ranking(*order)})["q"]
    assert values["R@10"] == 1 / 2
    assert values["R@100"] == 1
    assert values["RR@10"] == 1 / 5
    assert values["AP"] == pytest.approx((1 / 5 + 2 / 11) / 2)
    assert values["nDCG@10"] == pytest.approx((1 / log2(6)) / (1 + 1 / log2(3)))


@pytest.mark.parametrize(
    ("place_of_last", "at_5", "at_10"), [(5, 1, 1), (6, 0, 1), (10, 0, 1), (11, 0, 0)]
)
def test_all_gold_needs_every_relevant_document(place_of_last: int, at_5: int, at_10: int) -> None:
    order = ["a", *(f"n{n}" for n in range(place_of_last - 2)), "b"]
    values = measure_topics([topic(a=1, b=2, c=0)], {"q": ranking(*order)})["q"]
    assert (values["all_gold@5"], values["all_gold@10"]) == (at_5, at_10)


def test_a_topic_without_results_counts_0() -> None:
    found = JudgedTopic(query_id="q1", text="?", relevance={"a": 1})
    missed = JudgedTopic(query_id="q2", text="?", relevance={"a": 1})
    values = measure_topics([found, missed], {"q1": ranking("a"), "q2": []})
    assert values["q2"] == dict.fromkeys(MEASURES, 0)
    assert mean_measures(values.values()) == dict.fromkeys(MEASURES, 1 / 2)


def test_equal_scores_are_measured_in_the_order_shown() -> None:
    # trec_eval would take "b" first: it orders ties by descending id
    tied = [ScoredDocument("a", 0.5), ScoredDocument("b", 0.5)]
    assert measure_topics([topic(a=1)], {"q": tied})["q"]["RR@10"] == 1


SCORES = st.floats(min_value=-10, max_value=10) | st.sampled_from([0.0, 0.5, 0.5 + 1e-12])


@given(st.lists(SCORES, min_size=1, max_size=12), st.sets(st.integers(0, 11), min_size=1))
@settings(max_examples=40, deadline=None)
def test_a_run_file_gives_any_tool_the_same_measures(
    tmp_path_factory: pytest.TempPathFactory, scores: list[float], relevant: set[int]
) -> None:
    ranked = [
        ScoredDocument(f"d{n}", score) for n, score in enumerate(sorted(scores, reverse=True))
    ]
    judged = topic(**{f"d{n}": 1 for n in relevant})
    path = tmp_path_factory.mktemp("run") / "a.run"
    write_run(path, {"q": ranked}, tag="test")
    measures = [ir_measures.parse_measure(name) for name in ("nDCG@10", "AP", "RR@10")]
    qrels = [ir_measures.Qrel("q", doc_id, grade) for doc_id, grade in judged.relevance.items()]
    from_file = ir_measures.calc_aggregate(
        measures, qrels, list(ir_measures.read_trec_run(str(path)))
    )
    ours = measure_topics([judged], {"q": ranked})["q"]
    assert {str(name): value for name, value in from_file.items()} == pytest.approx(
        {name: ours[name] for name in ("nDCG@10", "AP", "RR@10")}
    )


def test_a_run_file_line_by_line(tmp_path: Path) -> None:
    tied = [ScoredDocument("b", 1.5), ScoredDocument("a", 0.25), ScoredDocument("c", 0.25)]
    write_run(tmp_path / "a.run", {"q7": tied, "q2": [], "q1": tied[:1]}, tag="me")
    assert (tmp_path / "a.run").read_text(encoding="utf-8").splitlines() == [
        "q7 Q0 b 1 1.5 me",
        "q7 Q0 a 2 0.25 me",
        "q7 Q0 c 3 0.24999999 me",  # 0.25 less the least step of a float32
        "q1 Q0 b 1 1.5 me",
    ]


def test_an_id_with_a_blank_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MalformedRecord, match="'two words' is not one word"):
        write_run(tmp_path / "a.run", {"q": [ScoredDocument("two words", 1.0)]}, tag="me")


def test_judgements_keep_their_grades_and_queries_their_order(tmp_path: Path) -> None:
    topics = collection_topics(write_judged_collection(tmp_path / "c"))
    assert [(topic.query_id, sorted(topic.gold)) for topic in topics] == [
        ("q1", ["c2", "c4"]),
        ("q2", ["c3", "c4"]),
        ("q3", ["c5"]),
        ("q4", []),
    ]
    assert topics[0].relevance == {"c2": 2, "c4": 1}


def test_of_several_judgement_files_one_is_used(tmp_path: Path) -> None:
    folder = write_judged_collection(tmp_path / "c")
    dev = "query-id\tcorpus-id\tscore\nq4\tc5\t1\n"
    (folder / "qrels" / "dev.tsv").write_text(dev, encoding="utf-8")
    assert [topic.query_id for topic in collection_topics(folder) if topic.gold] == [
        "q1",
        "q2",
        "q3",
    ]
    assert [t.query_id for t in collection_topics(folder, qrels="dev") if t.gold] == ["q4"]
    with pytest.raises(CorpusNotFound, match="there are: dev, test"):
        collection_topics(folder, qrels="train")
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\tc1\t0.5\n")
    with pytest.raises(MalformedRecord, match="whole score"):
        collection_topics(folder)
