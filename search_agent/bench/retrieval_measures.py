"""Measures of rankings: those of ir-measures, and the share of topics whose gold is all on top.

As ``trec_eval -c`` averages: over every topic that is judged, and one without results counts 0.

nDCG has linear gains and the base-2 logarithm (trec_eval's ``ndcg_cut``), AP, R and RR take any
grade above 0 for relevant. trec_eval orders equal scores by descending id, whatever the ranks say;
it is therefore given ranks instead of scores, and measures the ranking as it is shown.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import fsum

import ir_measures

from search_agent.bench.judged_topic import JudgedTopic
from search_agent.bench.rank_topics import Ranking, TopicRankings

LIBRARY_MEASURES = ("nDCG@10", "R@10", "R@100", "AP", "RR@10")
ALL_GOLD_CUTS = (5, 10)
MEASURES = (*LIBRARY_MEASURES, *(f"all_gold@{k}" for k in ALL_GOLD_CUTS))


def measure_topics(
    topics: Sequence[JudgedTopic], rankings: TopicRankings
) -> dict[str, dict[str, float]]:
    """Every measure of every topic, by query_id and name; each in [0, 1]."""
    qrels = [
        ir_measures.Qrel(topic.query_id, doc_id, grade)
        for topic in topics
        for doc_id, grade in topic.relevance.items()
    ]
    run = [
        ir_measures.ScoredDoc(topic.query_id, scored.doc_id, -float(rank))
        for topic in topics
        for rank, scored in enumerate(rankings.get(topic.query_id, ()))
    ]
    values = {topic.query_id: dict.fromkeys(MEASURES, 0.0) for topic in topics}
    measures = [ir_measures.parse_measure(name) for name in LIBRARY_MEASURES]
    for metric in ir_measures.iter_calc(measures, qrels, run):
        values[metric.query_id][str(metric.measure)] = float(metric.value)
    for topic in topics:
        for k in ALL_GOLD_CUTS:
            found = has_all_gold(topic.gold, rankings.get(topic.query_id, ()), k=k)
            values[topic.query_id][f"all_gold@{k}"] = float(found)
    return values


def has_all_gold(gold: frozenset[str], ranking: Ranking, *, k: int) -> bool:
    """Whether all relevant documents are among the first k."""
    return gold <= {scored.doc_id for scored in ranking[:k]}


def mean_measures(values: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each measure over topics; nothing to average gives 0."""
    rows = list(values)
    return {name: fsum(row[name] for row in rows) / max(1, len(rows)) for name in MEASURES}
