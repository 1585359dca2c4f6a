"""Which answer, or which guess, is the best: by the state that came out, not the one before it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from search_agent.state_space.records import Result, State, norm


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerGroup:
    """Accepted answers that say the same; the count is reported and does not change the order."""

    text: str
    best: Result
    results: tuple[Result, ...]

    @property
    def count(self) -> int:
        """How many actions gave this answer."""
        return len(self.results)

    @property
    def strength(self) -> float:
        """Strength of the best one's answer variable; 0 where there is none."""
        return answer_strength(self.best.answer_state)


def answer_strength(state: State | None) -> float:
    """Strength of the state's answer variable; 0 where there is none."""
    return (state.answer.candidate_strength or 0.0) if state else 0.0


def rank_answers(results: Iterable[Result]) -> list[AnswerGroup]:
    """Accepted answers, norm-equal ones together, the strongest group first.

    ``results`` come in creation order of their actions, which breaks ties; those that are no
    answer are passed over.
    """
    groups: dict[str, list[Result]] = {}
    answered = [result for result in results if result.outcome == "answer" and result.found_answer]
    for result in sorted(answered, key=lambda result: -answer_strength(result.answer_state)):
        groups.setdefault(norm(result.found_answer or ""), []).append(result)
    return [
        AnswerGroup(text=group[0].found_answer or "", best=group[0], results=tuple(group))
        for group in groups.values()
    ]


def best_guess(states: Sequence[State], min_strength: float) -> State | None:
    """The state whose answer variable has the strongest candidate, at least ``min_strength``.

    ``states`` are all that were created and not pruned, root included, in creation order, which
    breaks ties.
    """
    guesses = [state for state in states if state.answer.candidate is not None]
    best = max(guesses, key=answer_strength, default=None)  # max keeps the first of equals
    return best if best is not None and answer_strength(best) >= min_strength else None
