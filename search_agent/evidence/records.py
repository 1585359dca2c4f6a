"""Evidence → Claim → Citation → Answer: what was shown, what is said, and where it stands."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

SupportLabel = Literal["supported", "partial", "unsupported", "contradicted", "unchecked"]
SourceCheck = Literal["match", "changed", "absent"]
CitationFault = Literal["changed", "replaced", "removed", "text_mismatch", "absent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One segment that an action has been shown, under its short id ``S<n>``."""

    segment_id: str
    doc_id: str
    document_id: str
    """The document's short id ``D<n>``."""
    chunk_id: str
    start: int
    end: int
    text: str
    page: int | None
    heading_path: tuple[str, ...]
    uri: str
    title: str
    action_id: str
    call_id: str
    tool: str
    query: str
    rank: int
    reading: str
    """The text as it was shown: a table row with its column names, else the text itself."""
    before: str = ""
    """The sentence before it in its section, which says who "she" is; "" where there is none."""

    @property
    def in_context(self) -> str:
        """Title, headings and the sentence before, then the reading: what a judge must see."""
        return in_context((self.title, *self.heading_path), self.before, self.reading)


def in_context(place: Iterable[str], before: str, reading: str) -> str:
    """``(title > heading) sentence before. reading``; what is empty is left out."""
    named = " > ".join(dict.fromkeys(part for part in place if part))
    return " ".join(part for part in (f"({named})" if named else "", before, reading) if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """Whether quotes state a claim; ``score`` in [0, 1]."""

    score: float
    label: SupportLabel
    p: float | None
    """Judge's probability of yes; None when no judge was asked."""
    overlap: float
    """Share of the claim's content tokens found in the quotes, weighted by idf."""
    guard_passed: bool
    missing: tuple[str, ...] = ()
    """Numbers, negations and names of the claim that the quotes lack."""
    method: Literal["judge+lexical", "judge", "lexical"] = "judge+lexical"


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A span of a document under a claim; the quote was cut by code."""

    claim: int
    segment_ids: tuple[str, ...]
    doc_id: str
    title: str
    uri: str
    source_sha256: str
    text_sha256: str
    start: int
    end: int
    quote: str
    page: int | None
    heading_path: tuple[str, ...]
    exists: bool
    source_check: SourceCheck
    date: str | None = None
    support: float | None = None
    label: SupportLabel = "unchecked"
    origin: Literal["selected", "aligned"] = "selected"
    alignment: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One sentence of the output."""

    text: str
    segment_ids: tuple[str, ...]
    citations: tuple[Citation, ...] = ()
    support: Support | None = None
    uncited: bool = False

    @property
    def label(self) -> SupportLabel:
        """The label of the claim on all its quotes together."""
        return self.support.label if self.support else "unchecked"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnmetClue:
    """A condition of the question that the corpus did not confirm."""

    variable_id: int
    clue: str
    status: Literal["unmet", "contradicted"]
    nearest: tuple[str, ...]
    """Up to three segment ids that come closest."""
    method: Literal["validator", "support", "lexical"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer with its checked claims; rates are None when there is nothing to count."""

    text: str
    claims: tuple[Claim, ...]
    existence_rate: float | None = None
    support_rate: float | None = None
    unmet_clues: tuple[UnmetClue, ...] = ()
    flags: tuple[str, ...] = field(default_factory=tuple)
