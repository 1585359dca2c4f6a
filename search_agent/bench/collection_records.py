"""Records of a test collection's files: what is used of a query and of a passage, no more."""

import gzip
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from corpora.errors import CorpusNotFound, MalformedRecord
from corpora.first_fault import first_fault

QUERIES_FILE = "queries.jsonl"
CORPUS_FILE = "corpus.jsonl.gz"


class PlacedAnswer(BaseModel):
    """An answer cut out of a document, as in SQuAD; ``start`` counts code points."""

    model_config = ConfigDict(extra="ignore")

    text: str = Field(min_length=1)
    start: int = Field(ge=0)


class QueryFacts(BaseModel):
    """What is known about a query: its answers, where they are stated, what sort it is."""

    model_config = ConfigDict(extra="ignore")  # collections add what they like

    answers: tuple[str | PlacedAnswer, ...] = ()
    doc: str | None = None
    """The document that placed answers stand in."""
    supporting_facts: tuple[tuple[str, int], ...] = ()
    kind: str | None = None
    type: object = None
    level: object = None
    hops: object = None
    language: str | None = None

    def accepted(self) -> tuple[str, ...]:
        """The accepted forms, each once."""
        forms = (answer if isinstance(answer, str) else answer.text for answer in self.answers)
        return tuple(dict.fromkeys(forms))

    def kind_name(self) -> str:
        """``kind``, or what the collection says instead: ``bridge/hard``, ``2hop``; else fact."""
        said = (self.type, self.level, self.hops)
        parts = [str(part) for part in said if isinstance(part, str | int)]
        return self.kind or "/".join(parts) or "fact"


class QueryRecord(BaseModel):
    """One line of ``queries.jsonl``."""

    model_config = ConfigDict(extra="ignore")

    query_id: str = Field(alias="_id")
    text: str
    metadata: QueryFacts = QueryFacts()


class PassageSentences(BaseModel):
    """The collection's own split of a passage into sentences."""

    model_config = ConfigDict(extra="ignore")

    sentences: tuple[str, ...] = ()


class PassageRecord(BaseModel):
    """One line of ``corpus.jsonl.gz``."""

    model_config = ConfigDict(extra="ignore")

    doc_id: str = Field(alias="_id")
    title: str = ""
    metadata: PassageSentences = PassageSentences()


_Record = TypeVar("_Record", bound=BaseModel)


def read_records(
    path: Path, kind: type[_Record], *, needed: Sequence[str] = (QUERIES_FILE, CORPUS_FILE)
) -> Iterator[_Record]:
    """The records of a JSONL file, gzipped if its name says so; blank lines are skipped.

    ``needed`` are the files that such a folder has, told where this one is missing.

    Raises:
        CorpusNotFound: there is no such file.
        MalformedRecord: a line has not the documented shape; its number is named.
    """
    if not path.is_file():
        message = (
            f"{path.name!r} is missing in {path.parent.name!r}; needed are {' and '.join(needed)}"
        )
        raise CorpusNotFound(message)
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            try:
                yield kind.model_validate_json(line)
            except ValidationError as error:
                message = f"{path.name} line {number}: {first_fault(error)}"
                raise MalformedRecord(message) from error
