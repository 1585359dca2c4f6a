"""Topic files (JSONL) as records, and their gold quotes as spans of ingested documents.

Why quotes are resolved at load: offsets would die with every improvement of a parser.
"""

import unicodedata
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from corpora.errors import CorpusNotFound, MalformedRecord
from corpora.first_fault import first_fault
from corpora.store import DocumentStore
from corpora.topic import GoldSpan, Split, Topic


class _GoldLine(BaseModel):
    model_config = ConfigDict(extra="forbid")

    uri: str
    quote: str = Field(min_length=1)
    occurrence: int = Field(default=0, ge=0)


class _TopicLine(BaseModel):
    model_config = ConfigDict(extra="forbid")

    query_id: str = Field(min_length=1)
    text: str = Field(min_length=1)
    language: str = "en"
    answers: tuple[str, ...] = ()
    gold: tuple[_GoldLine, ...] = ()
    hops: int = Field(default=1, ge=1)
    kind: str = "fact"
    requires: tuple[str, ...] = ()
    split: Split = ""
    facts: tuple[str, ...] = ()

    def as_topic(self) -> Topic:
        return Topic(
            query_id=self.query_id,
            text=self.text,
            language=self.language,
            answers=self.answers,
            gold=tuple(GoldSpan(line.uri, line.quote, line.occurrence) for line in self.gold),
            hops=self.hops,
            kind=self.kind,
            requires=self.requires,
            split=self.split,
            facts=self.facts,
        )


def load_topics(path: Path) -> list[Topic]:
    """The topics of a JSONL file, in file order; blank lines are skipped.

    Raises:
        CorpusNotFound: there is no such file.
        MalformedRecord: a line is no topic, or repeats a ``query_id``; the line number is named.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except FileNotFoundError as error:
        message = f"no topics at {str(path)!r}; expected a JSONL file with one topic a line"
        raise CorpusNotFound(message) from error
    except UnicodeDecodeError as error:
        message = f"{str(path)!r} is not UTF-8: {error}"
        raise MalformedRecord(message) from error
    topics: dict[str, Topic] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            topic = _TopicLine.model_validate_json(line).as_topic()
        except ValidationError as error:
            allowed = ", ".join(_TopicLine.model_fields)
            message = f"{str(path)!r} line {number}: {first_fault(error)}; keys are {allowed}"
            raise MalformedRecord(message) from error
        if topic.query_id in topics:
            message = f"{str(path)!r} line {number}: query_id {topic.query_id!r} is there already"
            raise MalformedRecord(message)
        topics[topic.query_id] = topic
    return list(topics.values())


def resolve_gold(topic: Topic, store: DocumentStore) -> list[tuple[str, int, int]]:
    """(doc_id, start, end) of each gold span, in the topic's order, among current documents.

    Raises:
        MalformedRecord: no current document lies at the URI, or the quote is not in it.
    """
    spans = []
    for gold in topic.gold:
        document = store.document_at(gold.uri)
        if document is None:
            message = f"topic {topic.query_id!r}: no document at {gold.uri!r} for {gold.quote!r}"
            raise MalformedRecord(message)
        span = find_quote(document.text, gold.quote, occurrence=gold.occurrence)
        if span is None:
            message = (
                f"topic {topic.query_id!r}: {gold.uri!r} does not hold {gold.quote!r}"
                f" (occurrence {gold.occurrence}, counted from 0)"
            )
            raise MalformedRecord(message)
        spans.append((document.doc_id, *span))
    return spans


def find_quote(text: str, quote: str, *, occurrence: int = 0) -> tuple[int, int] | None:
    """Where ``quote`` stands in ``text`` for the ``occurrence``-th time (from 0), else None.

    Exact first, then without regard to white space, because a PDF breaks its lines where it likes.
    """
    wanted = unicodedata.normalize("NFC", quote)
    start = _nth(text, wanted, occurrence)
    if start is not None:
        return start, start + len(wanted)
    offsets = [offset for offset, character in enumerate(text) if not character.isspace()]
    compact = "".join(text[offset] for offset in offsets)
    wanted = "".join(wanted.split())
    start = _nth(compact, wanted, occurrence) if wanted else None
    if start is None:
        return None
    return offsets[start], offsets[start + len(wanted) - 1] + 1


def _nth(text: str, wanted: str, occurrence: int) -> int | None:
    start = -len(wanted)
    for _ in range(occurrence + 1):
        start = text.find(wanted, start + len(wanted))
        if start < 0:
            return None
    return start
