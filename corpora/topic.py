"""Topic, Qrel and gold spans: the questions of a collection and what is true about them."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

Split = Literal["dev", "test", ""]
"""``dev`` topics may be tuned on, ``test`` topics are only measured; empty: the file does not say.
"""


class Qrel(NamedTuple):
    """One relevance judgement, named as in TREC and ir-measures."""

    query_id: str
    doc_id: str
    relevance: int


class GoldSpan(NamedTuple):
    """Evidence as text, not offsets, so that better parsing does not kill it.

    ``occurrence`` counts from 0 among equal quotes of the document.
    """

    uri: str
    quote: str
    occurrence: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A user's need."""

    query_id: str
    text: str
    language: str = "en"
    answers: tuple[str, ...] = ()
    """All accepted forms; empty for a topic the corpus cannot answer."""
    gold: tuple[GoldSpan, ...] = ()
    hops: int = 1
    kind: str = "fact"
    requires: tuple[str, ...] = ()
    """Abilities ingestion needs before the topic is fair: ``ocr``, ``columns``."""
    split: Split = ""
    facts: tuple[str, ...] = ()
    """What a long answer must say, one statement each."""

    @property
    def answerable(self) -> bool:
        """Whether the corpus holds an answer."""
        return bool(self.answers)
