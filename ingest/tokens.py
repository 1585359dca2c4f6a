"""Counts tokens of text spans from one encoding per document, by the encoder's own tokenizer."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence

from corpora.encoder_card import EncoderCard
from corpora.unigram_tokenizer import load_unigram_tokenizer
from ingest.errors import IngestError

Spans = list[tuple[int, int]]
_WINDOW_CHARS = 200_000
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+|[^\s]")


class TokenSpans:
    """Spans of a document's tokens, in order."""

    def __init__(self, spans: Sequence[tuple[int, int]]) -> None:
        self.starts = [start for start, _ in spans]
        self.ends = [end for _, end in spans]

    def count(self, start: int, end: int) -> int:
        """Tokens that touch ``[start, end)``."""
        return max(0, bisect_left(self.starts, end) - self.first_after(start))

    def first_after(self, start: int) -> int:
        """Index of the first token that ends after ``start``."""
        return bisect_right(self.ends, start)


class Tokenizer:
    """The tokenizer of one encoder.

    A ``hash`` encoder has no files; its tokens are words, single CJK characters and signs.

    Raises (on making):
        IngestError: the encoder's ``tokenizer.json`` is absent or cannot be read.
    """

    def __init__(self, encoder: EncoderCard) -> None:
        self._encode: Callable[[str], Spans] = _words if encoder.kind == "hash" else _load(encoder)

    def count(self, text: str) -> int:
        """Tokens of ``text`` by itself."""
        return len(self._encode(text))

    def spans(self, text: str) -> TokenSpans:
        """Token spans of a whole document.

        Long texts are encoded window by window, cut at blank lines: no token crosses one, and an
        encoding takes some hundred bytes a token.
        """
        spans: Spans = []
        start = 0
        while start < len(text):
            end = len(text)
            if end - start > _WINDOW_CHARS:
                cut = text.find("\n\n", start + _WINDOW_CHARS)
                end = cut + 2 if cut >= 0 else end
            spans += ((start + a, start + b) for a, b in self._encode(text[start:end]) if a < b)
            start = end
        return TokenSpans(spans)


def _words(text: str) -> Spans:
    return [found.span() for found in _WORD.finditer(text)]


def _load(encoder: EncoderCard) -> Callable[[str], Spans]:
    from tokenizers import Tokenizer as FastTokenizer

    path = encoder.tokenizer_file
    if not path.is_file():
        message = f"encoder {encoder.name!r} has no {path.name} in its folder; run make models"
        raise IngestError(message)
    try:
        tokenizer = (
            load_unigram_tokenizer(path)
            if encoder.kind == "usem3"
            else FastTokenizer.from_file(str(path))
        )
    except Exception as error:
        message = f"{path.name} of encoder {encoder.name!r} cannot be read: {error}"
        raise IngestError(message) from error
    tokenizer.no_truncation()
    tokenizer.no_padding()

    def encode(text: str) -> Spans:
        return [
            (int(a), int(b)) for a, b in tokenizer.encode(text, add_special_tokens=False).offsets
        ]

    return encode
