"""The demo corpus: what lies in it, and that its topics are fair."""

from collections import Counter
from pathlib import Path

import pytest

from corpora.build_demo import SOURCES, load_targets
from corpora.card import SHIPPED, find_corpus
from corpora.topic import GoldSpan, Topic
from corpora.topics import find_quote, load_topics

ROOT = SHIPPED / "demo"
TARGETS = load_targets()
TOPICS = load_topics(ROOT / "topics.jsonl")
TWO_HOP = [topic for topic in TOPICS if topic.hops == 2]


def documents() -> list[str]:
    excluded = {"corpus.toml", "topics.jsonl"}
    paths = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file())
    return sorted(path.as_posix() for path in paths if path.as_posix() not in excluded)


def source_text(uri: str) -> str:
    """The document's text as written: a binary file's is its source text."""
    path = uri.removeprefix("corpus:///")
    return (SOURCES / TARGETS[path].source if path in TARGETS else ROOT / path).read_text("utf-8")


def holds(uri: str, gold: GoldSpan) -> bool:
    return find_quote(source_text(uri), gold.quote, occurrence=gold.occurrence) is not None


def test_the_corpus_holds_sixteen_documents_in_seven_formats():
    assert Counter(Path(path).suffix for path in documents()) == {
        ".md": 6,
        ".html": 2,
        ".pdf": 3,
        ".docx": 2,
        ".xlsx": 1,
        ".csv": 1,
        ".txt": 1,
    }


def test_first_middle_and_last_document():
    paths = documents()

    assert paths[0] == "contracts/mesh-supply-contract-summary.docx"
    assert paths[8] == "partner/lanze-newsletter-2024-spring.html"
    assert paths[-1] == "reports/annual-report-2023.pdf"


def test_the_card_names_the_revision_that_is_superseded():
    card = find_corpus("demo")

    assert (card.name, card.licence, card.languages) == ("demo", "Apache-2.0", ("en", "zh"))
    assert not card.cross_lingual
    assert card.supersedes == {"manuals/ropeway-rules-rev-7.md": "manuals/ropeway-rules-rev-6.md"}
    assert {*card.supersedes.keys(), *card.supersedes.values()} <= set(documents())


def test_every_kind_of_topic_is_there_as_often_as_promised():
    assert Counter((topic.hops, topic.language, topic.answerable) for topic in TOPICS) == {
        (2, "en", True): 4,
        (1, "en", True): 4,
        (1, "zh", True): 2,
        (1, "en", False): 2,
    }


def test_first_middle_and_last_topic():
    assert TOPICS[0].query_id == "demo-01"
    assert TOPICS[0].answers == ("Ruben Teskary", "Teskary")
    assert TOPICS[6].text == (
        "What is the greatest load now permitted in a car of the Lectern Ropeway?"
    )
    assert (TOPICS[-1].query_id, TOPICS[-1].kind) == ("demo-12", "false_premise")


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.query_id)
def test_gold_quotes_stand_in_the_text_as_written(topic: Topic):
    assert [gold.quote for gold in topic.gold if not holds(gold.uri, gold)] == []


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.query_id)
def test_only_answerable_topics_have_gold(topic: Topic):
    assert bool(topic.gold) == topic.answerable


@pytest.mark.parametrize("topic", TWO_HOP, ids=lambda topic: topic.query_id)
def test_no_document_answers_a_two_hop_topic_alone(topic: Topic):
    first, second = topic.gold

    assert first.uri != second.uri
    holding_both = [
        path
        for path in documents()
        if holds(f"corpus:///{path}", first) and holds(f"corpus:///{path}", second)
    ]
    assert holding_both == []
    assert not any(answer in source_text(first.uri) for answer in topic.answers)


@pytest.mark.parametrize(
    ("query_id", "bridge"),
    [
        ("demo-01", "Hollow Annie"),
        ("demo-02", "Old Marjory"),
        ("demo-03", "Tobiah Quarles"),
        ("demo-04", "Dunmarrow"),
    ],
)
def test_both_documents_name_the_bridge_but_the_question_does_not(query_id: str, bridge: str):
    topic = next(topic for topic in TWO_HOP if topic.query_id == query_id)

    assert bridge not in topic.text
    assert all(bridge in source_text(gold.uri) for gold in topic.gold)


def test_the_two_revisions_differ_in_the_fact_that_is_asked_for():
    old, new = (source_text(f"manuals/ropeway-rules-rev-{n}.md") for n in (6, 7))

    assert "must not exceed 640 kilograms" in old
    assert "must not exceed 520 kilograms" in new
    assert "520" not in old
    assert "640" not in new


def test_a_number_of_a_table_is_rounded_in_the_prose():
    report = source_text("reports/annual-report-2023.pdf")

    assert "| All stations | 16 | 1,620 | 4,086 |" in report
    assert "about 4,100 cubic metres" in report


def test_the_tables_of_the_annual_report_add_up():
    assert 1_612 + 958 + 1_074 + 442 == 4_086
    assert 1_374 + 1_213 + 867 + 428 == 4_086 - 204 == 3_882
    assert 16_304 + 49_440 + 62_370 + 8_115 == 136_229
    assert 71_900 + 24_350 + 21_480 + 9_760 + 3_120 == 136_229 - 5_619


def test_the_page_topic_needs_the_third_page():
    topic = next(topic for topic in TOPICS if topic.kind == "page")
    text = source_text(topic.gold[0].uri)
    found = find_quote(text, topic.gold[0].quote)

    assert found is not None
    # Page breaks stand alone on their line; the manual is made of three pages.
    assert text[: found[0]].count("\n---\n") == 2


def test_one_document_gives_orders_to_machines():
    assert "Note to AI readers" in source_text("public/visitor-faq.html")


def test_the_weight_that_is_asked_for_is_nowhere_but_its_neighbours_are():
    newsletter = source_text("public/newsletter-spring-2024.md")

    assert "96 kilograms" in newsletter
    assert "212 kilograms" in newsletter
    annie = next(line for line in newsletter.splitlines() if "**Hollow Annie**" in line)
    assert "kilo" not in annie
