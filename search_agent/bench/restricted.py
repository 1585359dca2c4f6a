"""RestrictedSearcher: a searcher over a part of a corpus, some documents alone or all but some.

Ranks are those of the part. Statistics (``idf``, ``languages``) stay those of the whole corpus, as
they do under any filter. ``store`` is the whole store too: citations of what has been found here
are cut from it, and nobody searches it.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

from corpora.canonical_json import canonical_json, sha256_hex
from corpora.document import Segment
from corpora.hit import Filters, Hit, Mode
from index.errors import UnknownDocument
from index.searcher import Passage, Searcher


class RestrictedSearcher:
    """A ``Searcher`` that knows the documents ``only`` (None: all) but those ``without``."""

    def __init__(
        self,
        whole: Searcher,
        *,
        only: Collection[str] | None = None,
        without: Collection[str] = (),
    ) -> None:
        self._whole = whole
        self._without = frozenset(without)
        self._only = None if only is None else frozenset(only) - self._without
        kept = None if self._only is None else sorted(self._only)
        self.fingerprint = sha256_hex(
            canonical_json([whole.fingerprint, kept, sorted(self._without)])
        )
        self.corpus = whole.corpus
        self.languages = whole.languages
        self.store = whole.store

    def admits(self, doc_id: str) -> bool:
        """Whether the document is of this part."""
        return doc_id not in self._without and (self._only is None or doc_id in self._only)

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
        """One ranking per query over the part, as if nothing else were there."""
        if self._only is None:
            return self._search_deeper(
                queries, k=k, mode=mode, filters=filters, page=page, bridges=bridges
            )
        asked = filters or Filters()
        doc_ids = self._only & set(asked.doc_ids) if asked.doc_ids else self._only
        if not doc_ids:  # an empty filter would admit all
            return [[] for _ in queries]
        narrowed = replace(asked, doc_ids=tuple(sorted(doc_ids)))
        return self._whole.search(
            queries, k=k, mode=mode, filters=narrowed, page=page, bridges=bridges
        )

    def open(
        self, doc_id: str, span: tuple[int, int] | None = None, *, filters: Filters | None = None
    ) -> Passage:
        """The document, or a span of it.

        Raises:
            UnknownDocument: it is not of this part, or the filters do not admit it.
        """
        self._check(doc_id)
        return self._whole.open(doc_id, span, filters=filters)

    def find(
        self, doc_id: str, text: str, *, filters: Filters | None = None
    ) -> list[tuple[int, int]]:
        """Spans of the canonical text that read ``text``.

        Raises:
            UnknownDocument: it is not of this part, or the filters do not admit it.
        """
        self._check(doc_id)
        return self._whole.find(doc_id, text, filters=filters)

    def segments(self, doc_id: str, start: int, end: int) -> list[Segment]:
        """Visible segments that overlap ``[start, end)``; none of a document outside the part."""
        return self._whole.segments(doc_id, start, end) if self.admits(doc_id) else []

    def content_tokens(self, text: str) -> list[str]:
        """Terms of a text as the lexical leg compares them, without stop words."""
        return self._whole.content_tokens(text)

    def idf(self, token: str) -> float:
        """How rare a term is in the whole corpus; above 0."""
        return self._whole.idf(token)

    def _search_deeper(
        self,
        queries: Sequence[str],
        *,
        k: int,
        mode: Mode,
        filters: Filters | None,
        page: int,
        bridges: bool,
    ) -> list[list[Hit]]:
        """Filters name what is admitted and cannot name what is not: more is asked for until
        enough is left. Where a removed document stands for others of equal text, they go with it.
        """
        wanted = page * k
        depth = 2 * wanted
        while True:
            rankings = self._whole.search(
                queries, k=depth, mode=mode, filters=filters, bridges=bridges
            )
            left = [[hit for hit in hits if self._admits_hit(hit)] for hits in rankings]
            if all(
                len(kept) >= wanted or len(hits) < depth
                for kept, hits in zip(left, rankings, strict=True)
            ):
                return [
                    [self._shown(hit, rank) for rank, hit in enumerate(kept[:wanted])][wanted - k :]
                    for kept in left
                ]
            depth *= 2

    def _admits_hit(self, hit: Hit) -> bool:
        leader = hit.bridge.mention.doc_id if hit.bridge else None
        is_found = (
            leader is None
            or self.admits(leader)
            or any(rank is not None for rank in hit.legs.values())
        )
        return self.admits(hit.doc_id) and is_found

    def _shown(self, hit: Hit, rank: int) -> Hit:
        duplicates = tuple(
            chunk_id for chunk_id in hit.duplicates if self.admits(chunk_id.rpartition(":")[0])
        )
        return replace(hit, rank=rank, duplicates=duplicates)

    def _check(self, doc_id: str) -> None:
        if not self.admits(doc_id):
            message = f"there is no document {doc_id!r} here; ids are those of search results"
            raise UnknownDocument(message)
