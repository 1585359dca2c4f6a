"""Retrieval: a dataset's topics ranked, written as run files and measured."""

import importlib.metadata
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from threading import Event

from index import DocumentMode, HybridSearcher, IndexConfig, IndexManifest
from search_agent.bench.judged_topic import JudgedTopic
from search_agent.bench.machine import current_commit, this_machine
from search_agent.bench.rank_topics import RankProgress, rank_topics
from search_agent.bench.retrieval_measures import mean_measures, measure_topics
from search_agent.bench.retrieval_result import EncoderName, RetrievalResult, TopicMeasures
from search_agent.bench.run_file import write_run

TOPIC_DECIMALS = 6
MEAN_DECIMALS = 4
_LIBRARIES = ("ir-measures", "pytrec-eval-terrier")


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalSetup:
    """What is measured."""

    dataset: str
    collection: str | None
    """Id of the registered collection that it is."""
    queries: str | None
    """Name of the collection of the queries, where it is another."""
    searcher: HybridSearcher
    manifest: IndexManifest
    config: IndexConfig
    legs: Sequence[DocumentMode]
    k: int
    run_dir: Path | None
    """Where run files go; None for none."""


def measure_retrieval(
    topics: Sequence[JudgedTopic],
    setup: RetrievalSetup,
    *,
    now: datetime,
    on_progress: Callable[[RankProgress], None],
    cancelled: Event,
) -> RetrievalResult:
    """The result over all topics, or over those ranked before ``cancelled`` was set."""
    started = time.monotonic()
    rankings = rank_topics(
        setup.searcher,
        topics,
        legs=setup.legs,
        k=setup.k,
        on_progress=on_progress,
        cancelled=cancelled,
    )
    seconds = time.monotonic() - started
    ranked = [topic for topic in topics if topic.query_id in rankings[setup.legs[0]]]
    values = {leg: measure_topics(ranked, by_topic) for leg, by_topic in rankings.items()}
    name = setup.dataset if setup.queries is None else f"{setup.dataset}.by.{setup.queries}"
    run_files: list[str] = []
    if setup.run_dir is not None:
        setup.run_dir.mkdir(parents=True, exist_ok=True)
        for leg, by_topic in rankings.items():
            path = setup.run_dir / f"{name}.{leg}.run"
            write_run(path, by_topic, tag=f"deepsearch-{leg}")
            run_files.append(str(path))
    return RetrievalResult(
        dataset=setup.dataset,
        collection=setup.collection,
        queries=setup.queries,
        n_documents=setup.searcher.store.counts()["documents"],
        n_queries=len(ranked),
        complete=len(ranked) == len(topics),
        k=setup.k,
        legs={
            leg: _rounded(mean_measures(of_leg.values()), MEAN_DECIMALS)
            for leg, of_leg in values.items()
        },
        config=setup.config,
        encoders=tuple(
            EncoderName(name=record.name, sha256=record.sha256) for record in setup.manifest.dense
        ),
        fingerprint=setup.searcher.fingerprint,
        run_files=tuple(run_files),
        versions={
            **setup.manifest.versions,
            **{name: importlib.metadata.version(name) for name in _LIBRARIES},
        },
        commit=current_commit(Path(__file__).parent),
        machine=this_machine(),
        made_at=f"{now:%Y-%m-%dT%H:%M:%SZ}",
        seconds=round(seconds, 3),
        per_topic=tuple(
            TopicMeasures(
                query_id=topic.query_id,
                n_relevant=len(topic.gold),
                legs={
                    leg: _rounded(of_leg[topic.query_id], TOPIC_DECIMALS)
                    for leg, of_leg in values.items()
                },
            )
            for topic in ranked
        ),
    )


def _rounded(values: dict[str, float], decimals: int) -> dict[str, float]:
    return {name: round(value, decimals) for name, value in values.items()}
