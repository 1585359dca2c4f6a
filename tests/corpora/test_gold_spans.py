"""Gold quotes of the shipped corpora, resolved after a real ingest."""

from collections.abc import Callable
from itertools import chain

import pytest

from corpora.errors import MalformedRecord
from corpora.topic import Topic
from corpora.topics import resolve_gold
from tests.corpora.ingested_corpus import IngestedCorpus, without_blanks

N_DOCUMENTS = {"demo": 59, "toy": 20}
SCANS = {"demo": ["archive/kerrin-letter-1961.pdf"], "toy": []}
DERIVED_KINDS = {"comparison", "count", "date_arithmetic", "cross_lingual"}


@pytest.fixture(params=sorted(N_DOCUMENTS))
def ingested(
    request: pytest.FixtureRequest, ingest_shipped: Callable[[str], IngestedCorpus]
) -> IngestedCorpus:
    return ingest_shipped(request.param)


def readable(corpus: IngestedCorpus) -> list[Topic]:
    """Topics whose documents can be read on this machine; two columns are no hindrance."""
    return [t for t in corpus.topics if corpus.reads_scans or "ocr" not in t.requires]


def unread(corpus: IngestedCorpus) -> list[str]:
    """Paths of scans, where the machine cannot read them."""
    return [] if corpus.reads_scans else SCANS[corpus.name]


def test_every_file_is_read_without_a_problem_but_for_scans_without_ocr(ingested: IngestedCorpus):
    scans = unread(ingested)
    n_read = N_DOCUMENTS[ingested.name] - len(scans)

    assert [(problem.path, problem.state) for problem in ingested.report.problems] == [
        (path, "needs_ocr") for path in scans
    ]
    assert ingested.report.documents["ok"] == n_read
    assert ingested.store.counts()["documents"] == n_read


def test_every_gold_quote_is_found_in_its_document(ingested: IngestedCorpus):
    for topic in readable(ingested):
        spans = resolve_gold(topic, ingested.store)
        found = [without_blanks(ingested.text_at(*span)) for span in spans]
        assert found == [without_blanks(gold.quote) for gold in topic.gold]


def test_a_topic_needs_ocr_just_when_its_gold_lies_in_a_scan(ingested: IngestedCorpus):
    scans = {f"corpus:///{path}" for path in SCANS[ingested.name]}

    for topic in ingested.topics:
        on_scan = [gold for gold in topic.gold if gold.uri in scans]
        assert bool(on_scan) == ("ocr" in topic.requires), topic.query_id
        if on_scan and not ingested.reads_scans:
            with pytest.raises(MalformedRecord, match="no document at"):
                resolve_gold(topic, ingested.store)


def test_every_gold_span_is_one_segment_or_part_of_one(ingested: IngestedCorpus):
    for topic in readable(ingested):
        for doc_id, start, end in resolve_gold(topic, ingested.store):
            segments = ingested.store.segments(doc_id, start, end)
            assert len(segments) == 1, f"{topic.query_id}: {ingested.text_at(doc_id, start, end)!r}"


def test_an_answer_stands_in_a_segment_that_holds_gold_unless_it_is_derived(
    ingested: IngestedCorpus,
):
    for topic in readable(ingested):
        if topic.answerable and topic.kind not in DERIVED_KINDS:
            evidence = " ".join(" ".join(map(ingested.evidence, topic.gold)).split())
            assert any(answer in evidence for answer in topic.answers), topic.query_id


def test_no_gold_is_given_twice(ingested: IngestedCorpus):
    for topic in ingested.topics:
        assert len(set(topic.gold)) == len(topic.gold), topic.query_id


def test_what_a_page_topic_asks_for_stands_late_in_a_long_document(demo: IngestedCorpus):
    """In the last third; in a PDF on page three or later."""
    pages = {}
    for topic in (topic for topic in demo.topics if topic.kind == "page"):
        ((doc_id, start, end),) = resolve_gold(topic, demo.store)
        document = demo.store.document(doc_id)
        assert document is not None
        assert start > len(document.text) * 2 / 3, topic.query_id
        (segment,) = demo.store.segments(doc_id, start, end)
        pages[topic.query_id] = segment.page

    # The chronicle and the logbook have no pages.
    assert pages == {
        "demo-06": 3,
        "demo-66": 16,
        "demo-67": 17,
        "demo-68": None,
        "demo-69": 14,
        "demo-70": 20,
        "demo-71": None,
    }


def test_topics_of_the_two_column_paper_say_so(demo: IngestedCorpus):
    paper = "corpus:///public/ridge-lamp-autumn-2024.pdf"
    of_the_paper = {
        topic.query_id for topic in demo.topics if any(gold.uri == paper for gold in topic.gold)
    }

    assert of_the_paper == {topic.query_id for topic in demo.topics if "columns" in topic.requires}
    assert set(chain.from_iterable(topic.requires for topic in demo.topics)) == {"ocr", "columns"}
