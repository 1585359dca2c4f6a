"""Exact match, token F1 and accepted form: worked by hand, as in SQuAD and HotpotQA."""

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_agent.bench.accepted_form import contains_accepted_form
from search_agent.bench.answer_tokens import answer_tokens
from search_agent.bench.exact_match import exact_match
from search_agent.bench.token_f1 import token_f1


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The  Beatles!", ["beatles"]),
        ("an apple a day", ["apple", "day"]),
        ("U.S.A.", ["usa"]),
        ("“Rush”", ["rush"]),
        ("1,000", ["1000"]),
        ("Ａ１", ["a1"]),  # full-width forms
        ("北京。", ["北", "京"]),
        ("在 1912 年", ["在", "1912", "年"]),
        ("c:\u0327", ["\u00e7"]),  # what punctuation held apart is one letter without it
        ("Theo", ["theo"]),  # an article is a whole word
        ("", []),
    ],
)
def test_answers_are_compared_as_these_tokens(text: str, tokens: list[str]) -> None:
    assert answer_tokens(text) == tokens


@given(st.text())
def test_tokens_of_joined_tokens_are_the_same_tokens(text: str) -> None:
    once = answer_tokens(text)
    # a line each, since blanks may set thousands apart
    assert answer_tokens("\n".join(once)) == once


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        # thousands: comma, point, blank, thin blank, apostrophe, full width, or nothing
        ("1,000", "1000", True),
        ("1.000", "1000", True),
        ("1 000", "1000", True),
        ("1\u202f000", "1000", True),
        ("1’000", "1000", True),
        ("１，０００", "1000", True),
        ("12,345,678", "12 345 678", True),
        ("1,00", "100", False),
        ("100, 200", "100200", False),  # a list
        ("1912 345", "1912345", False),  # a year, then a number
        # decimals: either mark, and not the digits alone
        ("3.5", "3,5", True),
        ("3.5", "35", False),
        ("0.125", "0125", False),
        ("1,234.56", "1.234,56", True),
        ("1 234,5", "1234.5", True),
        ("35.", "35", True),  # the end of a sentence
        # neither: as the punctuation of any word
        ("12.05.1912", "12/05/1912", True),
        ("v1.5.2", "v152", True),
    ],
)
def test_a_number_is_the_same_however_it_is_written(one: str, other: str, is_same: bool) -> None:
    assert (answer_tokens(one) == answer_tokens(other)) is is_same


@pytest.mark.parametrize(
    ("language", "answer", "tokens"),
    [
        ("en", "The end of a war", ["end", "of", "war"]),
        ("en", "Die Hard", ["die", "hard"]),
        ("de", "Der Kölner Dom", ["kölner", "dom"]),
        ("de", "eines der Häuser", ["häuser"]),
        ("de", "Vitamin A", ["vitamin", "a"]),
        ("zh", "甲壳虫乐队（The Beatles）", ["甲", "壳", "虫", "乐", "队", "beatles"]),
    ],
)
def test_articles_are_those_of_the_language(language: str, answer: str, tokens: list[str]) -> None:
    assert answer_tokens(answer, language=language) == tokens


def test_every_measure_reads_articles_in_the_language_of_the_question() -> None:
    for language, expected in (("de", 1.0), ("en", 0.0)):
        assert exact_match("die Brücke", ("Brücke",), language=language) == expected
    # p = 1/2, r = 1/1 with the article counted
    assert token_f1("die Brücke", ("Brücke",), language="de") == 1.0
    assert token_f1("die Brücke", ("Brücke",)) == pytest.approx(2 / 3)
    assert contains_accepted_form("in Brücke", ("die Brücke",), language="de") == 1.0
    assert contains_accepted_form("in Brücke", ("die Brücke",)) == 0.0


def squad_tokens(text: str) -> list[str]:
    """SQuAD 1.1's order: lower case, ASCII punctuation, articles, blanks."""
    bare = text.lower().translate(str.maketrans("", "", string.punctuation))
    return re.sub(r"\b(a|an|the)\b", " ", bare).split()


