"""SupportColumns: every score of a list of pairs, a column per scorer, rows as the pairs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from search_agent.bench.support_answers import Answer
from search_agent.bench.support_features import FEATURES, CorpusTerms, product_support
from search_agent.bench.support_pairs import Kind, ResolvedPair
from search_agent.bench.support_variants import variant_probability
from search_agent.config import Citations
from search_agent.evidence.records import Support
from search_agent.evidence.support import combine

Column = Sequence[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportColumns:
    """All columns have one value per pair."""

    pairs: Sequence[ResolvedPair]
    features: Mapping[str, Column]
    """Model-free scores by name; ``dense`` among them where an encoder was given."""
    lexical: Column
    """The product's score without a judge."""
    judges: Mapping[str, Column]
    """Probability of support by variant."""
    checked: Sequence[Support]
    """The product's check with some judge; ``mixed`` puts the real one in its place."""

    def mixed(self, variant: str, settings: Citations) -> list[float]:
        """The product's score with this judge under these settings."""
        return [
            combine(
                p,
                support.overlap,
                missing=support.missing,
                same_script=support.method == "judge+lexical",
                settings=settings,
            ).score
            for p, support in zip(self.judges[variant], self.checked, strict=True)
        ]

    def labels(self) -> list[bool]:
        """Whether each pair is supported."""
        return [row.pair.is_supported for row in self.pairs]

    def of_kind(self, column: Column, kind: Kind) -> list[float]:
        """The scores of the pairs of one kind."""
        return [s for s, row in zip(column, self.pairs, strict=True) if row.pair.kind == kind]

    def by_claim(self, column: Column) -> dict[str, tuple[list[float], list[float]]]:
        """Supported and other scores by claim."""
        groups: dict[str, tuple[list[float], list[float]]] = {}
        for score, row in zip(column, self.pairs, strict=True):
            supported, others = groups.setdefault(row.pair.claim_id, ([], []))
            (supported if row.pair.is_supported else others).append(score)
        return groups


def score_pairs(
    pairs: Sequence[ResolvedPair],
    terms: CorpusTerms,
    *,
    dense: Column | None,
    answers: Sequence[Mapping[str, Answer]],
    variants: Sequence[str],
    settings: Citations,
) -> SupportColumns:
    """All columns; ``answers`` holds what was heard about each pair by question."""
    features = {name: [score(row, terms) for row in pairs] for name, score in FEATURES.items()}
    if dense is not None:
        features["dense"] = list(dense)
    heard = [{name: answer.labels for name, answer in row.items()} for row in answers]
    return SupportColumns(
        pairs=pairs,
        features=features,
        lexical=[product_support(row, terms, p=None, settings=settings).score for row in pairs],
        judges={
            variant: [variant_probability(variant, row) for row in heard] for variant in variants
        },
        checked=[product_support(row, terms, p=0.5, settings=settings) for row in pairs],
    )
