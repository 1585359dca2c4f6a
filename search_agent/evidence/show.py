"""show: the exact text behind a citation, a span id or a document."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from corpora.document import Document, parse_span_id
from corpora.errors import CorpusNotFound
from corpora.store import DocumentStore
from search_agent.errors import RunNotFound
from search_agent.evidence.numbering import references
from search_agent.evidence.saved_result import find_run, load_result


class ShownSpan(BaseModel):
    """What ``show --json`` prints; ``before`` and ``after`` are the code points around the span."""

    model_config = ConfigDict(extra="forbid", frozen=True, serialize_by_alias=True)

    schema_: int = Field(1, alias="schema")
    doc_id: str
    title: str
    uri: str
    source_sha256: str
    start: int
    end: int
    page: int | None
    text: str
    before: str = ""
    after: str = ""


def show(target: str, *, store: DocumentStore, runs_folder: Path, context: int = 0) -> ShownSpan:
    """The span that ``target`` names, with up to ``context`` code points on both sides.

    ``target`` is ``doc_id`` (the whole text), ``doc_id:start-end``, or ``RUN#n``: citation ``n`` of
    a run, given by its id or its folder.

    Raises:
        RunNotFound: no such run, or no such citation in it.
        CorpusNotFound: no such document, or no such span in it.
    """
    document = store.document(target)
    if document is not None:
        return _shown(document, 0, len(document.text), context)
    run, mark, number = target.rpartition("#")
    if mark and number.isdecimal():
        return _cited(run, int(number), store, runs_folder, context)
    try:
        doc_id, start, end = parse_span_id(target)
    except ValueError as error:
        message = f"{target!r} is no document; show takes doc_id, doc_id:start-end or RUN#n"
        raise CorpusNotFound(message) from error
    return _span(store, doc_id, start, end, context)


def _cited(
    run: str, number: int, store: DocumentStore, runs_folder: Path, context: int
) -> ShownSpan:
    numbered = dict(references(load_result(find_run(run, runs_folder)).claims))
    if number not in numbered:
        allowed = f"it has 1 to {len(numbered)}" if numbered else "it has none"
        message = f"run {run!r} has no citation {number}; {allowed}"
        raise RunNotFound(message)
    citation = numbered[number]
    return _span(store, citation.doc_id, citation.start, citation.end, context)


def _span(store: DocumentStore, doc_id: str, start: int, end: int, context: int) -> ShownSpan:
    document = store.document(doc_id)
    if document is None:
        message = f"document {doc_id!r} is not in the store; it was purged, or is of another corpus"
        raise CorpusNotFound(message)
    if not 0 <= start < end <= len(document.text):
        message = f"{doc_id}:{start}-{end} is no span of a text of {len(document.text)} characters"
        raise CorpusNotFound(message)
    return _shown(document, start, end, context)


def _shown(document: Document, start: int, end: int, context: int) -> ShownSpan:
    around = max(0, context)
    return ShownSpan(
        doc_id=document.doc_id,
        title=document.title,
        uri=document.uri,
        source_sha256=document.source_sha256,
        start=start,
        end=end,
        page=document.page_at(start),
        text=document.text[start:end],
        before=document.text[max(0, start - around) : start],
        after=document.text[end : end + around],
    )
