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
