"""SciFact as typed records: claims with their evidence sets, abstracts cut into sentences.

Source: Wadden et al., Fact or Fiction: Verifying Scientific Claims, EMNLP 2020.
"""

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from search_agent.bench.collection_records import read_records

CLAIMS_FILE = "claims.jsonl"
ABSTRACTS_FILE = "corpus.jsonl.gz"
NEEDED = (CLAIMS_FILE, ABSTRACTS_FILE)

Split = Literal["train", "dev", "test"]


class EvidenceSet(BaseModel):
    """Sentences of one abstract that together settle a claim."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    doc_id: str
    label: Literal["SUPPORT", "CONTRADICT"]
    sentences: tuple[int, ...] = Field(min_length=1)


class ScifactClaim(BaseModel):
    """A claim; several sets of one document are alternatives."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    claim_id: str = Field(alias="id")
    split: Split
    text: str = Field(alias="claim")
    evidence: tuple[EvidenceSet, ...] = ()


class _Sentences(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    sentences: tuple[str, ...]


class Abstract(BaseModel):
    """One document with the sentences that evidence sets count, from 0."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    doc_id: str = Field(alias="_id")
    title: str = ""
    metadata: _Sentences

    @property
    def sentences(self) -> tuple[str, ...]:
        """The abstract's sentences in order."""
        return self.metadata.sentences


def read_claims(folder: Path) -> dict[str, ScifactClaim]:
    """All claims by id, in file order.

    Raises:
        CorpusNotFound: the folder has no claims file.
        MalformedRecord: a line has not the documented shape.
    """
    return {
        claim.claim_id: claim
        for claim in read_records(folder / CLAIMS_FILE, ScifactClaim, needed=NEEDED)
    }


def read_abstracts(folder: Path) -> dict[str, Abstract]:
    """All abstracts by id, in file order.

    Raises:
        CorpusNotFound: the folder has no corpus file.
        MalformedRecord: a line has not the documented shape.
    """
    return {
        abstract.doc_id: abstract
        for abstract in read_records(folder / ABSTRACTS_FILE, Abstract, needed=NEEDED)
    }
