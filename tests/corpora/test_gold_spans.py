"""Gold quotes of the shipped corpora, resolved after a real ingest."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from corpora.card import SHIPPED, find_corpus
from corpora.encoder_card import EncoderCard
from corpora.store import DocumentStore
from corpora.topics import load_topics, resolve_gold
from ingest import IngestReport, ingest_corpus

HASH_ENCODER = EncoderCard(
    kind="hash",
    name="hash",
    folder=Path(),
    sha256="0" * 64,
    dimension=64,
    max_tokens=256,
)
N_DOCUMENTS = {"demo": 16, "toy": 20}


class Ingested:
    """One shipped corpus with its store."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.report: IngestReport = ingest_corpus(find_corpus(name), folder, encoder=HASH_ENCODER)
        self.store = DocumentStore(folder)
        self.topics = load_topics(SHIPPED / name / "topics.jsonl")

    def text_at(self, doc_id: str, start: int, end: int) -> str:
        document = self.store.document(doc_id)
        assert document is not None
        return document.text[start:end]


@pytest.fixture(scope="module", params=sorted(N_DOCUMENTS))
def ingested(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Ingested]:
    corpus = Ingested(request.param, tmp_path_factory.mktemp(request.param))
    yield corpus
    corpus.store.close()


def test_every_file_is_read_without_a_problem(ingested: Ingested):
    assert ingested.report.problems == []
    assert ingested.report.documents["ok"] == N_DOCUMENTS[ingested.name]
    assert ingested.store.counts()["documents"] == N_DOCUMENTS[ingested.name]


def test_every_gold_quote_is_found_in_its_document(ingested: Ingested):
    for topic in ingested.topics:
        spans = resolve_gold(topic, ingested.store)
        found = ["".join(ingested.text_at(*span).split()) for span in spans]
        assert found == ["".join(gold.quote.split()) for gold in topic.gold]


def test_every_gold_span_is_one_segment_or_part_of_one(ingested: Ingested):
    for topic in ingested.topics:
        for doc_id, start, end in resolve_gold(topic, ingested.store):
            segments = ingested.store.segments(doc_id, start, end)
            assert len(segments) == 1, f"{topic.query_id}: {ingested.text_at(doc_id, start, end)!r}"


def test_every_answer_stands_in_a_segment_that_holds_gold(ingested: Ingested):
    for topic in filter(lambda topic: topic.answerable, ingested.topics):
        spans = resolve_gold(topic, ingested.store)
        evidence = "\n".join(
            ingested.text_at(doc_id, segment.start, segment.end)
            for doc_id, start, end in spans
            for segment in ingested.store.segments(doc_id, start, end)
        )
        flat = " ".join(evidence.split())
        assert any(answer in flat for answer in topic.answers), topic.query_id


def test_the_page_topic_is_cited_on_page_three(ingested: Ingested):
    for topic in ingested.topics:
        if topic.kind == "page":
            ((doc_id, start, end),) = resolve_gold(topic, ingested.store)
            assert [segment.page for segment in ingested.store.segments(doc_id, start, end)] == [3]
