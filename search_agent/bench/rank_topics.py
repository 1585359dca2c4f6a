"""Rank topics: every topic's documents by every leg."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import Event

from index import DocumentMode, HybridSearcher, ScoredDocument
from search_agent.bench.judged_topic import JudgedTopic

Ranking = Sequence[ScoredDocument]
"""Best first."""
TopicRankings = Mapping[str, Ranking]
"""By query_id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankProgress:
    """How far it is."""

    done: int
    total: int
    query_id: str


def rank_topics(
    searcher: HybridSearcher,
    topics: Sequence[JudgedTopic],
    *,
    legs: Sequence[DocumentMode],
    k: int,
    on_progress: Callable[[RankProgress], None],
    cancelled: Event,
) -> Mapping[DocumentMode, TopicRankings]:
    """The k best documents of each topic by each leg; fewer topics when ``cancelled`` is set."""
    rankings: dict[DocumentMode, dict[str, Ranking]] = {leg: {} for leg in legs}
    for number, topic in enumerate(topics, start=1):
        if cancelled.is_set():
            break
        for leg in legs:
            rankings[leg][topic.query_id] = searcher.rank_documents(topic.text, k=k, mode=leg)
        on_progress(RankProgress(done=number, total=len(topics), query_id=topic.query_id))
    return rankings
