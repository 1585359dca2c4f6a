"""Topic files become Topics; gold quotes become spans of current documents."""

import json
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.errors import CorpusNotFound, MalformedRecord
from corpora.store import STORE_FILE, TABLES, DocumentStore
from corpora.topic import GoldSpan, Topic
from corpora.topics import find_quote, load_topics, resolve_gold

GOOD = '{"query_id": "t1", "text": "Who?", "answers": ["Ann"]}'


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (GOOD + '\n{"query_id": "t2"}\n', r"line 2: text: Field required"),
        (
            GOOD + '\n\n{"query_id": "t2", "text": "?", "awnsers": []}',
            r"line 3: awnsers: .*answers",
        ),
        ("not json\n", r"line 1: Invalid JSON"),
        (GOOD + "\n" + GOOD, r"line 2: query_id 't1' is there already"),
        ('{"query_id": "t", "text": "?", "hops": 0}', r"line 1: hops"),
        ('{"query_id": "t", "text": "?", "gold": [{"uri": "u"}]}', r"line 1: gold\.0\.quote"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, lines: str, says: str):
    path = tmp_path / "topics.jsonl"
    path.write_text(lines, encoding="utf-8")

    with pytest.raises(MalformedRecord, match=says):
        load_topics(path)


def test_a_missing_file_is_not_an_empty_one(tmp_path: Path):
    with pytest.raises(CorpusNotFound, match=r"topics\.jsonl"):
        load_topics(tmp_path / "topics.jsonl")


def test_fields_that_are_left_out_take_their_defaults(tmp_path: Path):
    path = tmp_path / "topics.jsonl"
    path.write_text(GOOD, encoding="utf-8")

    assert load_topics(path) == [Topic(query_id="t1", text="Who?", answers=("Ann",))]


@pytest.mark.parametrize(
    ("text", "quote", "occurrence", "span"),
    [
        ("a cat, a cat", "cat", 0, (2, 5)),
        ("a cat, a cat", "cat", 1, (9, 12)),
        ("a cat, a cat", "cat", 2, None),
        ("a long\nline", "long line", 0, (2, 11)),
        ("\U0001f310 a  b", "a b", 0, (2, 6)),
        ("caf\u00e9 au lait", "cafe\u0301 au", 0, (0, 7)),
        ("text", "  ", 0, None),
    ],
)
def test_a_quote_is_found_exactly_or_but_for_white_space(
    text: str, quote: str, occurrence: int, span: tuple[int, int] | None
):
    assert find_quote(text, quote, occurrence=occurrence) == span


@given(words=st.lists(st.text("abc", min_size=1, max_size=4), min_size=3, max_size=12))
def test_a_quote_survives_any_line_breaks(words: list[str]):
    quote = " ".join(words)
    text = "x\n" + "\n ".join(words) + " x"

    assert find_quote(text, quote) == (2, len(text) - 2)


@pytest.fixture
def store(tmp_path: Path) -> DocumentStore:
    """Two documents: a current one at two places, and a removed one."""
    connection = sqlite3.connect(tmp_path / STORE_FILE)
    connection.executescript(TABLES)
    for doc_id, text, last_seen in (
        ("d_now", "Tea at four.\nTea at\nfive.", None),
        ("d_old", "Tea at three.", "2024-01-01"),
    ):
        values = (doc_id, f"corpus:///{doc_id}.txt", doc_id, text, "0", "0", "text/plain", "en")
        connection.execute(
            "INSERT INTO documents VALUES (?,?,?,?,?,?,?,?,'[]',NULL,NULL,'[]','{}','2023',?,NULL)",
            (*values, last_seen),
        )
    for uri, doc_id in (("a.txt", "d_now"), ("copy/a.txt", "d_now"), ("old.txt", "d_old")):
        connection.execute(
            "INSERT INTO locations VALUES (?,?,'[]',NULL,NULL,NULL)", (f"corpus:///{uri}", doc_id)
        )
    connection.commit()
    connection.close()
    return DocumentStore(tmp_path)


def topic_with(*gold: tuple[str, str, int]) -> Topic:
    return Topic(query_id="t", text="?", answers=("x",), gold=tuple(GoldSpan(*g) for g in gold))


def test_gold_is_resolved_at_any_place_of_a_document(store: DocumentStore):
    topic = topic_with(
        ("corpus:///copy/a.txt", "Tea at five.", 0),
        ("corpus:///a.txt", "Tea", 1),
    )

    assert resolve_gold(topic, store) == [("d_now", 13, 25), ("d_now", 13, 16)]
    store.close()


@pytest.mark.parametrize(
    ("gold", "says"),
    [
        (("corpus:///a.txt", "Tea at six.", 0), r"topic 't'.*does not hold 'Tea at six\.'"),
        (("corpus:///b.txt", "Tea", 0), r"topic 't': no document at 'corpus:///b\.txt' for 'Tea'"),
        (("corpus:///old.txt", "Tea", 0), r"no document at"),
        (("corpus:///a.txt", "Tea", 2), r"occurrence 2"),
    ],
)
def test_gold_that_is_not_in_the_store_names_topic_and_quote(
    store: DocumentStore, gold: tuple[str, str, int], says: str
):
    with pytest.raises(MalformedRecord, match=says):
        resolve_gold(topic_with(gold), store)
    store.close()


def test_a_topic_without_gold_resolves_to_nothing(store: DocumentStore):
    assert resolve_gold(topic_with(), store) == []
    store.close()


@pytest.mark.parametrize(
    ("uri", "doc_id"),
    [
        ("corpus:///a.txt", "d_now"),
        ("corpus:///copy/a.txt", "d_now"),
        ("corpus:///old.txt", None),  # removed since
        ("corpus:///b.txt", None),
    ],
)
def test_the_current_document_at_a_place_is_looked_up(
    store: DocumentStore, uri: str, doc_id: str | None
):
    found = store.document_at(uri)
    assert (found.doc_id if found else None) == doc_id
    store.close()


def test_a_split_is_dev_or_test(tmp_path: Path):
    path = tmp_path / "topics.jsonl"
    lines = [
        {"query_id": "a", "text": "?", "split": "dev", "facts": ["It opened in 1911."]},
        {"query_id": "b", "text": "?"},
    ]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert [(topic.split, topic.facts) for topic in load_topics(path)] == [
        ("dev", ("It opened in 1911.",)),
        ("", ()),
    ]
    path.write_text('{"query_id": "a", "text": "?", "split": "train"}', encoding="utf-8")
    with pytest.raises(MalformedRecord, match=r"line 1: split: .*'dev'"):
        load_topics(path)


def test_topics_written_as_json_are_read_back(tmp_path: Path):
    path = tmp_path / "topics.jsonl"
    gold = {"uri": "corpus:///a.md", "quote": "九点开门。", "occurrence": 1}
    line = {
        "query_id": "z",
        "text": "几点？",
        "language": "zh",
        "answers": ["九点"],
        "gold": [gold],
        "hops": 1,
        "kind": "fact",
        "requires": ["ocr"],
    }
    path.write_text(json.dumps(line), encoding="utf-8")

    (topic,) = load_topics(path)

    assert topic.gold == (GoldSpan("corpus:///a.md", "九点开门。", 1),)
    assert (topic.answers, topic.requires) == (("九点",), ("ocr",))
