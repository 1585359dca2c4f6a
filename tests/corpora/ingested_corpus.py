"""A shipped corpus after a real ingest with the test encoder, and the facts of the demo corpus."""

import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

from corpora.build_demo import SOURCES, load_targets
from corpora.card import SHIPPED, find_corpus
from corpora.document import Document
from corpora.encoder_card import EncoderCard
from corpora.store import DocumentStore
from corpora.topic import GoldSpan
from corpora.topics import find_quote, load_topics
from ingest import ingest_corpus
from ingest.ocr import find_engine

HASH_ENCODER = EncoderCard(
    kind="hash",
    name="hash",
    folder=Path(),
    sha256="0" * 64,
    dimension=64,
    max_tokens=256,
)


class IngestedCorpus:
    """One shipped corpus with its store and its topics."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        begun = time.monotonic()
        self.report = ingest_corpus(find_corpus(name), folder, encoder=HASH_ENCODER)
        self.seconds = time.monotonic() - begun
        self.store = DocumentStore(folder)
        self.topics = load_topics(SHIPPED / name / "topics.jsonl")
        self.documents = {doc.uri: doc for doc in self.store.documents()}

    @property
    def reads_scans(self) -> bool:
        """Whether the machine has the program for it."""
        return find_engine() is not None

    def text_at(self, doc_id: str, start: int, end: int) -> str:
        document = self.store.document(doc_id)
        assert document is not None
        return document.text[start:end]

    def document(self, path: str) -> Document:
        return self.documents[f"corpus:///{path}"]

    def evidence(self, gold: GoldSpan) -> str:
        """The segments that hold a gold quote: what a reader of the citation sees."""
        document = self.documents[gold.uri]
        span = find_quote(document.text, gold.quote, occurrence=gold.occurrence)
        assert span is not None, gold
        segments = self.store.segments(document.doc_id, *span)
        return "\n".join(document.text[segment.start : segment.end] for segment in segments)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """An entry of ``facts.toml``; its keys are these and no others."""

    id: str
    subject: str
    attribute: str
    value: str
    forms: list[str]
    as_of: str
    documents: list[str]

    def stands_in(self, compact: str) -> bool:
        """Whether the value or another form of it occurs in a text without its blanks."""
        return any(without_blanks(form) in compact for form in (self.value, *self.forms))


def load_facts() -> list[Fact]:
    content = tomllib.loads((SOURCES / "facts.toml").read_text("utf-8"))
    return [Fact(**entry) for entry in content["fact"]]


def load_topic_facts() -> dict[str, list[str]]:
    """Topic → the ids of the facts that its answer rests on."""
    return tomllib.loads((SOURCES / "topic_facts.toml").read_text("utf-8"))


def source_text(path: str) -> str:
    """A document of the demo corpus as written: a binary file's is its source text."""
    target = load_targets().get(path)
    return (SOURCES / target.source if target else SHIPPED / "demo" / path).read_text("utf-8")


def without_blanks(text: str) -> str:
    return "".join(text.split())
