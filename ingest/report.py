"""What an ingest tells: the report that ``--json`` prints and the progress it gives on the way."""

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from corpora.document import DocumentState

Change = Literal["added", "changed", "renamed", "unchanged", "removed"]


class Problem(BaseModel):
    """One file that is not wholly in the store, and why."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: str
    """Relative to the corpus folder."""
    state: DocumentState
    reason: str


class NearDuplicate(BaseModel):
    """A document that says almost the same as another; both stay searchable."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: str
    survivor: str
    """Path of the document of its group that would be kept."""
    similarity: float
    """Share of word triples they have in common, estimated."""
    reason: str
    """Why the survivor and not this one."""


class IngestReport(BaseModel):
    """The outcome of one ingest; every state and every change has a count, also 0."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, populate_by_name=True, serialize_by_alias=True
    )

    schema_: int = Field(default=1, alias="schema")
    documents: dict[DocumentState, int]
    """Files by what became of them."""
    changes: dict[Change, int]
    """Files by what happened since the ingest before."""
    segments: int
    chunks: int
    problems: list[Problem]
    duplicates: list[NearDuplicate] = Field(default_factory=list)
    """Near-duplicates, by survivor; equal bytes are files of state ``duplicate``."""
    seconds: float
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestProgress:
    """How far an ingest has come; given after each file."""

    files_done: int
    files_total: int
    path: str
    """The file just finished."""
    pages: int
    """Pages read so far; a file without pages counts as one."""
    chunks: int
    """Chunks written so far."""
    seconds: float
    reading_s: float = 0.0
    """Of these, since the first file was read."""
    bytes_done: int = 0
    """Of files that had to be read."""
    bytes_total: int = 0

    @property
    def chunks_per_s(self) -> float:
        """Chunks written in a second of reading; 0 before the first."""
        return self.chunks / self.reading_s if self.reading_s > 0 else 0.0

    @property
    def pages_per_s(self) -> float:
        """Pages read in a second; 0 before the first."""
        return self.pages / self.reading_s if self.reading_s > 0 else 0.0

    @property
    def left_s(self) -> float | None:
        """Seconds left if the other bytes take as long as those read; None before the first."""
        if self.bytes_done <= 0:
            return None
        return self.reading_s * (self.bytes_total - self.bytes_done) / self.bytes_done
