"""Direction: whether a text speaks of more or of less.

Contradictions often keep every noun and turn the direction (raises, lowers), which shared words
cannot see. A trial of the bench, English only; not part of the product's guard.
"""

from collections.abc import Sequence
from functools import cache

from index.stemming import stem
from search_agent.evidence.guard import is_negated

_MORE = (
    "accelerate activate better boost elevate enhance enlarge exceed expand facilitate gain great"
    " greater grow high higher improve increase induce long longer large larger more positive"
    " promote raise rise stimulate strengthen strong stronger superior upregulate"
)
_LESS = (
    "absent attenuate block decline decrease delay deplete diminish downregulate drop fall fewer"
    " hinder impair inferior inhibit lack less limit little lose loss low lower negative poor"
    " poorer prevent reduce reduction repress shorten shorter shrink slow small smaller suppress"
    " weak weaken weaker worse"
)


def direction(text: str, tokens: Sequence[str]) -> int:
    """1 for more, -1 for less, 0 for neither or both alike; a negation turns it round.

    ``tokens`` are the text's stems.
    """
    more, less = _stems(_MORE), _stems(_LESS)
    balance = sum((token in more) - (token in less) for token in tokens)
    sign = (balance > 0) - (balance < 0)
    return -sign if is_negated(text) else sign


@cache
def _stems(words: str) -> frozenset[str]:
    return frozenset(stem(word, "en") for word in words.split())
