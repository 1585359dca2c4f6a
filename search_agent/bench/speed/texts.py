"""The real texts that ``bench speed`` draws its corpora from: documents, and questions in order."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from corpora.errors import CorpusNotFound
from search_agent.bench.collection_records import (
    CORPUS_FILE,
    QUERIES_FILE,
    QueryRecord,
    read_records,
)
from search_agent.bench.prepare import Dataset


class _TextRecord(BaseModel):
    """One line of ``corpus.jsonl.gz``, as far as it is drawn from."""

    model_config = ConfigDict(extra="ignore")

    title: str = ""
    text: str

    def whole(self) -> str:
        return f"{self.title}\n{self.text}" if self.title else self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class RealTexts:
    """What the collections hold."""

    names: tuple[str, ...]
    """Of the collections."""
    documents: tuple[str, ...]
    """Title and text of each that has a text, in file order."""
    queries: tuple[tuple[str, ...], ...]
    """Of each collection, in file order."""


def read_real_texts(datasets: Sequence[Dataset]) -> RealTexts:
    """The texts of those datasets that are test collections in the common layout.

    Raises:
        CorpusNotFound: none is.
        MalformedRecord: a line has not the documented shape.
    """
    collections = [dataset for dataset in datasets if dataset.is_collection]
    if not collections:
        message = f"no test collection ({CORPUS_FILE} and {QUERIES_FILE}) to draw terms from"
        raise CorpusNotFound(message)
    documents: list[str] = []
    queries: list[tuple[str, ...]] = []
    for dataset in collections:
        root = dataset.card.root
        read = read_records(root / CORPUS_FILE, _TextRecord)
        documents += [record.whole() for record in read if record.text]
        asked = read_records(root / QUERIES_FILE, QueryRecord)
        queries.append(tuple(record.text for record in asked))
    return RealTexts(
        names=tuple(dataset.name for dataset in collections),
        documents=tuple(documents),
        queries=tuple(queries),
    )
