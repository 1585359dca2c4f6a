"""The toy corpus: twenty small documents that hold one trap each."""

import unicodedata
from collections import Counter
from pathlib import Path

import pytest

from corpora.card import SHIPPED, find_corpus
from corpora.topic import Topic
from corpora.topics import find_quote, load_topics

ROOT = SHIPPED / "toy"
TOPICS = load_topics(ROOT / "topics.jsonl")


def text_of(path: str) -> str:
    return (ROOT / path.removeprefix("corpus:///")).read_text("utf-8")


def documents() -> list[str]:
    folders = ("korren", "zh")
    return sorted(
        f"{folder}/{path.name}" for folder in folders for path in (ROOT / folder).iterdir()
    )


def test_fourteen_documents_are_english_and_six_chinese():
    assert Counter(path.split("/")[0] for path in documents()) == {"korren": 14, "zh": 6}


def test_formats_of_the_twenty_documents():
    suffixes = Counter(Path(path).suffix for path in documents())

    assert suffixes == {".md": 8, ".txt": 8, ".html": 3, ".csv": 1}


def test_first_middle_and_last_document():
    paths = documents()

    assert paths[0] == "korren/ferries.csv"
    assert paths[10] == "korren/piet-aldana.md"
    assert paths[-1] == "zh/tea-house.md"


def test_the_card_has_a_name_and_two_languages():
    card = find_corpus("toy")

    assert (card.name, card.languages) == ("toy", ("en", "zh"))


def test_five_topics_are_loaded_in_file_order():
    assert [(topic.query_id, topic.hops, topic.answers[:1]) for topic in TOPICS] == [
        ("toy-1", 2, ("Halden Press",)),
        ("toy-2", 1, ("35",)),
        ("toy-3", 1, ("Ewan Sorrel",)),
        ("toy-4", 1, ("卢守拙",)),
        ("toy-5", 1, ()),
    ]


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.query_id)
def test_gold_quotes_stand_in_their_documents(topic: Topic):
    assert all(find_quote(text_of(gold.uri), gold.quote) is not None for gold in topic.gold)
    assert bool(topic.gold) == topic.answerable


def test_the_botanist_bridges_the_catalogue_to_the_ledger():
    catalogue, ledger = (text_of(gold.uri) for gold in TOPICS[0].gold)

    assert "Ilse Varga" in catalogue
    assert "Ilse Varga" in ledger
    assert "Ilse Varga" not in TOPICS[0].text
    assert "Halden" not in catalogue
    assert "1911" not in ledger


def test_emoji_and_decomposed_accents_stand_before_a_citable_sentence():
    text = text_of("korren/weather-notes.txt")
    before = text[: text.index("The brass barometer")]

    assert any(ord(character) > 0xFFFF for character in before)
    assert len(unicodedata.normalize("NFC", before)) == len(before) - 2


def test_two_documents_are_near_duplicates():
    order, copy = text_of("korren/lamp-oil-order.txt"), text_of("korren/lamp-oil-order-copy.txt")

    assert order != copy
    assert order.split("\n")[2] in copy


def test_two_documents_contradict_each_other():
    assert "at 318 metres" in text_of("korren/senna-hill-guide.md")
    assert "304 metres high, not 318" in text_of("korren/senna-hill-survey.txt")


def test_one_document_holds_injected_instructions_with_tool_json():
    notice = text_of("korren/notice-board.md")

    assert "ignore all earlier instructions" in notice
    assert '{"tool": "web_fetch"' in notice
