"""Questions of a test collection in the common layout: corpus.jsonl.gz, queries.jsonl, qrels/*.tsv.

Gold spans come from ``supporting_facts`` (title, sentence index) and the corpus' own sentence split
where a collection has them, else every judged document as a whole is gold.
"""

import csv
import gzip
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from corpora.errors import CorpusNotFound, MalformedRecord
from corpora.store import DocumentStore
from search_agent.bench.cited_spans import Span
from search_agent.bench.question import BenchQuestion

QUERIES_FILE = "queries.jsonl"
CORPUS_FILE = "corpus.jsonl.gz"


class _QueryFacts(BaseModel):
    model_config = ConfigDict(extra="ignore")  # collections add what they like

    answers: tuple[str, ...] = ()
    supporting_facts: tuple[tuple[str, int], ...] = ()


class _Query(BaseModel):
    model_config = ConfigDict(extra="ignore")

    query_id: str = Field(alias="_id")
    text: str
    metadata: _QueryFacts = _QueryFacts()


class _Sentences(BaseModel):
    model_config = ConfigDict(extra="ignore")

    sentences: tuple[str, ...] = ()


class _Passage(BaseModel):
    model_config = ConfigDict(extra="ignore")

    doc_id: str = Field(alias="_id")
    title: str = ""
    metadata: _Sentences = _Sentences()


_Record = TypeVar("_Record", bound=BaseModel)


def is_collection(folder: Path) -> bool:
    """Whether the folder has the common layout with answers to score."""
    return (folder / QUERIES_FILE).is_file() and (folder / CORPUS_FILE).is_file()


def collection_questions(folder: Path, store: DocumentStore, *, n: int) -> list[BenchQuestion]:
    """The first ``n`` questions in file order (0: all), with gold resolved in the store.

    Raises:
        CorpusNotFound: a file of the layout is absent.
        MalformedRecord: a line has not the documented shape, or no answers.
    """
    queries = list(_records(folder / QUERIES_FILE, _Query))[: n or None]
    for query in queries:
        if not query.metadata.answers:
            message = (
                f"{QUERIES_FILE}: query {query.query_id!r} has no metadata.answers to compare with"
            )
            raise MalformedRecord(message)
    gold_documents = read_positive_qrels(folder / "qrels")
    needed = {doc for query in queries for doc in gold_documents.get(query.query_id, ())}
    passages = {
        passage.doc_id: passage
        for passage in _records(folder / CORPUS_FILE, _Passage)
        if passage.doc_id in needed
    }
    return [
        _resolve(query, gold_documents.get(query.query_id, frozenset()), passages, store)
        for query in queries
    ]


def read_positive_qrels(folder: Path) -> dict[str, frozenset[str]]:
    """Documents judged relevant, by query; all files of the folder together.

    Raises:
        CorpusNotFound: there is no qrels file.
        MalformedRecord: a row is not query-id, corpus-id, score.
    """
    files = sorted(folder.glob("*.tsv"))
    if not files:
        message = f"no qrels/*.tsv under {folder.parent.name!r}; a collection needs judgements"
        raise CorpusNotFound(message)
    positive: dict[str, set[str]] = {}
    for path in files:
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                try:
                    if float(row["score"]) > 0:
                        positive.setdefault(row["query-id"], set()).add(row["corpus-id"])
                except (KeyError, TypeError, ValueError) as error:
                    message = f"{path.name}: row {row!r} is not query-id, corpus-id, score"
                    raise MalformedRecord(message) from error
    return {query_id: frozenset(doc_ids) for query_id, doc_ids in positive.items()}


def locate_sentences(text: str, sentences: Collection[str]) -> list[tuple[int, int] | None]:
    """Span of each sentence in the text, searched in order; None where the text lacks it."""
    spans: list[tuple[int, int] | None] = []
    cursor = 0
    for sentence in sentences:
        wanted = unicodedata.normalize("NFC", sentence).strip()
        start = text.find(wanted, cursor) if wanted else -1
        if start < 0:
            spans.append(None)
            continue
        cursor = start + len(wanted)
        spans.append((start, cursor))
    return spans


def _resolve(
    query: _Query,
    gold_doc_ids: frozenset[str],
    passages: Mapping[str, _Passage],
    store: DocumentStore,
) -> BenchQuestion:
    texts = {
        doc_id: document.text
        for doc_id in sorted(gold_doc_ids)
        if (document := store.document(doc_id))
    }
    facts = query.metadata.supporting_facts
    gold: list[Span] = []
    unresolved = 0
    for title, index in facts:
        found = _supporting_span(title, index, passages, texts)
        if found is None:
            unresolved += 1
        else:
            gold.append(found)
    if not facts:
        gold = [Span(doc_id, 0, len(text)) for doc_id, text in texts.items()]
        unresolved = len(gold_doc_ids) - len(texts)
    return BenchQuestion(
        query_id=query.query_id,
        text=query.text,
        answers=query.metadata.answers,
        gold=tuple(gold),
        gold_unit="sentence" if facts else "document",
        gold_doc_ids=gold_doc_ids,
        unresolved_gold=unresolved,
    )


def _supporting_span(
    title: str, index: int, passages: Mapping[str, _Passage], texts: Mapping[str, str]
) -> Span | None:
    for doc_id, text in texts.items():
        passage = passages.get(doc_id)
        if passage is None or passage.title != title or index >= len(passage.metadata.sentences):
            continue
        span = locate_sentences(text, passage.metadata.sentences)[index]
        if span is not None:
            return Span(doc_id, *span)
    return None


def _records(path: Path, kind: type[_Record]) -> Iterator[_Record]:
    if not path.is_file():
        message = (
            f"{path.name!r} is missing in {path.parent.name!r};"
            f" a collection needs {QUERIES_FILE} and {CORPUS_FILE}"
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
                fault = error.errors()[0]
                key = ".".join(str(part) for part in fault["loc"]) or "line"
                message = f"{path.name} line {number}: {key}: {fault['msg']}"
                raise MalformedRecord(message) from error
