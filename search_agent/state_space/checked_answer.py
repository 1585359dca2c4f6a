"""A proposed answer, its citations cut and its support measured: accepted, or kept as a state."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from search_agent.evidence.citation import cite, existence_rate, support_rate
from search_agent.evidence.ledger import EvidenceLedger
from search_agent.evidence.records import Answer, Citation, Claim
from search_agent.evidence.support import check_support
from search_agent.session import Session
from search_agent.state_space.answer_rules import is_derived
from search_agent.state_space.proposals import tokens
from search_agent.state_space.records import norm

WORTH = {"supported": 1.0, "partial": 0.5, "unchecked": 0.5}
"""What a claim counts for acceptance. Partial is half: a failed guard caps a claim at partial, and
it fails wherever a name of the question stands in another passage than the answer."""

UNSUPPORTED_STRENGTH = 0.7
DOUBT = 0.02
"""What the judge must be surer by where a name of the question stands outside the passage."""
UNNAMED_STRENGTH = 0.3
"""Below every threshold for a guess."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedAnswer:
    """``is_accepted`` tells whether the support that the configuration asks for is there."""

    answer: Answer
    is_accepted: bool
    why: str = ""
    strength: float = 0.0
    """Highest candidate strength of an answer that is not accepted, in [0, 0.7]."""


def check_support_of_answer(
    session: Session,
    *,
    text: str,
    claims: Sequence[tuple[str, tuple[str, ...]]],
    flags: Sequence[str],
    call_path: str,
    asked: str = "",
) -> CheckedAnswer:
    """Cut the quotes; where ``answer_min_support`` is set, judge every claim before accepting, and
    with ``answers_min`` whether the quotes answer ``asked``.
    """
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
    score = carrying.support.score if carrying and carrying.support else 0.0
    rate = sum(WORTH.get(claim.label, 0.0) for claim in cited) / max(1, len(cited))
    why, strength = "", min(score, UNSUPPORTED_STRENGTH)
    if carrying is None:
        why, strength = "no claim states it", UNNAMED_STRENGTH
    elif carrying.label in {"unsupported", "contradicted"}:
        why = f"the claim that carries the answer is {carrying.label}"
    elif absent := _absent_names(session, carrying):
        why = f"no document seen names {', '.join(absent)}"
        strength = min(score, UNNAMED_STRENGTH)
    elif rate < minimum:
        why = f"support {rate:.2f} is below {minimum:.2f}"
    elif asked:
        p = _judge_answer(session, asked, text, carrying, call_path=f"{call_path}/answers")
        is_named = carrying.support is None or carrying.support.guard_passed
        if p is not None and p < session.config.citations.answers_min + DOUBT * (not is_named):
            why = f"by the judge the passages answer another question ({p:.2f})"
            strength = strength if is_named else min(score, UNNAMED_STRENGTH)
    return CheckedAnswer(answer=answer, is_accepted=not why, why=why, strength=strength)


def _judge_answer(
    session: Session, asked: str, answer: str, carrying: Claim, *, call_path: str
) -> float | None:
    if session.config.citations.answers_min == 0 or not carrying.citations:
        return None
    passages = [in_context(citation, session.ledger) for citation in carrying.citations]
    return session.judge_answer(
        asked, answer, passages, call_path=call_path, deadline=session.deadline()
    )


def _absent_names(session: Session, carrying: Claim) -> list[str]:
    """Names of the carrying claim that no document seen has anywhere: it is about another thing.

    A name that only its quotes lack is no such sign: it may stand in the section before, or in the
    passage of an earlier hop.
    """
    missing = carrying.support.missing if carrying.support else ()
    names = [name for name in missing if any(letter.isalpha() for letter in name)]
    titles = {item.doc_id: norm(item.title) for item in session.ledger.in_order}
    find, filters = session.searcher.find, session.filters
    return [
        name
        for name in names
        if not any(
            norm(name) in title or find(doc_id, name, filters=filters)
            for doc_id, title in titles.items()
        )
    ]


def in_context(citation: Citation, ledger: EvidenceLedger) -> str:
    """The quote as a judge must see it: under its title and headings, rows with column names."""
    items = [
        item
        for stored in citation.segment_ids
        if (item := ledger.get(ledger.short_id(stored) or "")) is not None
    ]
    if not items:
        return citation.quote
    return " ".join([items[0].in_context, *(item.reading for item in items[1:])])


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
        quotes = [in_context(citation, session.ledger) for citation in claim.citations]
        path = f"{call_path}/support/{number}"
        support = check_support(
            claim.text,
            quotes,
            judge=lambda text, given, path=path: session.judge(  # type: ignore[misc]
                text, given, call_path=path, deadline=deadline
            ),
            terms=session.searcher,
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
