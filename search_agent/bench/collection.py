"""Questions of a test collection in the common layout: corpus.jsonl.gz, queries.jsonl, qrels/*.tsv.

Gold spans come from ``supporting_facts`` (title, sentence index) and the corpus' own sentence split
where a collection has them, from the sentences that hold the answers where their places are given,
as in SQuAD; else every judged document as a whole is gold.
"""

import csv
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from corpora.errors import CorpusNotFound, MalformedRecord
from corpora.store import DocumentStore
from index.script import script_of_character
from search_agent.bench.cited_spans import Span
from search_agent.bench.collection_records import (
    CORPUS_FILE,
    QUERIES_FILE,
    PassageRecord,
    PlacedAnswer,
    QueryRecord,
    read_records,
)
from search_agent.bench.question import BenchQuestion


def collection_questions(
    folder: Path, store: DocumentStore, *, n: int, languages: Sequence[str] = ()
) -> list[BenchQuestion]:
    """The first ``n`` questions in file order (0: all), with gold resolved in the store.

    A question's language is that of its metadata, else the one of ``languages`` if it is but one,
    else Chinese or English by its script.

    Raises:
        CorpusNotFound: a file of the layout is absent.
        MalformedRecord: a line has not the documented shape, or no answers.
    """
    queries = list(read_records(folder / QUERIES_FILE, QueryRecord))[: n or None]
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
        for passage in read_records(folder / CORPUS_FILE, PassageRecord)
        if passage.doc_id in needed
    }
    return [
        _resolve(
            query,
            gold_documents.get(query.query_id, frozenset()),
            passages,
            store,
            language=query.metadata.language or _language(query.text, languages),
        )
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
    query: QueryRecord,
    gold_doc_ids: frozenset[str],
    passages: Mapping[str, PassageRecord],
    store: DocumentStore,
    *,
    language: str,
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
    placed = [answer for answer in query.metadata.answers if isinstance(answer, PlacedAnswer)]
    if not facts and placed:
        gold, unresolved = _answer_sentences(query.metadata.doc, placed, texts, store)
    elif not facts:
        gold = [Span(doc_id, 0, len(text)) for doc_id, text in texts.items()]
        unresolved = len(gold_doc_ids) - len(texts)
    return BenchQuestion(
        query_id=query.query_id,
        text=query.text,
        answers=query.metadata.accepted(),
        gold=tuple(gold),
        gold_unit="sentence" if facts or placed else "document",
        gold_doc_ids=gold_doc_ids,
        unresolved_gold=unresolved,
        kind=query.metadata.kind_name(),
        language=language,
    )


def _language(text: str, languages: Sequence[str]) -> str:
    if len(languages) == 1:
        return languages[0]
    # any, not most: Chinese questions may be full of Latin names
    return "zh" if any(script_of_character(letter) == "CJK" for letter in text) else "en"


def _answer_sentences(
    named: str | None,
    answers: Sequence[PlacedAnswer],
    texts: Mapping[str, str],
    store: DocumentStore,
) -> tuple[list[Span], int]:
    """The sentences that hold the answers, and how many answers are not where they should be."""
    doc_id = named or (next(iter(texts)) if len(texts) == 1 else "")
    spans: list[Span] = []
    unresolved = 0
    for answer in answers:
        end = answer.start + len(answer.text)
        if texts.get(doc_id, "")[answer.start : end] != answer.text:
            unresolved += 1
            continue
        held = store.segments(doc_id, answer.start, end)
        spans += [Span(doc_id, segment.start, segment.end) for segment in held]
    return list(dict.fromkeys(spans)), unresolved


def _supporting_span(
    title: str, index: int, passages: Mapping[str, PassageRecord], texts: Mapping[str, str]
) -> Span | None:
    for doc_id, text in texts.items():
        passage = passages.get(doc_id)
        if passage is None or passage.title != title or index >= len(passage.metadata.sentences):
            continue
        span = locate_sentences(text, passage.metadata.sentences)[index]
        if span is not None:
            return Span(doc_id, *span)
    return None
