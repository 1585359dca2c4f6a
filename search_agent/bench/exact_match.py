"""Exact match: whether an answer says one of the accepted answers and nothing else."""

from collections.abc import Sequence

from search_agent.bench.answer_tokens import answer_tokens


def exact_match(answer: str | None, accepted: Sequence[str], *, language: str = "en") -> float:
    """1.0 if the answer's tokens are exactly those of an accepted form, else 0.0; no answer is 0.0.

    >>> exact_match("the Rush", ["Rush"])
    1.0
    """
    if answer is None:
        return 0.0
    tokens = answer_tokens(answer, language=language)
    return float(any(tokens == answer_tokens(form, language=language) for form in accepted))
