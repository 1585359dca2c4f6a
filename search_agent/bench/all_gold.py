"""All gold at k: whether one search of the question already brings every document it needs."""

from collections.abc import Collection, Sequence

from corpora.hit import Hit
from index.searcher import Searcher

CHUNKS_PER_DOCUMENT = 10
"""Chunks fetched for each document wanted, so that long documents do not crowd the others out."""


def first_documents(hits: Sequence[Hit], k: int) -> list[str]:
    """The first ``k`` distinct documents of a ranking of chunks."""
    return list(dict.fromkeys(hit.doc_id for hit in hits))[:k]


def all_gold_at(
    searcher: Searcher, question: str, gold_doc_ids: Collection[str], *, k: int = 10
) -> float | None:
    """1.0 if the first ``k`` documents of one hybrid search hold all gold; None without gold."""
    if not gold_doc_ids:
        return None
    [hits] = searcher.search([question], k=k * CHUNKS_PER_DOCUMENT)
    return float(set(gold_doc_ids) <= set(first_documents(hits, k)))
