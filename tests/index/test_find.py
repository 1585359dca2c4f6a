"""Finding a quote in a document."""

import pytest

from index.find import find_spans

TEXT = "The “Große  Straße” of\nBremen was re‑paved. The road — 12 km — is long. ＡＢＣ"


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("Bremen", ["Bremen"]),
        ("The", ["The", "The"]),
        ("the", ["The", "The"]),
        ('"grosse strasse" of bremen', ["“Große  Straße” of\nBremen"]),
        ("re-paved", ["re‑paved"]),
        ("road - 12 KM - is", ["road — 12 km — is"]),
        ("abc", ["ＡＢＣ"]),
        ("Berlin", []),
        ("  ", []),
        ("\u200b", []),
    ],
)
def test_spans_read_the_text_exactly_or_else_folded(wanted: str, found: list[str]) -> None:
    assert [TEXT[start:end] for start, end in find_spans(TEXT, wanted)] == found


def test_an_exact_match_hides_the_folded_ones() -> None:
    assert find_spans("No no NO", "no") == [(3, 5)]


def test_a_decomposed_accent_finds_the_composed_letter() -> None:
    assert find_spans("caf\u00e9", "cafe\u0301") == [(0, 4)]
