"""cite: short ids under a claim become checked spans; the quote is cut here and nowhere else.

Why not take the quote from the evidence shown: a quote is worth its check only if it is cut from a
fresh read of the stored text.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from corpora.document import Document
from corpora.store import DocumentStore
from search_agent.evidence.ledger import EvidenceLedger
from search_agent.evidence.records import Citation, Claim, Evidence
from search_agent.evidence.source_check import SourceFiles


def cite(
    claims: Sequence[tuple[str, Sequence[str]]],
    *,
    ledger: EvidenceLedger,
    store: DocumentStore,
    source_root: Path | None,
) -> tuple[Claim, ...]:
    """Claims with their citations, existence checked (DESIGN §10.13), support not yet.

    Ids of neighbouring segments of one document under one heading become one citation with one
    span. Ids that were never given are dropped; a claim left without any is ``uncited``.
    """
    documents = _FreshDocuments(store, source_root)
    cited = []
    for index, (text, ids) in enumerate(claims):
        evidence = [item for sid in dict.fromkeys(ids) if (item := ledger.get(sid)) is not None]
        citations = tuple(documents.cite(index, group) for group in _groups(evidence, store))
        cited.append(
            Claim(
                text=text,
                segment_ids=tuple(item.segment_id for item in evidence),
                citations=citations,
                uncited=not citations,
            )
        )
    return tuple(cited)


def existence_rate(claims: Sequence[Claim]) -> float | None:
    """Existing citations ÷ citations; None without citations."""
    citations = [citation for claim in claims for citation in claim.citations]
    if not citations:
        return None
    return sum(citation.exists for citation in citations) / len(citations)


def support_rate(claims: Sequence[Claim]) -> float | None:
    """Supported claims ÷ claims (uncited ones count); None without claims, or where none of the
    cited claims has been checked.
    """
    cited = [claim for claim in claims if claim.citations]
    if not claims or (cited and all(claim.support is None for claim in cited)):
        return None
    return sum(claim.label == "supported" for claim in claims) / len(claims)


def text_is_intact(document: Document) -> bool:
    """Whether the stored text still has the hash it was stored with."""
    return hashlib.sha256(document.text.encode()).hexdigest() == document.text_sha256


def _groups(evidence: Sequence[Evidence], store: DocumentStore) -> list[list[Evidence]]:
    """Runs of adjacent segments, in order of the first id that names one of theirs."""
    named = {item.segment_id: position for position, item in enumerate(evidence)}
    groups: list[list[Evidence]] = []
    for item in sorted(evidence, key=lambda item: (item.doc_id, item.start)):
        last = groups[-1][-1] if groups else None
        if last is not None and _are_adjacent(last, item, store):
            groups[-1].append(item)
        else:
            groups.append([item])
    return sorted(groups, key=lambda group: min(named[item.segment_id] for item in group))


def _are_adjacent(left: Evidence, right: Evidence, store: DocumentStore) -> bool:
    if left.doc_id != right.doc_id or left.heading_path != right.heading_path:
        return False
    return left.end <= right.start and not store.segments(left.doc_id, left.end, right.start)


class _FreshDocuments:
    """Stored documents with their checks, each read once per call of ``cite``."""

    def __init__(self, store: DocumentStore, source_root: Path | None) -> None:
        self._store = store
        self._sources = SourceFiles(store, source_root)
        self._documents: dict[str, Document | None] = {}

    def cite(self, claim: int, group: Sequence[Evidence]) -> Citation:
        first, last = group[0], group[-1]
        if first.doc_id not in self._documents:
            self._documents[first.doc_id] = self._store.document(first.doc_id)
        document = self._documents[first.doc_id]
        is_intact = (
            document is not None
            and text_is_intact(document)
            and all(document.text[item.start : item.end] == item.text for item in group)
        )
        check = self._sources.check(document) if document is not None else "absent"
        return Citation(
            claim=claim,
            segment_ids=tuple(f"{item.doc_id}:{item.start}-{item.end}" for item in group),
            doc_id=first.doc_id,
            title=document.title if document else first.title,
            uri=first.uri,
            source_sha256=document.source_sha256 if document else "",
            text_sha256=document.text_sha256 if document else "",
            start=first.start,
            end=last.end,
            quote=document.text[first.start : last.end] if document else first.text,
            page=first.page,
            heading_path=first.heading_path,
            exists=is_intact and check != "changed",
            source_check=check,
            date=document.date if document else None,
        )
