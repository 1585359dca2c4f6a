"""Canonical text: LF, NFC, U+FFFD for what cannot be stored."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.canonical import canonical_text

ANY_TEXT = st.text(st.characters(exclude_categories=()))


@given(ANY_TEXT)
def test_twice_canonical_is_once_canonical(raw: str) -> None:
    once = canonical_text(raw).text

    assert canonical_text(once).text == once


@given(ANY_TEXT)
def test_canonical_text_is_nfc_and_can_be_stored(raw: str) -> None:
    text = canonical_text(raw).text

    assert unicodedata.is_normalized("NFC", text)
    assert "\r" not in text
    assert "\x00" not in text
    text.encode("utf-8")


@pytest.mark.parametrize(
    ("raw", "text", "n_replaced"),
    [
        ("a\r\nb\rc\n", "a\nb\nc\n", 0),
        ("Cafe\u0301", "Caf\u00e9", 0),
        ("a\x00b", "a\ufffdb", 1),
        ("a\ud800b\udfff", "a\ufffdb\ufffd", 2),
        ("\U0001f600 stays", "\U0001f600 stays", 0),
    ],
)
def test_what_changes_and_what_is_counted(raw: str, text: str, n_replaced: int) -> None:
    assert canonical_text(raw) == (text, n_replaced)
