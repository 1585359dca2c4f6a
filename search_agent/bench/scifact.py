"""SciFact as typed records: claims with their evidence sets, abstracts cut into sentences.

Source: Wadden et al., Fact or Fiction: Verifying Scientific Claims, EMNLP 2020.
"""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from corpora.errors import CorpusNotFound, MalformedRecord

CLAIMS_FILE = "claims.jsonl"
ABSTRACTS_FILE = "corpus.jsonl.gz"

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


_Record = TypeVar("_Record", bound=BaseModel)


def read_claims(folder: Path) -> dict[str, ScifactClaim]:
    """All claims by id, in file order.

    Raises:
        CorpusNotFound: the folder has no claims file.
        MalformedRecord: a line has not the documented shape.
    """
    return {claim.claim_id: claim for claim in _records(folder / CLAIMS_FILE, ScifactClaim)}


def read_abstracts(folder: Path) -> dict[str, Abstract]:
    """All abstracts by id, in file order.

    Raises:
        CorpusNotFound: the folder has no corpus file.
        MalformedRecord: a line has not the documented shape.
    """
    return {abstract.doc_id: abstract for abstract in _records(folder / ABSTRACTS_FILE, Abstract)}


def _records(path: Path, kind: type[_Record]) -> Iterator[_Record]:
    if not path.is_file():
        message = (
            f"{path.name!r} is missing in {str(path.parent)!r};"
            f" a SciFact folder holds {CLAIMS_FILE} and {ABSTRACTS_FILE}"
        )
        raise CorpusNotFound(message)
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            try:
                yield kind.model_validate_json(line)
            except ValidationError as error:
                fault = error.errors()[0]
                key = ".".join(str(part) for part in fault["loc"]) or "line"
                message = f"{path.name} line {number}: {key}: {fault['msg']}"
                raise MalformedRecord(message) from error
