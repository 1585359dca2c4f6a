"""Rows and results with given numbers, for tests of what is made of results."""

from search_agent.bench.result import BenchResult, measure
from search_agent.bench.scored import ScoredQuestion

ROW = {
    "question": "?",
    "accepted": ("x",),
    "answerable": True,
    "status": "answered",
    "termination": "answer",
    "answer": "x",
    "exact_match": 1.0,
    "f1": 1.0,
    "accepted_form": 1.0,
    "citations": 1,
    "citation_precision": 1.0,
    "citation_recall": 1.0,
    "gold_unit": "sentence",
    "unresolved_gold": 0,
    "citations_exist": 1.0,
    "claims_supported": 1.0,
    "all_gold_at_10": 1.0,
    "seconds": 10.0,
    "prompt_evaluated": 100,
    "prompt_reused": 50,
    "completion": 20,
    "reused": False,
    "run_dir": "r",
}


def row(query_id: str, **changes: object) -> ScoredQuestion:
    """A right answer but for the changes."""
    return ScoredQuestion.model_validate({**ROW, "query_id": query_id, **changes})


def abstention(query_id: str, **changes: object) -> ScoredQuestion:
    """No answer, and so no right one."""
    nothing = {
        "status": "abstained",
        "answer": None,
        "exact_match": 0.0,
        "f1": 0.0,
        "accepted_form": 0.0,
        "citations": 0,
        "citation_precision": None,
        "citation_recall": 0.0,
        "citations_exist": None,
        "claims_supported": None,
    }
    return row(query_id, **{**nothing, **changes})


def result(*rows: ScoredQuestion, **changes: object) -> BenchResult:
    """A result with these rows and their means."""
    content = {
        "dataset": "toy",
        "n": len(rows),
        "strategy": "react",
        "profile": "quick",
        "model": {"name": "m", "sha256": "0"},
        "seed": 0,
        "unresolved_gold": 0,
        "reused": 0,
        "reused_from_other_code": 0,
        "index_fingerprint": "f",
        "config": {},
        "config_sha256": "c",
        "prompts_sha256": "p",
        "code_sha256": "s",
        "commit": None,
        "machine": {"processor": "p", "cores": 2, "system": "s", "python": "3"},
        "made_at": "2026-01-02T03:04:05Z",
        "per_question": rows,
        **measure(rows).model_dump(),
    }
    return BenchResult.model_validate({**content, **changes})
