"""The tokenizer of a SentencePiece unigram model, read from its ``.model`` file.

The file is a protobuf of three messages (pieces, trainer's and normalizer's settings). The
``tokenizers`` library runs such models but does not read the file, so the few fields that matter
are read here; the protobuf runtime and the ``sentencepiece`` package would be two more
dependencies for these lines.
"""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from corpora.errors import MalformedRecord

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_PIECE, _NORMALIZER = 1, 3
"""Fields of the whole model."""
_TEXT, _SCORE, _TYPE = 1, 2, 3
"""Fields of a piece."""
_CHARACTER_MAP = 2
"""Field of the normalizer's settings."""
_NORMAL, _UNKNOWN = 1, 2
"""Types of pieces; the others (control, unused) never stand for text."""
_VARINT, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5
"""Wire types."""


def load_unigram_tokenizer(path: Path) -> "Tokenizer":
    """Text to piece ids with offsets in code points, as SentencePiece gives them, nothing added.

    Runs of unknown characters are one unknown piece.

    Raises:
        MalformedRecord: absent, or no such model.
    """
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

    try:
        vocabulary, unknown, character_map = _read(path.read_bytes())
    except (OSError, ValueError, LookupError, struct.error) as error:
        message = f"{str(path)!r} is no SentencePiece model ({error}); run `make models`"
        raise MalformedRecord(message) from error
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=unknown))
    spaces = [normalizers.Strip(), normalizers.Replace(Regex(" {2,}"), " ")]
    characters = [normalizers.Precompiled(character_map)] if character_map else []
    tokenizer.normalizer = normalizers.Sequence([*characters, *spaces])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always", split=False)
    return tokenizer


def _read(model: bytes) -> tuple[list[tuple[str, float]], int, bytes]:
    """(pieces with their log probabilities, id of the unknown piece, character map)."""
    vocabulary: list[tuple[str, float]] = []
    unknown, character_map = 0, b""
    for number, value in _fields(model):
        if number == _PIECE:
            piece = dict(_fields(_as_bytes(value)))
            kind = piece.get(_TYPE, _NORMAL)
            text = _as_bytes(piece[_TEXT]).decode()
            if kind == _UNKNOWN:
                unknown = len(vocabulary)
            # Spaces are replaced before pieces are looked up, so a piece with one is never found.
            text = text if kind == _NORMAL else f" {text}"
            score = struct.unpack("<f", _as_bytes(piece.get(_SCORE, bytes(4))))[0]
            vocabulary.append((text, score))
        elif number == _NORMALIZER:
            character_map = _as_bytes(dict(_fields(_as_bytes(value))).get(_CHARACTER_MAP, b""))
    if not vocabulary:
        reason = "it has no pieces"
        raise ValueError(reason)
    return vocabulary, unknown, character_map


def _fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """(number, value) of each field: an int for varints, else the value's bytes."""
    position = 0
    while position < len(message):
        tag, position = _varint(message, position)
        number, wire = tag >> 3, tag & 7
        if wire == _VARINT:
            value, position = _varint(message, position)
            yield number, value
            continue
        if wire == _BYTES:
            length, position = _varint(message, position)
        elif wire in (_FOUR_BYTES, _EIGHT_BYTES):
            length = 4 if wire == _FOUR_BYTES else 8
        else:
            reason = f"wire type {wire} at byte {position}"
            raise ValueError(reason)
        yield number, message[position : position + length]
        position += length


def _varint(message: bytes, position: int) -> tuple[int, int]:
    """(value, position after it): seven bits a byte, lowest first."""
    value = shift = 0
    while True:
        byte = message[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, position
        shift += 7


def _as_bytes(value: int | bytes) -> bytes:
    if isinstance(value, int):
        reason = "a number where bytes belong"
        raise ValueError(reason)
    return value
