"""A SentencePiece unigram model, read from a file written here field by field."""

import struct
from pathlib import Path

import pytest

from corpora.errors import MalformedRecord
from corpora.unigram_tokenizer import load_unigram_tokenizer

NORMAL, UNKNOWN, CONTROL = 1, 2, 3


def field(number: int, value: bytes) -> bytes:
    """A length-delimited field; lengths here stay below 128, which one byte holds."""
    return bytes([number << 3 | 2, len(value)]) + value


def piece(text: str, score: float, kind: int = NORMAL) -> bytes:
    score_field = bytes([2 << 3 | 5]) + struct.pack("<f", score)
    return field(1, field(1, text.encode()) + score_field + bytes([3 << 3, kind]))


PIECES = [
    piece("<unk>", 0, UNKNOWN),
    piece("<s>", 0, CONTROL),
    piece("▁", -3),
    piece("▁deep", -1),
    piece("▁water", -2),
    piece("▁deepwater", -9),
    piece("water", -4),
    piece("水", -1),
    piece("库", -1),
    piece("s", -5),
]
TRAINER, NORMALIZER = field(2, bytes([1 << 3, 1])), field(3, field(1, b"identity"))


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "sp.model"
    path.write_bytes(b"".join(PIECES) + TRAINER + NORMALIZER)
    return path


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("deep water", [3, 4]),
        ("deepwater", [3, 6]),  # -1 - 4 is more than -9
        ("  deep   water ", [3, 4]),
        ("水库", [2, 7, 8]),
        ("deep 😀😀", [3, 2, 0]),  # a run of unknown characters is one unknown piece
        ("<s>", [2, 0, 9, 0]),  # the text "<s>" is not the sign for the beginning of a text
        ("", []),
    ],
)
def test_the_likeliest_pieces_are_taken(model: Path, text: str, ids: list[int]) -> None:
    assert load_unigram_tokenizer(model).encode(text, add_special_tokens=False).ids == ids


def test_offsets_are_code_points_of_the_text_as_it_is(model: Path) -> None:
    text = "水库 deep  water"
    offsets = load_unigram_tokenizer(model).encode(text, add_special_tokens=False).offsets
    assert [text[start:end].strip() for start, end in offsets[-4:]] == ["水", "库", "deep", "water"]


@pytest.mark.parametrize("content", [b"", b"\x0a", b"\x0f\x01", b"not a model at all"])
def test_another_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "sp.model"
    path.write_bytes(content)
    with pytest.raises(MalformedRecord, match=r"sp\.model' is no SentencePiece model"):
        load_unigram_tokenizer(path)


def test_an_absent_file_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(MalformedRecord, match="make models"):
        load_unigram_tokenizer(tmp_path / "sp.model")
