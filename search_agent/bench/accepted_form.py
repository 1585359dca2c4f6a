"""Accepted form: whether an answer, however wordy, contains one of the accepted answers."""

from collections.abc import Sequence

from search_agent.bench.answer_tokens import answer_tokens


def contains_accepted_form(
    answer: str | None, accepted: Sequence[str], *, language: str = "en"
) -> float:
    """1.0 if an accepted form occurs in the answer as a run of whole tokens, else 0.0.

    >>> contains_accepted_form("It was Ilse Varga, in 1912.", ["Ilse Varga"])
    1.0
    >>> contains_accepted_form("1912", ["191"])
    0.0
    """
    if answer is None:
        return 0.0
    tokens = answer_tokens(answer, language=language)
    return float(any(_occurs(answer_tokens(form, language=language), tokens) for form in accepted))


def _occurs(form: list[str], tokens: list[str]) -> bool:
    size = len(form)
    return size > 0 and any(tokens[i : i + size] == form for i in range(len(tokens) - size + 1))
