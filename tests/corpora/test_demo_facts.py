"""The fact table of the demo corpus: true of its documents, and what its topics rest on."""

import csv
import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import chain

import pytest

from corpora.build_demo import DEMO, SOURCES, parse_source
from corpora.card import SHIPPED
from corpora.topics import load_topics
from tests.corpora.ingested_corpus import (
    Fact,
    IngestedCorpus,
    load_facts,
    load_topic_facts,
    source_text,
    without_blanks,
)

ALL_FACTS = load_facts()
FACTS = {fact.id: fact for fact in ALL_FACTS}
TOPIC_FACTS = load_topic_facts()
TOPICS = {topic.query_id: topic for topic in load_topics(SHIPPED / "demo" / "topics.jsonl")}
SCAN = "archive/kerrin-letter-1961.pdf"
"""Not read on every machine (its topics require ``ocr``): its facts are looked up in its source."""

DIFFERENCES = ["demo-33", "demo-34", "demo-35", "demo-36", "demo-37", "demo-38"]
CHOICES: dict[str, Callable[[Decimal, Decimal], Decimal]] = {"demo-32": max, "demo-39": min}
DAYS_BETWEEN = ["demo-54", "demo-55", "demo-59"]
OTHER_DATES = ["demo-56", "demo-57", "demo-58"]
COUNTS = ["demo-50", "demo-51", "demo-52", "demo-53"]


def facts_of(query_id: str) -> list[Fact]:
    return [FACTS[fact_id] for fact_id in TOPIC_FACTS[query_id]]


def amount(fact: Fact) -> Decimal:
    """The number in a value: 1,074 has a mark of thousands, 11,8 and 13.1 have decimals."""
    found = re.search(r"\d+(?:[.,]\d+)*", fact.value)
    assert found is not None, fact
    return Decimal(re.sub(r",(?=\d{3}\b)", "", found[0]).replace(",", "."))


def day(fact: Fact) -> date:
    """The date in a value or in one of its forms; of a range, its last day."""
    for form in (fact.value, *fact.forms):
        if found := re.search(r"\d{1,2} [A-Z][a-z]+ \d{4}", form):
            return datetime.strptime(found[0], "%d %B %Y").date()
    raise AssertionError(fact)


def table(path: str, n_table: int = 0) -> list[dict[str, str]]:
    """Rows of a document's table as written, by column name."""
    if path.endswith(".csv"):
        with (DEMO / path).open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))
    blocks = [block for block in parse_source(source_text(path)) if block.kind == "table"]
    header, *rows = blocks[n_table].rows
    return [dict(zip(header, row, strict=True)) for row in rows]


def test_ids_are_unique_and_every_fact_has_a_value_and_documents():
    assert len(FACTS) == len(ALL_FACTS) == 407
    assert [fact for fact in ALL_FACTS if not (fact.subject and fact.attribute)] == []
    assert [fact for fact in ALL_FACTS if not (fact.value and fact.documents)] == []


def test_no_two_facts_are_about_the_same_attribute_of_the_same_subject_at_the_same_time():
    about = [(fact.subject, fact.attribute, fact.as_of) for fact in ALL_FACTS]

    assert [key for key in about if about.count(key) > 1] == []


def test_every_document_states_some_fact_and_every_named_document_exists():
    named = set(chain.from_iterable(fact.documents for fact in ALL_FACTS))
    paths = {path.relative_to(DEMO).as_posix() for path in DEMO.rglob("*") if path.is_file()}

    assert named == paths - {"corpus.toml", "topics.jsonl"}


def test_every_document_of_a_fact_states_it_literally(demo: IngestedCorpus):
    texts = {
        uri.removeprefix("corpus:///"): without_blanks(document.text)
        for uri, document in demo.documents.items()
    }
    texts[SCAN] = without_blanks(source_text(SCAN))

    unstated = [
        (fact.id, path)
        for fact in ALL_FACTS
        for path in fact.documents
        if not fact.stands_in(texts[path])
    ]
    assert unstated == []


def test_every_answerable_topic_rests_on_facts_and_no_other_does():
    answerable = [topic.query_id for topic in TOPICS.values() if topic.answerable]

    assert list(TOPIC_FACTS) == answerable
    assert set(chain.from_iterable(TOPIC_FACTS.values())) <= set(FACTS)


def test_each_fact_of_a_topic_is_stated_by_a_document_of_its_gold():
    for query_id in TOPIC_FACTS:
        documents = {gold.uri.removeprefix("corpus:///") for gold in TOPICS[query_id].gold}
        for fact in facts_of(query_id):
            assert documents & set(fact.documents), f"{query_id}: {fact.id}"
        assert documents <= set(chain.from_iterable(f.documents for f in facts_of(query_id)))


