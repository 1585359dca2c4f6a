"""A proposed answer, its citations cut and its support measured: accepted, or kept as a state."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from search_agent.evidence.citation import cite, existence_rate, support_rate
from search_agent.evidence.records import Answer, Claim
from search_agent.evidence.support import check_support
from search_agent.session import Session
from search_agent.state_space.answer_rules import is_derived
from search_agent.state_space.proposals import tokens
from search_agent.state_space.records import norm

WORTH = {"supported": 1.0, "partial": 0.5, "unchecked": 0.5}
"""What a claim counts for acceptance. Partial is half: a failed guard caps a claim at partial, and
it fails wherever a name of the question stands in another passage than the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedAnswer:
    """``is_accepted`` tells whether the support that the configuration asks for is there."""

    answer: Answer
    is_accepted: bool
    why: str = ""


def check_support_of_answer(
    session: Session,
    *,
    text: str,
    claims: Sequence[tuple[str, tuple[str, ...]]],
    flags: Sequence[str],
    call_path: str,
) -> CheckedAnswer:
    """Cut the quotes; where ``answer_min_support`` is set, judge every claim before accepting."""
    cited = cite(
        claims,
        ledger=session.ledger,
        store=session.searcher.store,
        source_root=session.source_root,
    )
    minimum = session.config.params.answer_min_support
    if minimum > 0:
        cited = support_claims(session, cited, call_path=call_path)
    answer = Answer(
        text=text,
        claims=cited,
        existence_rate=existence_rate(cited),
        support_rate=support_rate(cited) if minimum > 0 else None,
        flags=tuple(flags),
    )
    if minimum == 0:
        return CheckedAnswer(answer=answer, is_accepted=True)
    carrying = next((claim for claim in cited if carries(claim, text)), None)
    if carrying is not None and carrying.label in {"unsupported", "contradicted"}:
        why = f"the claim that carries the answer is {carrying.label}"
        return CheckedAnswer(answer=answer, is_accepted=False, why=why)
    rate = sum(WORTH.get(claim.label, 0.0) for claim in cited) / max(1, len(cited))
    if rate < minimum:
        why = f"support {rate:.2f} is below {minimum:.2f}"
        return CheckedAnswer(answer=answer, is_accepted=False, why=why)
    return CheckedAnswer(answer=answer, is_accepted=True)


def support_claims(
    session: Session, claims: Sequence[Claim], *, call_path: str, until_s: float | None = None
) -> tuple[Claim, ...]:
    """The claims with support measured on all their quotes together; lexical past the deadline."""
    deadline = session.deadline(at_s=until_s)
    checked = []
    for number, claim in enumerate(claims):
        if claim.support is not None or not claim.citations:
            checked.append(claim)
            continue
        quotes = [citation.quote for citation in claim.citations]
        path = f"{call_path}/support/{number}"
        support = check_support(
            claim.text,
            quotes,
            judge=lambda text, given, path=path: session.judge(  # type: ignore[misc]
                text, given, call_path=path, deadline=deadline
            ),
            searcher=session.searcher,
            settings=session.config.citations,
        )
        citations = tuple(
            replace(citation, support=support.score, label=support.label)
            for citation in claim.citations
        )
        session.trajectory.record(
            "citation_checked",
            {
                "path": path,
                "claim": claim.text,
                "label": support.label,
                "score": round(support.score, 6),
                "exist": [citation.exists for citation in citations],
            },
        )
        checked.append(replace(claim, support=support, citations=citations))
    return tuple(checked)


def carries(claim: Claim, answer: str) -> bool:
    """Whether this claim states the answer; any cited claim carries a derived one."""
    if is_derived(answer) and norm(answer) not in norm(claim.text):
        return bool(claim.segment_ids)
    needed = tokens(answer)
    return norm(answer) in norm(claim.text) or (
        bool(needed) and len(needed & tokens(claim.text)) / len(needed) >= 0.6
    )
