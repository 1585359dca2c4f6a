"""Which proposed directions become actions: no repeats, then the best few (spec §10.3 R1, R2)."""

import re
from collections.abc import Sequence
from itertools import pairwise

from search_agent.state_space.records import ActionProposal, norm

DIRECTION_CHARS = 400
SAME_DIRECTION = 0.9
"""Token-set Jaccard from which two directions count as one."""
# Scripts written without blanks: kana, Chinese characters, Thai, Lao, Khmer, Myanmar.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
)
_WORDS = re.compile(rf"[{_UNSPACED}]+|[^\W{_UNSPACED}]+")


def tokens(text: str) -> frozenset[str]:
    """The words of a text; of a script written without blanks, its character bigrams."""
    found: set[str] = set()
    for run in _WORDS.findall(norm(text)):
        if re.match(f"[{_UNSPACED}]", run) and len(run) > 1:
            found.update(first + second for first, second in pairwise(run))
        else:
            found.add(run)
    return frozenset(found)


def is_same_direction(one: str, other: str) -> bool:
    """Norm-equal, or |A ∩ B| / |A ∪ B| ≥ 0.9 over their token sets A and B."""
    if norm(one) == norm(other):
        return True
    a, b = tokens(one), tokens(other)
    return bool(a | b) and len(a & b) / len(a | b) >= SAME_DIRECTION


def select_proposals(
    raw: Sequence[ActionProposal], *, limit: int, used: Sequence[str]
) -> tuple[list[ActionProposal], list[str]]:
    """The best proposals, highest score first, ties in order; and why each other was dropped.

    ``used`` holds the directions explored or pending for the same assignment. Of two alike in the
    batch the one with the higher score stays.
    """
    kept: list[ActionProposal] = []
    dropped: list[str] = []
    for proposal in sorted(raw, key=lambda proposal: -proposal.score):
        direction = " ".join(proposal.direction.split())
        if not norm(direction):
            dropped.append(f"{direction!r}: blank")
        elif len(direction) > DIRECTION_CHARS:
            dropped.append(f"{direction!r}: longer than {DIRECTION_CHARS} characters")
        elif any(is_same_direction(direction, other) for other in used):
            dropped.append(f"{direction!r}: already used")
        elif any(is_same_direction(direction, other.direction) for other in kept):
            dropped.append(f"{direction!r}: repeated")
        elif len(kept) == limit:
            dropped.append(f"{direction!r}: beyond the limit of {limit}")
        else:
            kept.append(ActionProposal(direction=direction, score=proposal.score))
    return kept, dropped
