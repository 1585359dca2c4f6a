"""Ways to ask a model whether sentences support a claim, and how their answers become one score.

A question is one prompt whose label probabilities are read; a variant is a weighted sum of
questions, so that variants share what they ask alike.

Why not files in ``prompts/``: those are hashed into every recorded search, and a trial must not
make finished searches stale. What wins moves there.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from prompts.catalogue import Support
from search_agent.bench.support_pairs import ResolvedPair
from search_agent.errors import ConfigError
from search_agent.model.protocol import Message

Layout = Literal[
    "as-product",
    "evidence-first",
    "claim-first",
    "claim-first-blank",
    "titled",
    "after-context",
    "examples",
]

YES_NO = ("yes", "no")
_CLIP = 1e-9
"""Keeps the log-odds of a label that the model is sure of finite."""

_EXAMPLES = """You check whether passages support a statement.

Passages:
- The bridge was closed in May after cracks had been found in two of its cables.

Statement: Damaged cables led to the closing of the bridge.
Answer: yes

Passages:
- Watering at night lowered the number of diseased leaves.

Statement: Night watering raises the number of diseased leaves.
Answer: no

Passages:
- We counted seedlings at four temperatures over two springs.

Statement: Seedlings grow fastest in warm soil.
Answer: no

Passages:
- Drivers who had slept for six hours or less braked later than the others.

Statement: Lack of sleep slows the reactions of drivers.
Answer: yes"""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeQuestion:
    """One prompt: what it shows in which order, what it asks last, and the labels it may hear."""

    layout: Layout = "evidence-first"
    ending: str | None
    """The last paragraph; None: the product's own."""
    labels: tuple[str, ...] = YES_NO
    supporting: str = "yes"
    opposing: str = "no"

    def messages(self, pair: ResolvedPair) -> tuple[Message, ...]:
        """The conversation; what neighbouring pairs or questions share comes first."""
        ending = _product_prompt("", ())[1] if self.ending is None else self.ending
        user = Message(role="user", content=f"{_shown(pair, self.layout)}\n\n{ending}")
        if self.layout == "examples":
            return (Message(role="system", content=_EXAMPLES), user)
        return (user,)

    def probability(self, labels: Mapping[str, float]) -> float:
        """(1 + P(supporting) − P(opposing)) / 2: with two labels P(supporting), in (0, 1)."""
        p = (1 + labels[self.supporting] - labels[self.opposing]) / 2
        return min(max(p, _CLIP), 1 - _CLIP)


QUESTIONS: dict[str, JudgeQuestion] = {
    "product": JudgeQuestion(layout="as-product", ending=None),
    "support": JudgeQuestion(ending="Do the passages support the statement? Answer yes or no."),
    "support-no-yes": JudgeQuestion(
        ending="Do the passages support the statement? Answer no or yes."
    ),
    "contradict": JudgeQuestion(
        ending="Do the passages contradict the statement? Answer yes or no."
    ),
    "about": JudgeQuestion(
        ending="Do the passages tell whether the statement holds? Answer yes or no."
    ),
    "true-false": JudgeQuestion(
        ending="Going by the passages, is the statement true or false? Answer true or false.",
        labels=("true", "false"),
        supporting="true",
        opposing="false",
    ),
    "nli-words": JudgeQuestion(
        ending="Do the passages support the statement, contradict it, or say nothing about it?"
        " Answer supports, contradicts or nothing.",
        labels=("supports", "contradicts", "nothing"),
        supporting="supports",
        opposing="contradicts",
    ),
    "nli-letters": JudgeQuestion(
        ending="The passages\nA. support the statement\nB. contradict it\nC. say nothing about it\n"
        "Answer A, B or C.",
        labels=("A", "B", "C"),
        supporting="A",
        opposing="B",
    ),
    "nli-letters-turned": JudgeQuestion(
        ending="The passages\nA. say nothing about the statement\nB. contradict it\nC. support it\n"
        "Answer A, B or C.",
        labels=("A", "B", "C"),
        supporting="C",
        opposing="B",
    ),
    "letters": JudgeQuestion(
        ending="A. The passages support the statement.\nB. They do not.\nAnswer A or B.",
        labels=("A", "B"),
        supporting="A",
        opposing="B",
    ),
    "letters-turned": JudgeQuestion(
        ending="A. The passages do not support the statement.\nB. They do.\nAnswer A or B.",
        labels=("A", "B"),
        supporting="B",
        opposing="A",
    ),
    "claim-first": JudgeQuestion(
        layout="claim-first", ending="Do the passages support the statement? Answer yes or no."
    ),
    "claim-first-blank": JudgeQuestion(
        layout="claim-first-blank",
        ending="Do the passages support the statement? Answer yes or no.",
    ),
    "titled": JudgeQuestion(
        layout="titled", ending="Do the passages support the statement? Answer yes or no."
    ),
    "after-context": JudgeQuestion(
        layout="after-context", ending="Do the passages support the statement? Answer yes or no."
    ),
    "examples": JudgeQuestion(
        layout="examples",
        ending="Do the passages support the statement? Answer yes or no.\nAnswer:",
    ),
}

