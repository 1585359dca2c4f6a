"""EvidenceLedger: short ids for what a search has been shown, given in order of first sight.

One ledger serves all branches of one search; two searches never share one.
"""

import threading
from collections.abc import Iterable

from corpora.document import Segment
from corpora.hit import Hit
from search_agent.evidence.records import Evidence


class EvidenceLedger:
    """Gives ``S<n>`` to segments and ``D<n>`` to documents, from 1, never reused.

    Thread-safe: branches register at the same time.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._evidence: dict[str, Evidence] = {}
        self._short_ids: dict[str, str] = {}
        self._documents: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._evidence)

    def register(
        self,
        hit: Hit,
        segment: Segment,
        *,
        action_id: str,
        call_id: str,
        tool: str,
        query: str,
        reading: str = "",
        before: str = "",
    ) -> Evidence:
        """The evidence of this segment; the first registration stands."""
        with self._lock:
            known = self._short_ids.get(segment.segment_id)
            if known is not None:
                return self._evidence[known]
            text = hit.text_of(segment)
            evidence = Evidence(
                segment_id=f"S{len(self._evidence) + 1}",
                doc_id=hit.doc_id,
                document_id=self.document_id(hit.doc_id),
                chunk_id=hit.chunk_id,
                start=segment.start,
                end=segment.end,
                text=text,
                page=segment.page,
                heading_path=segment.heading_path,
                uri=hit.uri,
                title=hit.title,
                action_id=action_id,
                call_id=call_id,
                tool=tool,
                query=query,
                rank=hit.rank,
                reading=reading or text,
                before=before,
            )
            self._add(evidence)
            return evidence

    def restore(self, evidence: Iterable[Evidence]) -> None:
        """Take over a recorded search's evidence, in its order, before anything is registered."""
        with self._lock:
            for item in evidence:
                self._documents.setdefault(item.doc_id, item.document_id)
                self._add(item)

    def document_id(self, doc_id: str) -> str:
        """``D<n>`` of the document, given now if this is its first sight."""
        with self._lock:
            return self._documents.setdefault(doc_id, f"D{len(self._documents) + 1}")

    def short_id(self, segment_id: str) -> str | None:
        """``S<n>`` of a stored segment id (``doc_id:start-end``); None if it was never shown."""
        return self._short_ids.get(segment_id)

    def get(self, sid: str) -> Evidence | None:
        """The evidence under a short id; None if that id was never given."""
        return self._evidence.get(sid)

    @property
    def in_order(self) -> tuple[Evidence, ...]:
        """All evidence, in order of first sight."""
        with self._lock:
            return tuple(self._evidence.values())

    def aliases(self) -> dict[str, str]:
        """URI and title of each document shown → its ``D<n>``; an ambiguous title is left out."""
        by_text: dict[str, set[str]] = {}
        for item in self.in_order:
            for text in (item.uri, item.title):
                if text:
                    by_text.setdefault(text, set()).add(item.document_id)
        return {text: ids.pop() for text, ids in by_text.items() if len(ids) == 1}

    def chunk_ids(self) -> tuple[str, ...]:
        """Chunks of which a segment was shown, in order of first sight."""
        return tuple(dict.fromkeys(item.chunk_id for item in self.in_order))

    def _add(self, evidence: Evidence) -> None:
        self._evidence[evidence.segment_id] = evidence
        self._short_ids[f"{evidence.doc_id}:{evidence.start}-{evidence.end}"] = evidence.segment_id
