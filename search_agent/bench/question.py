"""BenchQuestion: a question, its accepted answers, and where in the store they are stated."""

from dataclasses import dataclass
from typing import Literal

from search_agent.bench.cited_spans import Span

GoldUnit = Literal["sentence", "document"]
SplitName = Literal["all", "dev", "test"]
"""Which topics of a file are asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchQuestion:
    """One question of a benchmark, resolved against the ingested documents."""

    query_id: str
    text: str
    answers: tuple[str, ...]
    """Accepted forms; empty for a question that the corpus cannot answer."""
    gold: tuple[Span, ...] = ()
    gold_unit: GoldUnit = "sentence"
    """What a gold span covers: a sentence, or the whole document where no more is known."""
    gold_doc_ids: frozenset[str] = frozenset()
    unresolved_gold: int = 0
    """Gold spans that the store does not hold; they count in no measure."""
    kind: str = "fact"
    """What sort of question it is, in the data set's own words."""
    language: str = "en"
    """Of question and answers, ISO 639-1; says which words of an answer are articles."""

    @property
    def answerable(self) -> bool:
        """Whether the corpus holds an answer."""
        return bool(self.answers)
