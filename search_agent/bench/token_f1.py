"""Token F1: how much an answer and the accepted answer overlap, token by token.

Source: SQuAD 1.1 (multiset overlap, best accepted form), with HotpotQA's rule that yes and no
score only when both sides say the same.
"""

from collections import Counter
from collections.abc import Sequence

from search_agent.bench.answer_tokens import answer_tokens

_CLOSED = ({"yes"}, {"no"}, {"noanswer"})


def token_f1(answer: str | None, accepted: Sequence[str], *, language: str = "en") -> float:
    """Best F1 over the accepted forms, in [0, 1]; no answer is 0.0.

    F1 = 2·p·r / (p + r) with p = common / answer tokens, r = common / accepted tokens.
    """
    if answer is None:
        return 0.0
    tokens = answer_tokens(answer, language=language)
    return max(
        (_f1(tokens, answer_tokens(form, language=language)) for form in accepted), default=0.0
    )


def _f1(tokens: list[str], gold: list[str]) -> float:
    if tokens != gold and (set(tokens) in _CLOSED or set(gold) in _CLOSED):
        return 0.0
    common = sum((Counter(tokens) & Counter(gold)).values())
    if common == 0:
        return 0.0
    precision = common / len(tokens)
    recall = common / len(gold)
    return 2 * precision * recall / (precision + recall)
