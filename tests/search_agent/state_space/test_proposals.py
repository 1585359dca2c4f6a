"""Proposals: repeats go, the best few stay, ties keep their order."""

import pytest

from search_agent.state_space.proposals import is_same_direction, select_proposals, tokens
from search_agent.state_space.records import ActionProposal


def proposals(*pairs: tuple[str, float]) -> list[ActionProposal]:
    return [ActionProposal(direction=direction, score=score) for direction, score in pairs]


def test_of_seven_proposals_the_five_best_stay_with_ties_in_order() -> None:
    raw = proposals(
        ("alpha", 0.4),
        ("bravo", 0.9),
        ("charlie", 0.6),
        ("delta", 0.6),
        ("echo", 0.1),
        ("foxtrot", 0.6),
        ("golf", 0.5),
    )
    kept, dropped = select_proposals(raw, limit=5, used=[])
    assert [p.direction for p in kept] == ["bravo", "charlie", "delta", "foxtrot", "golf"]
    assert dropped == ["'alpha': beyond the limit of 5", "'echo': beyond the limit of 5"]


TEN = "find every catalogue of island floras printed before nineteen twenty"

SAME: list[tuple[str, str, bool]] = [
    ("Find the press.", "find  the PRESS", True),
    ("“find the press”", "Find the press!", True),
    (TEN, f"{TEN} anywhere", True),  # 10 shared of 11: 0.909
    (TEN, f"{TEN} anywhere else", False),  # 10 of 12: 0.833
    ("press find the", "find the press", True),
    ("find the press", "find the printer", False),
    ("查找哈尔登出版社", "查找哈尔登出版社。", True),
    ("查找哈尔登出版社", "查找另一家出版社", False),
]


@pytest.mark.parametrize(("one", "other", "is_same"), SAME)
def test_directions_are_the_same_when_norm_equal_or_nearly_all_words_are_shared(
    one: str, other: str, is_same: bool
) -> None:
    assert is_same_direction(one, other) is is_same
    assert is_same_direction(other, one) is is_same
    assert bool(select_proposals(proposals((one, 0.5)), limit=5, used=[other])[1]) is is_same


def test_of_two_alike_the_one_with_the_higher_score_stays() -> None:
    kept, dropped = select_proposals(
        proposals(("find the press", 0.3), ("Find the press.", 0.8)), limit=5, used=[]
    )
    assert kept == proposals(("Find the press.", 0.8))
    assert dropped == ["'find the press': repeated"]


def test_repeats_do_not_use_up_the_limit() -> None:
    raw = proposals(("find a", 0.9), ("find a.", 0.8), ("look for b", 0.7))
    assert [p.direction for p in select_proposals(raw, limit=2, used=[])[0]] == [
        "find a",
        "look for b",
    ]


def test_directions_are_trimmed_and_blank_or_overlong_ones_dropped() -> None:
    raw = proposals(("  find \n the press ", 0.5), (" . ", 0.9), ("x" * 401, 0.9), ("y" * 400, 0.4))
    kept, dropped = select_proposals(raw, limit=5, used=[])
    assert [p.direction for p in kept] == ["find the press", "y" * 400]
    assert [reason.rpartition(": ")[2] for reason in dropped] == [
        "blank",
        "longer than 400 characters",
    ]


def test_tokens_are_words_or_bigrams_where_no_blanks_are_written() -> None:
    assert tokens("Halden Press 1912") == {"halden", "press", "1912"}
    assert tokens("出版社1912年") == {"出版", "版社", "1912", "年"}