VARIANTS: dict[str, dict[str, float]] = {
    **{name: {name: 1.0} for name in QUESTIONS if name != "claim-first-blank"},
    "yes-no-both-orders": {"support": 0.5, "support-no-yes": 0.5},
    "letters-both-orders": {"letters": 0.5, "letters-turned": 0.5},
    "nli-letters-both-orders": {"nli-letters": 0.5, "nli-letters-turned": 0.5},
    "calibrated": {"claim-first": 1.0, "claim-first-blank": -1.0},
    "support-not-contradict": {"support": 1.0, "contradict": -1.0},
    "support-about-not-contradict": {"support": 1.0, "about": 1.0, "contradict": -1.0},
}
"""Weights of the questions' log-odds, by variant."""

ALL = "all"


def wanted_variants(names: list[str]) -> tuple[str, ...]:
    """The variants of these names, in the order of the table; ``all`` for every one.

    Raises:
        ConfigError: a name is unknown.
    """
    if unknown := sorted(set(names) - {*VARIANTS, ALL}):
        message = f"no variant {unknown[0]!r}; known are {', '.join([*VARIANTS, ALL])}"
        raise ConfigError(message)
    return tuple(name for name in VARIANTS if name in names or ALL in names)


def questions_of(variants: tuple[str, ...]) -> tuple[str, ...]:
    """What must be asked for these variants, each question once, in the order of the table."""
    return tuple(name for name in QUESTIONS if any(name in VARIANTS[v] for v in variants))


def variant_probability(variant: str, heard: Mapping[str, Mapping[str, float]]) -> float:
    """The variant's probability of support, from each question's label probabilities.

    p = 1 / (1 + exp(−Σ w · ln(q / (1 − q)))) with q the probability of a question, w its weight.
    """
    odds = sum(
        weight * log_odds(QUESTIONS[name].probability(heard[name]))
        for name, weight in VARIANTS[variant].items()
    )
    return 1 / (1 + math.exp(-odds))


def log_odds(p: float) -> float:
    """ln(p / (1 − p)), for p within the clip."""
    p = min(max(p, _CLIP), 1 - _CLIP)
    return math.log(p / (1 - p))


def _shown(pair: ResolvedPair, layout: Layout) -> str:
    """Claim and passages as the product shows them, or moved about."""
    claim = f"Statement: {pair.claim}"
    passages = "Passages:\n" + "\n".join(f"- {quote}" for quote in pair.quotes)
    match layout:
        case "as-product":
            return _product_prompt(pair.claim, pair.in_context)[0]
        case "evidence-first" | "examples":
            return _product_prompt(pair.claim, pair.quotes)[0]
        case "claim-first":
            return f"{claim}\n\n{passages}"
        case "claim-first-blank":
            return f"{claim}\n\nPassages:\n- N/A"
        case "titled":
            return f"Title: {pair.title}\n{passages}\n\n{claim}"
        case "after-context":
            context = pair.before or pair.title
            return f"Context: {context}\n{passages}\n\n{claim}"


def _product_prompt(claim: str, quotes: tuple[str, ...]) -> tuple[str, str]:
    """The product's prompt, its last paragraph apart."""
    shown, _, ending = Support(claim=claim, quotes=quotes).render().rpartition("\n\n")
    return shown, ending
