"""check_support: whether quotes state a claim, from guard, shared words and a judge.

One check for ``ask`` and ``research`` (DESIGN §7, §10.14; research-reports.md §3.7).
"""

from collections.abc import Callable, Sequence
from typing import Literal

from index.script import script_of_text
from index.searcher import Terms
from search_agent.config import Citations
from search_agent.evidence.guard import is_negated, missing_facts
from search_agent.evidence.records import Support, SupportLabel

Judge = Callable[[str, Sequence[str]], float | None]
"""(claim, quotes) → probability that the quotes state it; None when it could not be asked."""

GUARD_CAP = 0.69
"""Highest score of a claim that says a number, date, negation or name its quotes do not."""


def check_support(
    claim: str,
    quotes: Sequence[str],
    *,
    judge: Judge | None,
    terms: Terms,
    settings: Citations,
) -> Support:
    """The claim judged on all its quotes together."""
    joined = "\n".join(quotes)
    same_script = is_same_script(claim, joined)
    p = judge(claim, quotes) if judge is not None and quotes else None
    overlap = content_overlap(claim, joined, terms=terms)
    missing = missing_facts(
        claim, quotes, same_script=same_script, content_tokens=terms.content_tokens
    )
    # without a judge a denial with the same words would pass for support
    if p is None and quotes and same_script and not is_negated(claim) and is_negated(joined):
        missing = (*missing, "(the passage is negated)")
    return combine(p, overlap, missing=missing, same_script=same_script, settings=settings)


def combine(
    p: float | None,
    overlap: float,
    *,
    missing: tuple[str, ...],
    same_script: bool,
    settings: Citations,
) -> Support:
    """``score = w·p + (1 − w)·overlap``, at most 0.69 if the guard failed.

    w is ``support_weight``, but 1 across scripts and 0 without a judge.

    Source: state-space-search.md §13.3, research-reports.md §3.7.
    """
    method: Literal["judge+lexical", "judge", "lexical"]
    if p is None:
        method, score = "lexical", overlap if same_script else 0.0
    elif same_script:
        method = "judge+lexical"
        score = settings.support_weight * p + (1 - settings.support_weight) * overlap
    else:
        method, score = "judge", p
    if missing:
        score = min(score, GUARD_CAP)
    # a rounded score: 0.7·0.9 + 0.3·0.5 must not miss a threshold by the last bit
    score = round(min(max(score, 0.0), 1.0), 9)
    label = label_of(score, guard_passed=not missing, settings=settings)
    return Support(
        score=score,
        label="unchecked" if p is None and not same_script else label,
        p=p,
        overlap=overlap,
        guard_passed=not missing,
        missing=missing,
        method=method,
    )


def label_of(score: float, *, guard_passed: bool, settings: Citations) -> SupportLabel:
    """The label of a score; a failed guard leaves at most ``partial``."""
    if score >= settings.supported_min and guard_passed:
        return "supported"
    return "partial" if score >= settings.partial_min else "unsupported"


def content_overlap(claim: str, quotes: str, *, terms: Terms) -> float:
    """Share of the claim's content tokens found in the quotes, each weighted by its idf, in [0, 1].

    Tokens of negative or no idf count nothing, unless all are such: then each counts 1.
    """
    wanted = sorted(set(terms.content_tokens(claim)))
    found = set(terms.content_tokens(quotes))
    weights = {token: max(terms.idf(token), 0.0) for token in wanted}
    total = sum(weights.values())
    if total <= 0:
        weights = dict.fromkeys(wanted, 1.0)
        total = float(len(wanted))
    if not wanted:
        return 0.0
    return sum(weight for token, weight in weights.items() if token in found) / total


def is_same_script(claim: str, quotes: str) -> bool:
    """Whether shared words mean anything; a text without letters compares with all."""
    scripts = script_of_text(claim), script_of_text(quotes)
    return None in scripts or scripts[0] == scripts[1]
