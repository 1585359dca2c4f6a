"""verify_result: a saved answer's citations checked again, field by field, without a model."""

from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from corpora.document import Document, Segment
from corpora.store import DocumentStore
from search_agent.evidence.citation import text_is_intact
from search_agent.evidence.numbering import number_citations
from search_agent.evidence.records import Citation
from search_agent.evidence.source_check import SourceFiles
from search_agent.final_result import FinalResult


class CitationFailure(BaseModel):
    """A citation that does not hold."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    citation: int
    """Its number in the answer, from 1."""
    reason: str
    """Begins with ``changed``, ``replaced``, ``removed``, ``text_mismatch`` or ``absent`` where one
    of these is the case, and names every field of the record that differs; parts are joined by ;"""


class VerifyReport(BaseModel):
    """What ``verify --json`` prints."""

    model_config = ConfigDict(extra="forbid", frozen=True, serialize_by_alias=True)

    schema_: int = Field(1, alias="schema")
    citations: int
    exist: int
    claims: int
    supported: int
    """Claims whose saved label is ``supported``; judging is not repeated."""
    failures: tuple[CitationFailure, ...] = ()

    @property
    def exit_code(self) -> int:
        """0, or 2 if any citation does not exist."""
        return 2 if self.failures else 0


def verify_result(
    result: FinalResult, *, store: DocumentStore, source_root: Path | None
) -> VerifyReport:
    """Every citation of ``result`` against the store and the source files as they are now."""
    sources = SourceFiles(store, source_root)
    numbered = number_citations(result.claims)
    failures: dict[tuple[int, str], None] = {}
    n_failed = 0
    for number, citation in numbered:
        reasons = list(_faults(citation, store, sources))
        if reasons:
            n_failed += 1
            failures[number, "; ".join(reasons)] = None
    return VerifyReport(
        citations=len(numbered),
        exist=len(numbered) - n_failed,
        claims=len(result.claims),
        supported=sum(claim.label == "supported" for claim in result.claims),
        failures=tuple(CitationFailure(citation=n, reason=reason) for n, reason in failures),
    )


def _faults(citation: Citation, store: DocumentStore, sources: SourceFiles) -> Iterator[str]:
    document = store.document(citation.doc_id)
    if document is None:
        yield f"absent: doc_id {citation.doc_id!r} is not in the store"
        return
    is_current, replaced_by = store.standing(citation.doc_id)
    if not is_current:
        yield "replaced" if replaced_by else "removed"
    elif sources.check(document) == "changed":
        yield "changed"
    yield from _text_faults(citation, document)
    segments = store.segments(citation.doc_id, citation.start, citation.end)
    yield from _place_faults(citation, document, segments)
    uris = {document.uri, *(location.uri for location in store.locations(citation.doc_id))}
    if citation.uri not in uris:
        yield f"uri {citation.uri!r} is no place of the document ({document.uri!r})"
    if citation.title != document.title:
        yield f"title {citation.title!r} is not the document's ({document.title!r})"
    if citation.source_sha256 != document.source_sha256:
        yield f"source_sha256 {citation.source_sha256[:12]!r} is not the recorded one"
    if citation.date != document.date:
        yield f"date {citation.date!r} is not the document's ({document.date!r})"


def _text_faults(citation: Citation, document: Document) -> Iterator[str]:
    start, end = citation.start, citation.end
    if not text_is_intact(document):
        yield "text_mismatch: the stored text is not the one that was ingested"
    if citation.text_sha256 != document.text_sha256:
        yield "text_mismatch: text_sha256 is not that of the stored text"
    if not 0 <= start < end <= len(document.text):
        yield f"text_mismatch: start {start}, end {end} is no span of 0 to {len(document.text)}"
    elif document.text[start:end] != citation.quote:
        yield f"text_mismatch: quote differs from text[{start}:{end}]"


def _place_faults(citation: Citation, document: Document, segments: list[Segment]) -> Iterator[str]:
    if not segments:
        yield f"start {citation.start} and end {citation.end} hold no segment"
        return
    first, last = segments[0], segments[-1]
    if first.start != citation.start:
        yield f"start {citation.start} is not where its segment begins ({first.start})"
    if last.end != citation.end:
        yield f"end {citation.end} is not where its segment ends ({last.end})"
    ids = tuple(segment.segment_id for segment in segments)
    if citation.segment_ids != ids:
        yield f"segment_ids {citation.segment_ids!r} are not those of the span {ids!r}"
    page = first.page if first.page is not None else document.page_at(first.start)
    if citation.page != page:
        yield f"page {citation.page} is not the page of the span ({page})"
    if citation.heading_path != first.heading_path:
        yield f"heading_path {citation.heading_path!r} is not the span's {first.heading_path!r}"
