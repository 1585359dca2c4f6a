"""The weight of the dense leg: chosen on one half, measured on the other."""

from threading import Event

import pytest

from corpora.errors import MalformedRecord
from index import IndexConfig, ScoredDocument
from search_agent.bench.judged_topic import JudgedTopic
from search_agent.bench.tune import fuse_topics, is_dev, tune_report, tune_weight


class TwoLegs:
    """The leg that knows has the relevant document first, the other has it last.

    Half and half the two are equal, and then the other document comes first, by its id.
    """

    def __init__(self, knows: str) -> None:
        self._knows = knows

    def rank_documents(self, _query: str, *, k: int, mode: str) -> list[ScoredDocument]:
        best, last = ("wanted", "other") if mode == self._knows else ("other", "wanted")
        return [ScoredDocument(best, 2.0), ScoredDocument(last, 1.0)][:k]


TOPICS = [JudgedTopic(query_id=f"q{n}", text="", relevance={"wanted": 1}) for n in range(60)]


def tuned(knows: str, topics=TOPICS, cancelled: Event | None = None):  # type: ignore[no-untyped-def]
    return tune_weight(
        "small",
        TwoLegs(knows),  # type: ignore[arg-type]
        topics,
        config=IndexConfig(),
        measure="RR@10",
        on_progress=lambda _: None,
        cancelled=cancelled or Event(),
    )


@pytest.mark.parametrize(("knows", "weight"), [("dense", 0.6), ("sparse", 0.4)])
def test_the_best_weight_nearest_to_the_default_is_chosen(knows: str, weight: float) -> None:
    result = tuned(knows)
    assert (result.default, result.chosen) == (0.5, weight)
    assert (result.held_out_default, result.held_out_chosen) == (0.5, 1.0)
    assert (result.difference, result.low, result.high, result.pays) == (0.5, 0.5, 0.5, True)
    assert result.n_dev + result.n_held_out == len(TOPICS)
    assert set(result.dev) == {f"{tenths / 10:.1f}" for tenths in range(11)}
    assert f"weight_dense = {weight}" in tune_report(result)


def test_halves_are_read_off_the_ids_and_about_equal() -> None:
    share = sum(is_dev(f"query-{n}") for n in range(1000)) / 1000
    assert share == pytest.approx(0.5, abs=0.05)


def test_too_few_topics_choose_nothing() -> None:
    with pytest.raises(MalformedRecord, match="tuning needs 10 in each"):
        tuned("dense", TOPICS[:5])


def test_an_interrupted_ranking_gives_no_result() -> None:
    stopped = Event()
    stopped.set()
    assert tuned("dense", cancelled=stopped) is None


def test_documents_are_fused_as_chunks_are() -> None:
    topic = TOPICS[0]
    sparse = {topic.query_id: [ScoredDocument("a", 3.0), ScoredDocument("b", 1.0)]}
    dense = {topic.query_id: [ScoredDocument("b", 0.9), ScoredDocument("c", 0.5)]}
    fused = fuse_topics([topic], sparse, dense, config=IndexConfig(), weight=0.25)
    expected = [("a", 0.75 * 1), ("b", 0.75 * 0 + 0.25 * 1), ("c", 0.25 * 0)]
    assert fused[topic.query_id] == [ScoredDocument(name, score) for name, score in expected]
