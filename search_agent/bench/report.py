"""Asked questions → BenchResult: the measures with all that they depend on."""

from datetime import datetime
from pathlib import Path
from typing import TypeVar

from search_agent.bench.answers import AskedQuestions, BenchSetup
from search_agent.bench.machine import current_commit, this_machine
from search_agent.bench.question import SplitName
from search_agent.bench.result import BenchResult, Measures, measure, measure_by
from search_agent.bench.run_key import code_sha256, config_sha256, prompts_sha256

MEASURES_DECIMALS = 4
_Means = TypeVar("_Means", bound=Measures)


def report_bench(
    asked: AskedQuestions,
    setup: BenchSetup,
    *,
    dataset: str,
    n_wanted: int,
    now: datetime,
    split: SplitName = "all",
) -> BenchResult:
    """The result of one strategy; incomplete when fewer questions were asked than wanted."""
    by_kind = measure_by(asked.rows, lambda row: row.kind)
    by_language = measure_by(asked.rows, lambda row: row.language)
    return BenchResult(
        dataset=dataset,
        n=len(asked.rows),
        strategy=setup.strategy,
        mode=setup.mode,
        split=split,
        profile=setup.config.profile,
        model=setup.identity,
        seed=setup.seed,
        complete=len(asked.rows) == n_wanted,
        unresolved_gold=sum(row.unresolved_gold for row in asked.rows),
        reused=sum(row.reused for row in asked.rows),
        reused_from_other_code=asked.reused_from_other_code,
        index_fingerprint=setup.searcher.fingerprint,
        config=setup.config.model_dump(mode="json"),
        config_sha256=config_sha256(setup.config),
        prompts_sha256=prompts_sha256(setup.mode),
        code_sha256=code_sha256(),
        commit=current_commit(Path(__file__).parent),
        machine=this_machine(),
        made_at=f"{now:%Y-%m-%dT%H:%M:%SZ}",
        by_kind={name: _rounded(group) for name, group in by_kind.items()},
        by_language={name: _rounded(group) for name, group in by_language.items()},
        per_question=asked.rows,
        **_rounded(measure(asked.rows)).model_dump(),
    )


def _rounded(means: _Means) -> _Means:
    rounded = {
        name: round(value, MEASURES_DECIMALS)
        for name, value in means.model_dump().items()
        if isinstance(value, float)
    }
    return means.model_copy(update=rounded)