@given(st.text(alphabet=string.ascii_letters + string.punctuation + " \t\n"))
def test_english_without_numbers_is_read_as_by_squad(text: str) -> None:
    assert answer_tokens(text) == squad_tokens(text)


@pytest.mark.parametrize(
    "text",
    ["The U.S. Army (1775)", "35 minutes", "1,000 men", "July 4, 1776", "$2bn", "a.m.", "O'Neill"],
)
def test_numbers_without_decimals_are_read_as_by_squad(text: str) -> None:
    assert answer_tokens(text) == squad_tokens(text)


@pytest.mark.parametrize(
    ("answer", "accepted", "expected"),
    [
        ("the Rush", ("Rush",), 1.0),
        ("Rush band", ("Rush",), 0.0),
        ("NYC", ("New York City", "NYC"), 1.0),
        ("北京", ("北京。",), 1.0),
        (None, ("Rush",), 0.0),
        ("", ("Rush",), 0.0),
    ],
)
def test_exact_match_wants_one_accepted_form_and_nothing_else(
    answer: str | None, accepted: tuple[str, ...], expected: float
) -> None:
    assert exact_match(answer, accepted) == expected


@pytest.mark.parametrize(
    ("answer", "accepted", "expected"),
    [
        ("Rush", ("Rush",), 1.0),
        # p = 1/2, r = 1/1
        ("Rush band", ("Rush",), 2 * (1 / 2) * 1 / (1 / 2 + 1)),
        # p = 2/3, r = 2/4
        ("Halden Press Ltd", ("Halden Press in Senna",), 2 * (2 / 3) * (2 / 4) / (2 / 3 + 2 / 4)),
        # a repeated token counts once when the gold has it once: p = 1/2, r = 1/1
        ("rush rush", ("Rush",), 2 * (1 / 2) * 1 / (1 / 2 + 1)),
        # the better of two forms
        ("New York", ("New York City", "New York"), 1.0),
        # Chinese, per character: common 北京 = 2, p = 2/3, r = 2/2
        ("北京市", ("北京",), 2 * (2 / 3) * 1 / (2 / 3 + 1)),
        # yes and no score only when both sides say the same
        ("yes", ("yes",), 1.0),
        ("yes it is", ("yes",), 0.0),
        ("no", ("no one",), 0.0),
        ("Toto", ("Rush",), 0.0),
        (None, ("Rush",), 0.0),
    ],
)
def test_token_f1_is_the_harmonic_mean_of_token_precision_and_recall(
    answer: str | None, accepted: tuple[str, ...], expected: float
) -> None:
    assert token_f1(answer, accepted) == pytest.approx(expected)


@given(st.text(), st.lists(st.text(), max_size=3))
def test_an_exact_match_has_f1_one_and_contains_the_form(answer: str, others: list[str]) -> None:
    accepted = [answer, *others]
    assert exact_match(answer, accepted) == 1.0
    if answer_tokens(answer):
        assert token_f1(answer, accepted) == pytest.approx(1.0)
        assert contains_accepted_form(answer, accepted) == 1.0


@pytest.mark.parametrize(
    ("answer", "accepted", "expected"),
    [
        ("It was Ilse Varga, in 1912.", ("Ilse Varga",), 1.0),
        ("It was Ilse de Varga", ("Ilse Varga",), 0.0),
        ("1912", ("191",), 0.0),  # whole tokens only
        ("印于1912年的北京市", ("北京",), 1.0),
        ("35 minutes", ("35", "35 minutes"), 1.0),
        ("nothing", ("the",), 0.0),  # a form without tokens is never found
        (None, ("x",), 0.0),
    ],
)
def test_an_accepted_form_may_stand_anywhere_in_the_answer(
    answer: str | None, accepted: tuple[str, ...], expected: float
) -> None:
    assert contains_accepted_form(answer, accepted) == expected
