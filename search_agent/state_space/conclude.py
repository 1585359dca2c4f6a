"""Conclude: from how the loop ended to what the user gets: answer, guess, abstention (§22)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from search_agent.evidence.citation import cite, existence_rate, support_rate
from search_agent.evidence.records import Answer, Claim, UnmetClue
from search_agent.evidence.support import content_overlap
from search_agent.final_result import Status, Termination
from search_agent.session import Session
from search_agent.state_space.checked_answer import support_claims
from search_agent.state_space.loop import Search
from search_agent.state_space.ranking import best_guess, rank_answers
from search_agent.state_space.records import State, as_candidate
from search_agent.state_space.render import describe_placeholders, fill_placeholders

NEAREST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """What is told: the answer (None when abstained) and the conditions that were not met."""

    status: Status
    termination: Termination
    answer: Answer | None = None
    unmet_clues: tuple[UnmetClue, ...] = ()
    answers: tuple[dict[str, object], ...] = ()


def conclude(search: Search, termination: Termination) -> Conclusion:
    """Best collected answer, else a guess where allowed, else an abstention; support checks take
    at most ``finalise_grace_s``, lexical beyond.
    """
    session = search.session
    until_s = session.trajectory.elapsed() + session.config.params.finalise_grace_s
    groups = rank_answers(search.answers)
    if groups:
        best = groups[0].best
        answer = best.answer or Answer(text=groups[0].text, claims=())
        claims = support_claims(session, answer.claims, call_path="final", until_s=until_s)
        listed = tuple({"answer": group.text, "count": group.count} for group in groups)
        return Conclusion(
            status="error" if termination == "error" else "answered",
            termination="timeout_answer" if termination == "time_limit" else termination,
            answer=with_rates(answer, claims),
            answers=listed,
        )
    if termination == "error":
        return Conclusion(status="error", termination=termination)
    params = session.config.params
    guess = best_guess(search.states, params.guess_min_strength)
    if guess is not None and (params.provide_best_guess or termination == "cancelled"):
        return _guess(search, guess, termination, until_s)
    strongest = best_guess(search.states, 0.0) or (search.states[0] if search.states else None)
    unmet = _unmet(session, strongest, until_s)[1] if strongest else ()
    return Conclusion(status="abstained", termination=termination, unmet_clues=unmet)


def _guess(search: Search, state: State, termination: Termination, until_s: float) -> Conclusion:
    """The strongest candidate with its met clues as claims; a withdrawn answer keeps its own."""
    session = search.session
    text = state.answer.candidate or ""
    made_by = search.made_by.get(state.id)
    met, unmet = _unmet(session, state, until_s)
    claims: tuple[Claim, ...] = met
    if made_by is not None and made_by.answer is not None and made_by.found_answer == text:
        claims = support_claims(session, made_by.answer.claims, call_path="final", until_s=until_s)
    answer = with_rates(Answer(text=text, claims=claims, flags=("guess",)), claims)
    return Conclusion(
        status="guess",
        termination="timeout_guess" if termination == "time_limit" else termination,
        answer=answer,
        unmet_clues=unmet,
    )


def with_rates(answer: Answer, claims: tuple[Claim, ...]) -> Answer:
    """The answer with these claims and both rates computed from them."""
    return replace(
        answer,
        claims=claims,
        existence_rate=existence_rate(claims),
        support_rate=support_rate(claims),
    )


def _unmet(
    session: Session, state: State, until_s: float
) -> tuple[tuple[Claim, ...], tuple[UnmetClue, ...]]:
    """Each question clue, placeholders filled, checked against the nearest seen segments: the
    supported ones as claims, the others as unmet clues.
    """
    met: list[Claim] = []
    unmet: list[UnmetClue] = []
    number = 0
    for variable in state.state:
        for clue in variable.question_clues:
            sentence = describe_placeholders(clue, state)
            if as_candidate(variable.candidate):
                sentence = f"{variable.candidate}: {sentence}"
            nearest = _nearest(session, sentence, state.seen_segments)
            label, method = "unsupported", "lexical"
            if nearest:
                cited = cite(
                    [(sentence, nearest)],
                    ledger=session.ledger,
                    store=session.searcher.store,
                    source_root=session.source_root,
                )
                (claim,) = support_claims(
                    session, cited, call_path=f"final/clue/{number}", until_s=until_s
                )
                number += 1
                if claim.support is not None and claim.support.p is not None:
                    method = "support"
                label = claim.label
                if label == "supported":
                    met.append(claim)
                    continue
            unmet.append(
                UnmetClue(
                    variable_id=variable.id,
                    clue=fill_placeholders(clue, state),
                    status="contradicted" if label == "contradicted" else "unmet",
                    nearest=nearest,
                    method="support" if method == "support" else "lexical",
                )
            )
    return tuple(met), tuple(unmet)


def _nearest(session: Session, sentence: str, seen: Sequence[str]) -> tuple[str, ...]:
    """The seen segments that share most of the sentence's content, by idf; ties in order seen."""
    scored = []
    for position, segment in enumerate(seen):
        evidence = session.ledger.get(segment)
        if evidence is None:
            continue
        score = content_overlap(sentence, evidence.reading, terms=session.searcher)
        if score > 0:
            scored.append((-score, position, segment))
    return tuple(segment for _, _, segment in sorted(scored)[:NEAREST])
