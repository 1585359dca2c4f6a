"""Anchor: the claim that carries an answer rests on a segment that really holds the answer.

A small model finds the answer and then claims something beside it, or cites the passage above.
Where no claim of its own does, code states the answer's condition with the answer and cites the
shown segment that holds it and tells most of the condition. The support check judges that claim
like any other.
"""

import re
from collections.abc import Iterable, Sequence

from search_agent.session import Session
from search_agent.state_space.records import State, norm
from search_agent.state_space.render import PLACEHOLDER, fill_placeholders

Claims = Sequence[tuple[str, tuple[str, ...]]]
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")


def anchored_claims(
    session: Session, state: State, answer: str, claims: Claims, *, shown: Iterable[str]
) -> tuple[list[tuple[str, tuple[str, ...]]], bool]:
    """The claims, led by one that carries the answer; and whether code had to make it."""
    kept = [(text, tuple(dict.fromkeys(ids))) for text, ids in claims]
    texts = {sid: item.text for sid in shown if (item := session.ledger.get(sid)) is not None}
    if any(
        holds(text, answer) and any(holds(texts.get(sid, ""), answer) for sid in ids)
        for text, ids in kept
    ):
        return kept, False
    condition = answer_condition(session.question, state)
    wanted = set(session.searcher.content_tokens(condition))

    def telling(sid: str) -> float:
        found = wanted & set(session.searcher.content_tokens(texts[sid]))
        return sum(session.searcher.idf(token) for token in sorted(found))

    holding = [sid for sid, text in texts.items() if holds(text, answer)]
    if not holding:
        return kept, False
    best = max(holding, key=telling)
    return [(f"{condition}: {answer}", (best,)), *kept], True


def answer_condition(question: str, state: State) -> str:
    """What is asked as a phrase: the answer's clues, candidates filled in, else the question."""
    clues = [fill_placeholders(clue, state) for clue in state.answer.question_clues]
    is_complete = clues and not any(PLACEHOLDER.search(clue) for clue in clues)
    return "; ".join(clues) if is_complete and len(state.state) > 1 else question


def holds(text: str, answer: str) -> bool:
    """Whether the text has the answer word for word, or all of its numbers."""
    if norm(answer) and norm(answer) in norm(text):
        return True
    numbers = _DIGITS.findall(answer)
    return bool(numbers) and set(numbers) <= set(_DIGITS.findall(text))
