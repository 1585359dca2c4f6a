"""The topics of the demo corpus: how many of each kind, and that each is fair."""

from collections import Counter

import pytest

from corpora.card import SHIPPED
from corpora.topic import Topic
from corpora.topics import load_topics
from tests.corpora.ingested_corpus import IngestedCorpus, source_text

TOPICS = load_topics(SHIPPED / "demo" / "topics.jsonl")
BY_ID = {topic.query_id: topic for topic in TOPICS}
ANSWERABLE = [topic for topic in TOPICS if topic.answerable]
SEVERAL_HOPS = [topic for topic in TOPICS if topic.hops > 1]


def test_every_kind_of_topic_is_there_as_often_as_promised():
    kinds = Counter(topic.kind for topic in TOPICS)

    assert kinds == {
        "fact": 20,
        "bridge": 17,
        "table": 11,
        "comparison": 8,
        "cross_lingual": 8,
        "missing_attribute": 8,
        "false_premise": 7,
        "page": 7,
        "superseded": 7,
        "date_arithmetic": 6,
        "three_hop": 6,
        "count": 4,
    }
    assert kinds.total() == len(TOPICS) == 109


def test_languages_hops_and_what_cannot_be_answered():
    assert Counter(topic.language for topic in TOPICS) == {"en": 84, "zh": 17, "de": 8}
    assert Counter(topic.hops for topic in TOPICS) == {1: 77, 2: 26, 3: 6}
    unanswerable = Counter(topic.language for topic in TOPICS if not topic.answerable)
    assert unanswerable == {"en": 12, "zh": 2, "de": 1}


def test_each_kind_is_halved_between_the_splits():
    halves = Counter((topic.kind, topic.split) for topic in TOPICS)

    assert Counter(topic.split for topic in TOPICS) == {"dev": 55, "test": 54}
    for kind in {topic.kind for topic in TOPICS}:
        assert abs(halves[kind, "dev"] - halves[kind, "test"]) <= 1, kind
    for language in ("zh", "de"):
        splits = Counter(topic.split for topic in TOPICS if topic.language == language)
        assert abs(splits["dev"] - splits["test"]) <= 2


def test_ids_run_from_1_to_109_and_no_question_is_asked_twice():
    assert list(BY_ID) == [f"demo-{n:02}" for n in range(1, 110)]
    assert len({topic.text for topic in TOPICS}) == 109


def test_first_middle_and_last_topic():
    assert BY_ID["demo-01"].answers == ("Ruben Teskary", "Teskary")
    assert BY_ID["demo-07"].text == (
        "What is the greatest load that the operating rules now permit in a car of the Lectern "
        "Ropeway?"
    )
    assert BY_ID["demo-55"].answers[0] == "4 days"
    assert (TOPICS[-1].kind, TOPICS[-1].language) == ("false_premise", "zh")


def test_gold_lies_in_documents_of_every_format():
    uris = {gold.uri for topic in TOPICS for gold in topic.gold}

    assert {uri.rpartition(".")[2] for uri in uris} == {
        *("md", "pdf", "docx", "pptx", "xlsx", "csv", "html", "txt", "eml")
    }
    assert len(uris) == 51


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.query_id)
def test_only_answerable_topics_have_gold_and_only_the_two_kinds_have_none(topic: Topic):
    assert bool(topic.gold) == topic.answerable
    assert topic.answerable == (topic.kind not in {"missing_attribute", "false_premise"})


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.query_id)
def test_a_long_answer_to_a_topic_of_several_steps_has_a_statement_for_each(topic: Topic):
    is_derived = topic.kind in {"comparison", "count", "date_arithmetic"}

    if topic.hops > 1 or is_derived:
        assert len(topic.facts) >= topic.hops + (is_derived and topic.hops > 1)
        assert any(form.casefold() in topic.facts[-1].casefold() for form in topic.answers)
    else:
        assert topic.facts == ()


@pytest.mark.parametrize(
    "topic", [topic for topic in SEVERAL_HOPS if topic.language == "en"], ids=lambda t: t.query_id
)
def test_the_question_of_several_hops_does_not_give_its_answer_away(topic: Topic):
    words = topic.text.casefold().replace("?", "").split()

    assert not any(answer.casefold() in words for answer in topic.answers)


BRIDGES = {
    "demo-01": "Hollow Annie",
    "demo-02": "Old Marjory",
    "demo-03": "Tobiah Quarles",
    "demo-04": "Dunmarrow",
    "demo-13": "Edwin Lodd",
    "demo-14": "Wiebke Sandall",
    "demo-15": "Old Marjory",
    "demo-16": "Brothers Ankerly",
    "demo-17": "Hallaby",
    "demo-18": "Jory Pendrake",
    "demo-19": "pylon 7",
    "demo-20": "Brannick Limeworks",
    "demo-21": "Wren",
    "demo-22": "Wiebke Sandall",
    "demo-23": "SL-114",
    "demo-24": "陆见微",
    "demo-25": "岑伯年",
    "demo-77": "HK-202",
    "demo-78": "Sunniva Crake",
}


def test_every_bridge_is_checked_below():
    assert {topic.query_id for topic in TOPICS if topic.kind == "bridge"} <= BRIDGES.keys()


@pytest.mark.parametrize(("query_id", "bridge"), BRIDGES.items())
def test_both_documents_name_the_bridge_but_the_question_does_not(query_id: str, bridge: str):
    topic = BY_ID[query_id]

    assert bridge not in topic.text
    for gold in topic.gold:
        assert bridge.casefold() in source_text(gold.uri.removeprefix("corpus:///")).casefold()


@pytest.mark.parametrize(
    ("query_id", "bridges"),
    [
        ("demo-26", ("HK-204", "PS-1609")),
        ("demo-27", ("SL-114", "Hexter Rubber Works")),
        ("demo-28", ("V-27", "Stannery Brassworks")),
        ("demo-29", ("HK-213", "Brothers Ankerly")),
        ("demo-30", ("Old Marjory", "Brannick Limeworks")),
        ("demo-31", ("Old Marjory", "Quillet")),
    ],
)
def test_three_documents_are_joined_in_a_chain(query_id: str, bridges: tuple[str, str]):
    topic = BY_ID[query_id]
    first, middle, last = (source_text(gold.uri.removeprefix("corpus:///")) for gold in topic.gold)

    assert not any(bridge in topic.text for bridge in bridges)
    assert bridges[0] in first
    assert bridges[0] in middle
    assert bridges[1] in middle
    assert bridges[1] in last
    assert topic.answers[0] not in first + middle


def test_a_cross_lingual_topic_has_gold_in_another_language(demo: IngestedCorpus):
    for topic in (topic for topic in TOPICS if topic.kind == "cross_lingual"):
        languages = {demo.documents[gold.uri].language for gold in topic.gold}
        assert languages - {topic.language}, topic.query_id


def test_a_chinese_or_german_topic_of_another_kind_is_in_the_language_of_its_gold(
    demo: IngestedCorpus,
):
    for topic in ANSWERABLE:
        if topic.language != "en" and topic.kind != "cross_lingual":
            languages = {demo.documents[gold.uri].language for gold in topic.gold}
            assert languages == {topic.language}, topic.query_id


def test_a_superseded_topic_is_answered_by_the_newer_document(demo: IngestedCorpus):
    newer = {
        document.uri for document in demo.documents.values() if "supersedes" in document.metadata
    }

    for topic in (topic for topic in TOPICS if topic.kind == "superseded"):
        assert {gold.uri for gold in topic.gold} <= newer, topic.query_id
