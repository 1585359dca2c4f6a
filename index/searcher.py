"""Searcher: the one thing agents ask of an index, whatever lies behind it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from corpora.document import Segment
from corpora.hit import Filters, Hit, Mode
from corpora.store import DocumentStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A stretch of a document as it is read; ``text`` is ``document.text[start:end]``."""

    doc_id: str
    title: str
    uri: str
    start: int
    end: int
    text: str
    page: int | None
    segments: tuple[Segment, ...]
    """Visible segments that overlap the stretch, in text order."""


class Terms(Protocol):
    """What a comparison of words asks: the terms of a text, and how rare a term is."""

    def content_tokens(self, text: str) -> list[str]:
        """Terms of a text as the lexical leg compares them, without stop words."""
        ...

    def idf(self, token: str) -> float:
        """How rare a term is in this corpus; above 0."""
        ...


class Searcher(Terms, Protocol):
    """Search, then read. Safe to share between threads."""

    corpus: str
    fingerprint: str
    languages: frozenset[str]
    store: DocumentStore

    def search(
        self,
        queries: Sequence[str],
        *,
        k: int,
        mode: Mode = "hybrid",
        filters: Filters | None = None,
        page: int = 1,
        bridges: bool = True,
    ) -> list[list[Hit]]:
        """One ranking per query: ranks ``(page - 1) * k`` to ``page * k - 1`` of a deep one.

        With ``bridges`` mode ``hybrid`` also brings up what the query and the best hits name.
        """
        ...

    def open(
        self, doc_id: str, span: tuple[int, int] | None = None, *, filters: Filters | None = None
    ) -> Passage:
        """The document, or a span of it.

        Raises:
            UnknownDocument: there is none such, or the filters do not admit it.
        """
        ...

    def find(
        self, doc_id: str, text: str, *, filters: Filters | None = None
    ) -> list[tuple[int, int]]:
        """Spans of the canonical text that read ``text``, in order; first exactly, else folded.

        Raises:
            UnknownDocument: there is none such, or the filters do not admit it.
        """
        ...

    def segments(self, doc_id: str, start: int, end: int) -> list[Segment]:
        """Visible segments that overlap ``[start, end)``, in text order."""
        ...
