"""``bench speed``: how build, memory, disk and latency grow with a corpus, ours beside others."""

import tempfile
import time
from collections.abc import Sequence
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

import numpy as np

from corpora.encoder_card import EncoderCard
from index.config import IndexConfig
from search_agent.bench.machine import current_commit, this_machine
from search_agent.bench.prepare import Dataset
from search_agent.bench.speed.material import ANALYZER, SpeedMaterial, gather_material
from search_agent.bench.speed.questions import analysis_ms
from search_agent.bench.speed.result import (
    AnalysisTime,
    Skipped,
    SpeedResult,
    SpeedVectors,
)
from search_agent.bench.speed.size import SizeFigures, SpeedPlan, measure_size, refusal
from search_agent.bench.speed.systems import SYSTEMS
from search_agent.bench.speed.texts import read_real_texts

_ANALYSIS_ROUNDS = 3


def measure_speed(
    datasets: Sequence[Dataset],
    plan: SpeedPlan,
    *,
    sizes: Sequence[int],
    encoder: EncoderCard | None,
    index_folders: Sequence[Path],
    seed: int,
    now: datetime,
) -> SpeedResult:
    """Measure every size, smallest first, in a temporary folder; with what was measured until then
    when ``plan.stop`` is set.

    ``encoder`` is needed for the dense leg; its vectors in ``index_folders`` are used where there
    are any.

    Raises:
        CorpusNotFound: no dataset is a test collection.
        ConfigError: the collections are too small for questions of 40 terms.
    """
    begun = time.monotonic()
    texts = read_real_texts(datasets)

    def tell(what: str, done: int, total: int) -> None:
        if plan.stop.is_set():  # nothing is measured yet that could be kept
            raise KeyboardInterrupt
        plan.count(what, done, total)

    material = gather_material(
        texts, encoder=encoder, index_folders=index_folders, seed=seed, tell=tell
    )
    figures = [_measure(plan, material, n) for n in sorted(sizes) if not plan.stop.is_set()]
    return SpeedResult(
        datasets=texts.names,
        sizes=tuple(sorted(sizes)),
        legs=plan.legs,
        systems=plan.systems,
        k=plan.k,
        depth=max(plan.k, IndexConfig().depth),
        rounds=plan.rounds,
        seed=seed,
        vectors=_vectors(encoder, material),
        analysis=_analysis(material),
        builds=tuple(build for size in figures for build in size.builds),
        openings=tuple(opening for size in figures for opening in size.openings),
        latencies=tuple(latency for size in figures for latency in size.latencies),
        skipped=tuple(skipped for size in figures for skipped in size.skipped),
        complete=not plan.stop.is_set(),
        versions=_versions(plan.systems),
        commit=current_commit(Path(__file__).parent),
        machine=this_machine(),
        made_at=now.isoformat(),
        seconds=round(time.monotonic() - begun, 1),
    )


def _measure(plan: SpeedPlan, material: SpeedMaterial, n: int) -> SizeFigures:
    with tempfile.TemporaryDirectory(prefix="deepsearch-speed-") as name:
        folder = Path(name)
        why = refusal(n, material.bytes_per_chunk(), folder)
        if why is not None:
            plan.tell(f"{n} chunks: skipped: {why}")
            return SizeFigures(skipped=[Skipped(n_chunks=n, system=None, why=why)])
        plan.tell(f"{n} chunks: drawing the corpus")
        corpus = material.draw(folder / "corpus", n=n)
        return measure_size(plan, corpus, folder, n=n)


def _vectors(encoder: EncoderCard | None, material: SpeedMaterial) -> SpeedVectors | None:
    if encoder is None or material.vectors is None:
        return None
    real = material.vectors.embeddings
    return SpeedVectors(
        encoder=encoder.name,
        sha256=encoder.sha256,
        dimension=encoder.dimension,
        real=len(real.vectors),
        from_indexes=real.from_indexes,
    )


def _analysis(material: SpeedMaterial) -> tuple[AnalysisTime, ...]:
    timed = {
        n_terms: analysis_ms(questions, ANALYZER, rounds=_ANALYSIS_ROUNDS)
        for n_terms, questions in material.questions.items()
    }
    return tuple(
        AnalysisTime(
            n_terms=n_terms,
            n_queries=len(ms),
            p50_ms=round(float(np.quantile(ms, 0.5)), 4),
            p95_ms=round(float(np.quantile(ms, 0.95)), 4),
        )
        for n_terms, ms in timed.items()
    )


def _versions(systems: Sequence[str]) -> dict[str, str]:
    packages = ["numpy", "numba", *(SYSTEMS[name].package for name in systems)]
    return {package: version(package) for package in dict.fromkeys(packages)}
