"""Tune: the dense leg's weight chosen on one half of the topics and measured on the other.

A weight that is chosen and reported on the same topics flatters itself. Which half a topic belongs
to is read off the hash of its id, so the halves stay the same when topics are added or reordered.
Documents are fused as a search fuses chunks (``index/fuse.py``), from the same depth.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from threading import Event

import numpy as np
from pydantic import Field

from corpora.errors import MalformedRecord
from index import HybridSearcher, IndexConfig, Ranking, ScoredDocument, fuse_legs
from search_agent.bench.compare import DECIMALS, INTERVAL, RESAMPLES, resamplings
from search_agent.bench.judged_topic import JudgedTopic
from search_agent.bench.rank_topics import RankProgress, TopicRankings, rank_topics
from search_agent.bench.retrieval_measures import measure_topics
from search_agent.result_part import ResultPart

WEIGHTS = tuple(tenths / 10 for tenths in range(11))
"""Shares of the dense leg that are tried."""
LEAST_TOPICS = 10
"""Topics that each half must have; fewer choose by chance."""


class TuneResult(ResultPart):
    """The weight chosen, and what it does for topics that it was not chosen on."""

    schema_: int = Field(1, alias="schema")
    dataset: str
    measure: str
    n_dev: int
    n_held_out: int
    dev: Mapping[str, float]
    """The measure on the dev half, by weight."""
    default: float
    """The weight that the configuration has."""
    chosen: float
    """The best on the dev half; of equal ones the nearest to the default."""
    held_out_default: float
    held_out_chosen: float
    difference: float
    """Chosen minus default on the held-out half."""
    low: float
    high: float
    """Bounds of the 95 % interval of that difference, by paired bootstrap."""
    pays: bool
    """Whether the interval lies above 0."""


def tune_weight(
    dataset: str,
    searcher: HybridSearcher,
    topics: Sequence[JudgedTopic],
    *,
    config: IndexConfig,
    measure: str,
    on_progress: Callable[[RankProgress], None],
    cancelled: Event,
) -> TuneResult | None:
    """The result; None when ``cancelled`` was set before all topics were ranked.

    Raises:
        MalformedRecord: a half has fewer topics than can choose anything.
    """
    dev = [topic for topic in topics if is_dev(topic.query_id)]
    held_out = [topic for topic in topics if not is_dev(topic.query_id)]
    if min(len(dev), len(held_out)) < LEAST_TOPICS:
        message = (
            f"{dataset!r} has {len(dev)} and {len(held_out)} judged topics in its halves;"
            f" tuning needs {LEAST_TOPICS} in each"
        )
        raise MalformedRecord(message)
    legs = rank_topics(
        searcher,
        topics,
        legs=("sparse", "dense"),
        k=config.depth,
        on_progress=on_progress,
        cancelled=cancelled,
    )
    if cancelled.is_set():
        return None

    def values(of: Sequence[JudgedTopic], weight: float) -> np.ndarray:
        fused = fuse_topics(of, legs["sparse"], legs["dense"], config=config, weight=weight)
        measured = measure_topics(of, fused)
        return np.array([measured[topic.query_id][measure] for topic in of])

    means = {weight: float(values(dev, weight).mean()) for weight in WEIGHTS}
    default = config.weight_dense
    chosen = min(means, key=lambda weight: (-round(means[weight], 6), abs(weight - default)))
    before, after = values(held_out, default), values(held_out, chosen)
    change = after - before
    drawn = [
        counts @ change / len(held_out)
        for counts in resamplings(len(held_out), resamples=RESAMPLES, seed=0)
    ]
    low, high = np.percentile(np.concatenate(drawn), INTERVAL)
    return TuneResult(
        dataset=dataset,
        measure=measure,
        n_dev=len(dev),
        n_held_out=len(held_out),
        dev={f"{weight:.1f}": _rounded(mean) for weight, mean in means.items()},
        default=default,
        chosen=chosen,
        held_out_default=_rounded(before.mean()),
        held_out_chosen=_rounded(after.mean()),
        difference=_rounded(change.mean()),
        low=_rounded(low),
        high=_rounded(high),
        pays=bool(low > 0),
    )


def is_dev(query_id: str) -> bool:
    """Whether a topic belongs to the half that may be tuned on."""
    return hashlib.sha256(query_id.encode()).digest()[0] % 2 == 0


def fuse_topics(
    topics: Sequence[JudgedTopic],
    sparse: TopicRankings,
    dense: TopicRankings,
    *,
    config: IndexConfig,
    weight: float,
) -> dict[str, list[ScoredDocument]]:
    """Each topic's documents by both legs, ``weight`` being the dense leg's share."""
    weighted = config.model_copy(update={"weight_dense": weight})
    fused: dict[str, list[ScoredDocument]] = {}
    for topic in topics:
        legs = (sparse[topic.query_id], dense[topic.query_id])
        doc_ids = sorted({scored.doc_id for leg in legs for scored in leg})
        row_of = {doc_id: row for row, doc_id in enumerate(doc_ids)}
        by_words, by_meaning = (
            Ranking.of((row_of[s.doc_id], s.score) for s in leg) for leg in legs
        )
        fused[topic.query_id] = [
            ScoredDocument(doc_ids[row], score)
            for row, score in fuse_legs(by_words, by_meaning, weighted)
        ]
    return fused


def tune_report(result: TuneResult) -> str:
    """The result as text."""
    best = max(result.dev.values())
    lines = [f"{result.dataset}: {result.measure} on {result.n_dev} topics by dense weight"]
    lines += [
        f"  {weight}  {value:.4f}{' <' if value == best else ''}"
        for weight, value in result.dev.items()
    ]
    verdict = "it pays" if result.pays else "no more than chance: keep the default"
    lines.append(
        f"on the {result.n_held_out} others {result.chosen:.1f} instead of {result.default:.1f}"
        f" gives {result.held_out_chosen:.4f} instead of {result.held_out_default:.4f}"
        f" (difference {result.difference:+.4f}, 95 % {result.low:+.4f} to {result.high:+.4f}):"
        f" {verdict}"
    )
    if result.pays:
        lines.append(f"in corpus.toml:\n\n[search]\nweight_dense = {result.chosen:.1f}")
    return "\n".join(lines) + "\n"


def _rounded(value: float | np.floating) -> float:
    return round(float(value), DECIMALS)
