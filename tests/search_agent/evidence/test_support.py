"""check_support: guard, shared words and judge in one score."""

import pytest

from search_agent.config import Citations
from search_agent.evidence.support import check_support, combine

SETTINGS = Citations()


@pytest.mark.parametrize(
    ("p", "overlap", "missing", "same_script", "score", "label"),
    [
        (0.9, 0.5, (), True, 0.7 * 0.9 + 0.3 * 0.5, "supported"),  # 0.78
        (0.6, 0.3, (), True, 0.7 * 0.6 + 0.3 * 0.3, "partial"),  # 0.51
        (0.2, 0.4, (), True, 0.7 * 0.2 + 0.3 * 0.4, "unsupported"),  # 0.26
        (0.98, 0.8, ("1912",), True, 0.69, "partial"),
        (0.8, 0.0, (), False, 0.8, "supported"),
        (0.1, 0.1, ("1912",), True, 0.7 * 0.1 + 0.3 * 0.1, "unsupported"),
        (1.0, 0.0, (), True, 0.7, "supported"),  # the threshold itself
        (4 / 7, 0.0, (), True, 0.4, "partial"),
        (None, 0.75, (), True, 0.75, "supported"),
        (None, 0.75, ("not",), True, 0.69, "partial"),
        (None, 0.75, (), False, 0.0, "unchecked"),
    ],
)
def test_worked_values(p, overlap, missing, same_script, score, label):  # noqa: PLR0917 (a table)
    support = combine(p, overlap, missing=missing, same_script=same_script, settings=SETTINGS)
    assert support.score == pytest.approx(score)
    assert support.label == label


@pytest.mark.parametrize(
    ("p", "same_script", "method"),
    [(0.5, True, "judge+lexical"), (0.5, False, "judge"), (None, True, "lexical")],
)
def test_the_method_says_what_was_asked(p, same_script, method):
    support = combine(p, 0.5, missing=(), same_script=same_script, settings=SETTINGS)
    assert support.method == method


def test_a_failed_guard_is_never_supported_however_low_the_threshold():
    low = Citations(supported_min=0.5, partial_min=0.4)
    support = combine(0.9, 0.9, missing=("1912",), same_script=True, settings=low)
    assert support.label == "partial"


@pytest.fixture
def check(corpus):
    corpus.add("a.txt", "The Halden Press printed the diary of Ilse Varga in 1912.")
    corpus.add("b.txt", "The mill at Korren was sold.")
    searcher = corpus.open()

    def check_claim(claim, *quotes, judge=None):
        return check_support(claim, quotes, judge=judge, terms=searcher, settings=SETTINGS)

    return check_claim


def test_a_judge_is_given_the_claim_and_all_quotes_once(check):
    asked = []

    def judge(claim, quotes):
        asked.append((claim, tuple(quotes)))
        return 0.9

    check("Halden printed it.", "Halden Press.", "It printed it.", judge=judge)
    assert asked == [("Halden printed it.", ("Halden Press.", "It printed it."))]


def test_a_judge_out_of_time_leaves_the_lexical_check(check):
    support = check("Halden printed.", "Halden printed.", judge=lambda claim, quotes: None)
    assert (support.method, support.score, support.label) == ("lexical", 1.0, "supported")


def test_a_wrong_passage_is_unsupported(check):
    support = check(
        "The Halden Press printed the diary.",
        "The mill at Korren was sold.",
        judge=lambda claim, quotes: 0.05,
    )
    assert support.label == "unsupported"


def test_without_quotes_nothing_is_asked_and_nothing_supported(check):
    def judge(claim, quotes):
        raise AssertionError

    assert check("The Halden Press printed it.", judge=judge).label == "unsupported"


def test_overlap_weighs_rare_words_more(check):
    rare_missing = check("The Halden mill", "the mill the").overlap
    idf_equal = 0.5
    assert rare_missing == pytest.approx(idf_equal)  # both stand in one of two chunks
    assert check("Zebra mill", "the mill").overlap < idf_equal  # no chunk has a zebra


def test_chinese_overlaps_by_character_pairs(check):
    support = check("哈尔登出版社印刷了日记", "这本日记由哈尔登出版社印刷。")
    assert 0.5 < support.overlap < 1


def test_across_scripts_the_judge_decides_and_only_numbers_are_guarded(check):
    quote = "The Halden Press printed 300 copies."
    right = check("哈尔登出版社印了300册。", quote, judge=lambda claim, quotes: 0.8)
    wrong = check("哈尔登出版社印了500册。", quote, judge=lambda claim, quotes: 0.8)
    assert (right.score, right.label, right.method) == (0.8, "supported", "judge")
    assert (wrong.score, wrong.label, wrong.missing) == (0.69, "partial", ("500",))


def test_across_scripts_without_a_judge_nothing_is_claimed(check):
    assert check("哈尔登出版社印了300册。", "It printed 300 copies.").label == "unchecked"


def test_without_a_judge_a_denial_in_the_same_words_is_not_support(check):
    support = check(
        "The Halden Press printed the diary.", "The Halden Press never printed the diary."
    )
    assert (support.overlap, support.label) == (1.0, "partial")
