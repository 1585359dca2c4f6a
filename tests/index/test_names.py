"""Names that the writing shows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.names import key_of, names_in, words_of
from index.titles import Titles, title_keys


def keys(text: str, language: str = "en") -> set[str]:
    return {name.key for name in names_in(text, words_of(text), language)}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("He met Anna Keller in Port Blair.", {"anna keller", "port blair"}),
        ("the University of California and Berkeley", {"university of california", "berkeley"}),
        ("It was J. K. Rowling who wrote.", {"j k rowling"}),
        ("They landed with Apollo 11.", {"apollo 11"}),
        ("He left Rome. Paris was next.", {"rome"}),  # the second may only begin a sentence
        ("However, Anna came.", {"anna"}),
        ("Pump HK-204/B failed", {"pump hk 204 b", "hk 204 b"}),
        ("set max_connections to 5", {"max connections"}),
        ("called parseFile twice", {"parsefile"}),
        ("nothing to name here", set()),
        ("", set()),
    ],
)
def test_capitals_and_identifiers_are_names(text: str, names: set[str]) -> None:
    assert keys(text) == names


def test_german_capitals_are_no_names_but_identifiers_are() -> None:
    assert keys("Der Speicher der Anlage LZ-7 ist voll", "de") == {"lz 7"}


def test_chinese_names_stand_in_title_quotes() -> None:
    assert keys("他在《红楼梦》里读到LZ-7型。", "zh") == {"红 楼 梦", "lz 7"}


def test_one_name_has_one_key_however_it_is_joined() -> None:
    forms = ["HK-204/B", "hk 204 b", "HK.204.B", "ＨＫ-204/B"]
    assert {key_of(words_of(form)) for form in forms} == {"hk 204 b"}


@given(st.text(max_size=80), st.sampled_from(["en", "de", "zh"]))
def test_a_span_reads_its_key(text: str, language: str) -> None:
    for name in names_in(text, words_of(text), language):
        assert key_of(words_of(text[name.start : name.end])) == name.key


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("The Deep Blue Sea (play)", ("the deep blue sea play", "the deep blue sea")),
        ("水库手册（第二版）", ("水 库 手 册 第 二 版", "水 库 手 册")),
        ("2023", ()),
        ("…", ()),
        ("one two three four five six seven eight nine ten eleven", ()),
    ],
)
def test_a_title_is_mentioned_with_or_without_its_bracket(
    title: str, expected: tuple[str, ...]
) -> None:
    assert title_keys(title) == expected


def test_the_longest_title_is_taken_and_a_single_word_needs_a_capital() -> None:
    titles = Titles(["port blair", "port", "blair", "storm"])
    text = "Port Blair had a storm; the Storm left Blair."
    assert list(titles.mentioned(text, words_of(text))) == ["port blair", "storm", "blair"]