@pytest.mark.parametrize("query_id", [key for key in TOPIC_FACTS if not TOPICS[key].requires])
def test_each_fact_of_a_topic_stands_in_its_gold(query_id: str, demo: IngestedCorpus):
    if query_id == "demo-53":  # its gold names the anchors; their loads stand in the table above
        return
    evidence = without_blanks("\n".join(map(demo.evidence, TOPICS[query_id].gold)))

    assert [fact.id for fact in facts_of(query_id) if not fact.stands_in(evidence)] == []


@pytest.mark.parametrize("query_id", [key for key in TOPIC_FACTS if TOPICS[key].hops > 1])
def test_no_document_states_all_facts_of_a_topic_of_several_hops(query_id: str):
    topic = TOPICS[query_id]
    stating_all = set.intersection(*(set(fact.documents) for fact in facts_of(query_id)))

    assert stating_all == set()
    assert len({gold.uri for gold in topic.gold}) == len(facts_of(query_id)) == topic.hops


def test_every_derived_answer_is_recomputed_below():
    derived = {"comparison", "count", "date_arithmetic"}

    assert {key for key, topic in TOPICS.items() if topic.kind in derived} == {
        *DIFFERENCES,
        *CHOICES,
        *DAYS_BETWEEN,
        *OTHER_DATES,
        *COUNTS,
    }


@pytest.mark.parametrize("query_id", DIFFERENCES)
def test_a_difference_is_that_of_two_facts(query_id: str):
    first, second = map(amount, facts_of(query_id))

    assert str(abs(first - second)) in TOPICS[query_id].answers


@pytest.mark.parametrize("query_id", CHOICES)
def test_a_choice_falls_on_the_subject_with_the_chosen_amount(query_id: str):
    first, second = facts_of(query_id)
    chosen = CHOICES[query_id](amount(first), amount(second))
    subject = first.subject if amount(first) == chosen else second.subject

    assert amount(first) != amount(second)
    assert TOPICS[query_id].answers[0] == subject.removeprefix("anchor ")


@pytest.mark.parametrize("query_id", DAYS_BETWEEN)
def test_days_between_two_facts(query_id: str):
    first, second = map(day, facts_of(query_id))

    assert str((second - first).days) in TOPICS[query_id].answers


def test_minutes_years_and_months_between_two_facts():
    stopped, moved = (datetime.strptime(fact.value, "%H:%M") for fact in facts_of("demo-56"))
    hung, inspected = map(day, facts_of("demo-57"))
    joined, last_day = map(day, facts_of("demo-58"))
    after = last_day + timedelta(days=1)

    assert str((moved - stopped) // timedelta(minutes=1)) in TOPICS["demo-56"].answers
    assert (inspected.month, inspected.day) > (hung.month, hung.day)
    assert str(inspected.year - hung.year) in TOPICS["demo-57"].answers
    assert joined.day == after.day  # whole months
    months = (after.year - joined.year) * 12 + after.month - joined.month
    assert str(months) in TOPICS["demo-58"].answers


def test_a_count_is_that_of_the_whole_table_and_of_its_facts():
    lamp_course = {"course": "Lamp examination (course 2024)", "date": "2024-03-06"}
    failed = [
        row["name"]
        for row in table("training/training-record-2024.csv")
        if {**row, **lamp_course, "result": "not passed", "attempt": "1"} == row
    ]
    slow = [
        row["supplier"]
        for row in table("records/supplier-list-2024.csv")
        if int(row["lead_days"]) >= 60
    ]
    wet = [
        row["Month of 2024, cubic metres"]
        for row in table("records/yield-book-2024.xlsx")
        if row["Month of 2024, cubic metres"] != "Year" and int(row["St Orla's Gap"]) > 40
    ]
    load = amount(FACTS["ank-load"])
    weak = [
        row["Anker"]
        for row in table("inspections/ankerpruefung-2024.pdf")
        if Decimal(row["Höchstlast"].removesuffix(" kN").replace(",", ".")) < load
    ]

    assert failed == ["Jory Pendrake", "Tobiah Quarles", "Nils Oakhanger"]
    assert slow == ["Lanze Mesh Institute", "Marchbank Wireworks", "Corvey Forge"]
    assert wet == ["January", "October", "November", "December"]
    assert weak == ["CL-08", "CL-31", "CL-40"]
    for query_id, counted in zip(COUNTS, (failed, slow, wet, weak), strict=True):
        assert str(len(counted)) in TOPICS[query_id].answers
        about = " ".join(fact.subject + fact.attribute for fact in facts_of(query_id))
        assert [name for name in counted if name not in about] == []
        n_others = query_id == "demo-53"  # the load that is to be reached
        assert len(facts_of(query_id)) == len(counted) + n_others


def test_the_sources_hold_nothing_but_texts_and_three_tables():
    assert sorted(path.name for path in SOURCES.iterdir() if path.suffix != ".md") == [
        "facts.toml",
        "targets.toml",
        "topic_facts.toml",
    ]
