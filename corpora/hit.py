"""Hit: one retrieved chunk, and the filters that decide which chunks may be retrieved at all."""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from corpora.document import Segment

Leg = Literal["sparse", "dense"]
Mode = Literal["hybrid", "dense", "sparse"]


class Mention(NamedTuple):
    """Where a text names another thing."""

    doc_id: str | None
    """None: the text is the query."""
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bridge:
    """Why a hit stands where it does: the mention by which another hit, or the query, led to it."""

    from_chunk_id: str | None
    """None: the query itself names it."""
    mention: Mention
    weight: float
    """What it added to the hit's score, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One retrieved chunk; ``text`` is ``document.text[start:end]``."""

    chunk_id: str
    doc_id: str
    title: str
    uri: str
    page: int | None
    heading_path: tuple[str, ...]
    start: int
    end: int
    text: str
    score: float
    rank: int
    """From 0 in records; shown from 1."""
    legs: dict[Leg, int | None] = field(default_factory=dict)
    """Rank (from 0) in each leg, None where the leg did not find it."""
    leg_scores: dict[Leg, float | None] = field(default_factory=dict)
    """Raw score in each leg."""
    segments: tuple[Segment, ...] = ()
    unit: Literal["chunk", "document"] = "chunk"
    language: str = "und"
    labels: tuple[str, ...] = ()
    duplicates: tuple[str, ...] = ()
    """Chunk ids of near-duplicates that collapsed into this hit."""
    bridge: Bridge | None = None

    def text_of(self, segment: Segment) -> str:
        """``document.text[start:end]`` of one of its segments."""
        return self.text[segment.start - self.start : segment.end - self.start]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Which documents a search may see; empty fields admit all. Applied inside every leg."""

    labels_any: tuple[str, ...] = ()
    labels_none: tuple[str, ...] = ()
    doc_ids: tuple[str, ...] = ()
    uri_glob: str | None = None
    media_type: str | None = None
    language: str | None = None
    date_from: str | None = None
    date_to: str | None = None

    @property
    def admits_all(self) -> bool:
        """True when nothing is filtered."""
        return self == Filters()
