"""Anchor: the claims of an answer state what was asked, and rest on segments that hold the answer.

A small model finds the answer and then claims something true beside it ("the next meeting is on
11 June", asked for an installation date), or cites the passage above. So code states the answer's
condition with the answer, cites the shown segment that holds it and tells most of the condition,
and adds the earlier hops with the segments they were read from. The support check judges these
claims like any other, and an answer whose first claim fails is not accepted.
"""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import partial

from search_agent.evidence.guard import missing_facts
from search_agent.evidence.records import Evidence
from search_agent.evidence.support import content_overlap, is_same_script
from search_agent.session import Session
from search_agent.state_space.answer_rules import is_derived
from search_agent.state_space.dependencies import telling_segment
from search_agent.state_space.records import State, norm
from search_agent.state_space.render import PLACEHOLDER, fill_placeholders

Claim = tuple[str, tuple[str, ...]]
STATES_CONDITION = 0.5
"""Share of the condition's content, by idf, from which a model's claim is taken to state it."""
NAMING = 2
READ = 0.6
"""Share of an answer's words that one passage must have."""
NEAREST = 2
NEAREST_ADDS = 0.2
"""Share of the condition's content that a second segment must add."""
_DIGITS = re.compile(r"(?<![^\W\d_])\d+(?:[.,]\d+)*")
"""Numbers; not the 3 of m3."""


def anchored_claims(
    session: Session, state: State, answer: str, claims: Sequence[Claim], *, shown: Iterable[str]
) -> tuple[list[Claim], bool]:
    """The claims, led by one that says what was asked and carries the answer; and whether code
    had to make it. Unchanged where no shown segment holds the answer.
    """
    given = [(text, tuple(dict.fromkeys(ids))) for text, ids in claims]
    texts = {sid: item.reading for sid in shown if (item := session.ledger.get(sid)) is not None}
    condition = answer_condition(session.question, state)
    carrying = [
        (text, ids)
        for text, ids in given
        if holds(text, answer) and any(holds(texts.get(sid, ""), answer) for sid in ids)
    ]
    share = partial(content_overlap, condition, terms=session.searcher)
    asked = [claim for claim in carrying if share(claim[0]) >= STATES_CONDITION]
    if asked:
        return [*asked, *(claim for claim in given if claim not in asked)], False
    holding = [sid for sid, text in texts.items() if holds(text, answer)]
    if not holding:
        return given, False
    best = max(holding, key=lambda sid: share(texts[sid]))
    text = f"{condition}: {answer}"
    named = _naming(session, text, best, texts) if state.origin == "fallback" else ()
    made = (text, (best, *named))
    return [made, *_earlier_hops(session, state), *carrying], True


def _naming(session: Session, claim: str, best: str, texts: Mapping[str, str]) -> tuple[str, ...]:
    """Shown segments that name what the claim names and its best segment does not: where the
    question was not read into hops, the first hop's passage is cited beside the last one's.
    """
    item = session.ledger.get(best)
    missing = missing_facts(
        claim,
        [item.in_context if item else ""],
        same_script=True,
        content_tokens=session.searcher.content_tokens,
    )
    share = partial(content_overlap, claim, terms=session.searcher)
    found: set[str] = set()
    for name in missing:
        naming = [sid for sid, text in texts.items() if norm(name) in norm(text)]
        if naming and not found & set(naming):
            found.add(max(naming, key=lambda sid: share(texts[sid])))
    return tuple(sid for sid in texts if sid in found)[:NAMING]


def _earlier_hops(session: Session, state: State) -> list[Claim]:
    hops: list[Claim] = []
    for variable in state.state:
        if variable.id == state.answer_variable or variable.candidate is None:
            continue
        segment = telling_segment(session, state, variable)
        clues = [fill_placeholders(clue, state) for clue in variable.question_clues]
        if segment is not None:
            hops.append((f"{'; '.join(clues)}: {variable.candidate}", (segment.segment_id,)))
    return hops


def answer_condition(question: str, state: State) -> str:
    """What is asked as a phrase: the answer's clues, candidates filled in, else the question."""
    clues = [fill_placeholders(clue, state) for clue in state.answer.question_clues]
    is_complete = clues and not any(PLACEHOLDER.search(clue) for clue in clues)
    return "; ".join(clues) if is_complete and len(state.state) > 1 else question


def asked_part(question: str, state: State) -> str:
    """The condition as a question: all of it, or what is open of it."""
    condition = answer_condition(question, state)
    return condition if condition == question else f"{condition}?"


def repeats_candidate(answer: str, state: State) -> str:
    """The candidate of another unknown that the answer only repeats; "" if it does not."""
    for variable in state.state:
        if variable.id == state.answer_variable or variable.candidate is None:
            continue
        if norm(answer) in norm(variable.candidate) or norm(variable.candidate) in norm(answer):
            return variable.candidate
    return ""


def holds(text: str, answer: str) -> bool:
    """Whether the text has the answer word for word, or all of its numbers."""
    if norm(answer) and norm(answer) in norm(text):
        return True
    numbers = _DIGITS.findall(answer)
    return bool(numbers) and set(numbers) <= set(_DIGITS.findall(text))


def nearest_segments(session: Session, condition: str, shown: Iterable[str]) -> list[Evidence]:
    """The shown segments whose words cover most of the condition together, by idf, in text order:
    the best one, then the one that adds most, as long as it adds a fair part.
    """
    searcher = session.searcher
    items = [item for sid in shown if (item := session.ledger.get(sid)) is not None]
    tokens = {item.segment_id: set(searcher.content_tokens(item.reading)) for item in items}
    left = {token: searcher.idf(token) for token in searcher.content_tokens(condition)}
    needed = NEAREST_ADDS * sum(left.values())
    found: list[Evidence] = []
    while items and left and len(found) < NEAREST:
        gain, best = max(
            ((_weight(left, tokens[item.segment_id]), item) for item in items), key=lambda g: g[0]
        )
        if gain <= (needed if found else 0.0):
            break
        found.append(best)
        left = {t: weight for t, weight in left.items() if t not in tokens[best.segment_id]}
    return sorted(found, key=lambda item: int(item.segment_id[1:]))


def _weight(weights: Mapping[str, float], tokens: Set[str]) -> float:
    return sum(weight for token, weight in weights.items() if token in tokens)


def is_read(session: Session, answer: str, shown: Iterable[str]) -> bool:
    """Whether the answer can have been read: a shown passage has most of its words, or it is one
    that may be derived, or in another script than all passages.

    A small model that finds nothing answers with words of its instructions.
    """
    if is_derived(answer):
        return True
    words = session.searcher.content_tokens
    wanted = set(words(answer))
    texts = [item.reading for sid in shown if (item := session.ledger.get(sid)) is not None]
    if not any(is_same_script(answer, text) for text in texts):
        return True
    return any(
        holds(text, answer) or len(wanted & set(words(text))) >= READ * max(1, len(wanted))
        for text in texts
    )
