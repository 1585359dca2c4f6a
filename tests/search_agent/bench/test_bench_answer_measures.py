"""Exact match, token F1 and accepted form: worked by hand, as in SQuAD and HotpotQA."""

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
def test_tokens_of_joined_tokens_are_the_same_tokens_unless_an_article_appears(text: str) -> None:
    once = answer_tokens(text)
    twice = answer_tokens(" ".join(once))
    assert [token for token in once if token not in {"a", "an", "the"}] == twice


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
