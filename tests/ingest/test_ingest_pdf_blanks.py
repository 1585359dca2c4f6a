"""Words of a PDF that only a gap parts are parted by a blank."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.pdf_blanks import missing_blanks

SIZE = 10.0


def placed(text: str, gaps: dict[int, float], *, spacing: float = 0.0, raised: float = 0.0):
    """Letters five points wide, ``spacing`` apart; ``gaps`` by the index of what stands after."""
    x, places = 0.0, []
    for index, _ in enumerate(text):
        x += gaps.get(index, spacing) if index else 0.0
        y = raised if index in gaps else 0.0
        places.append((x, y, x + 5, y + SIZE))
        x += 5
    codes = np.array([ord(char) for char in text], np.uint32)
    blank = np.array([char.isspace() for char in text])
    return codes, np.array(places).reshape(-1, 4), blank


def with_blanks(text: str, gaps: dict[int, float], **style: float) -> str:
    found = missing_blanks(*placed(text, gaps, **style)).tolist()
    return "".join(" " * (index in found) + char for index, char in enumerate(text))


@pytest.mark.parametrize(
    ("text", "gaps", "read"),
    [
        ("name,anumber", {5: 3.0, 6: 3.0}, "name, a number"),
        ("name,anumber", {5: 3.0}, "name, anumber"),
        ("name,anumber", {5: 1.9}, "name,anumber"),
        ("name, a", {5: 3.0, 6: 3.0}, "name, a"),
        ("左右手", {1: 3.0}, "左右手"),
        ("左right", {1: 3.0}, "左right"),
        ("שלום", {1: -15.0, 2: -15.0, 3: -15.0}, "שלום"),
        ("", {}, ""),
        ("a", {}, "a"),
    ],
    ids=["two", "one", "narrow", "has one", "CJK", "beside CJK", "leftwards", "empty", "letter"],
)
def test_a_gap_as_wide_as_a_blank_is_one(text: str, gaps: dict[int, float], read: str) -> None:
    assert with_blanks(text, gaps) == read


def test_spaced_out_words_stay_whole_and_are_parted_where_the_gap_is_wider() -> None:
    assert with_blanks("CONTENTS", {}, spacing=3.0) == "CONTENTS"
    assert with_blanks("OFCONTENTS", {2: 9.0}, spacing=3.0) == "OF CONTENTS"


def test_a_letter_on_another_height_is_not_parted_from_its_word() -> None:
    assert with_blanks("m2", {1: 3.0}, raised=-6.0) == "m2"


@given(
    st.text(st.sampled_from("ab, 手"), max_size=30),
    st.dictionaries(st.integers(0, 29), st.floats(-20, 20)),
)
def test_blanks_stand_between_two_letters_only(text: str, gaps: dict[int, float]) -> None:
    found = missing_blanks(*placed(text, gaps)).tolist()
    assert found == sorted(set(found))
    assert all(0 < at < len(text) and not (text[at - 1] + text[at]).isspace() for at in found)
    assert all(" " not in (text[at - 1], text[at]) for at in found)
