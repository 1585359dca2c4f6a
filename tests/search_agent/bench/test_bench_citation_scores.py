"""Citation precision and recall over spans (DESIGN §10.22), and the documents of a ranking."""

import pytest

from search_agent.bench.all_gold import first_documents
from search_agent.bench.cited_spans import (
    Span,
    citation_precision,
    citation_recall,
    is_same_place,
)


@pytest.mark.parametrize(
    ("cited", "gold", "expected"),
    [
        (("d", 0, 10), ("d", 0, 10), True),
        (("d", 5, 15), ("d", 0, 10), True),  # overlap 5 of 10: half is enough
        (("d", 6, 16), ("d", 0, 10), False),  # overlap 4 of 10
        (("d", 0, 100), ("d", 40, 50), True),  # the shorter lies wholly inside
        (("d", 8, 12), ("d", 0, 10), True),  # overlap 2 of the shorter's 4
        (("d", 9, 12), ("d", 0, 10), False),  # overlap 1 of the shorter's 3
        (("d", 10, 20), ("d", 0, 10), False),  # they only touch
        (("e", 0, 10), ("d", 0, 10), False),  # another document
    ],
)
def test_a_span_is_right_when_it_overlaps_half_of_the_shorter(
    cited: tuple[str, int, int], gold: tuple[str, int, int], expected: bool
) -> None:
    assert is_same_place(Span(*cited), Span(*gold)) is expected
    assert is_same_place(Span(*gold), Span(*cited)) is expected


GOLD = (Span("d", 0, 10), Span("e", 0, 10))


@pytest.mark.parametrize(
    ("cited", "precision", "recall"),
    [
        ((Span("d", 0, 10), Span("e", 0, 10)), 2 / 2, 2 / 2),
        ((Span("d", 0, 10), Span("f", 0, 10)), 1 / 2, 1 / 2),
        # the same span under two claims is one citation
        ((Span("d", 0, 10), Span("d", 0, 10)), 1 / 1, 1 / 2),
        # two spans on one gold sentence are both right, and find one sentence
        ((Span("d", 0, 6), Span("d", 4, 10)), 2 / 2, 1 / 2),
        ((Span("f", 0, 10),), 0 / 1, 0 / 2),
        ((), 0.0, 0 / 2),
    ],
)
def test_precision_counts_cited_spans_and_recall_counts_gold_spans(
    cited: tuple[Span, ...], precision: float, recall: float
) -> None:
    assert citation_precision(cited, GOLD) == precision
    assert citation_recall(cited, GOLD) == recall


def test_recall_without_gold_is_no_number() -> None:
    assert citation_recall((Span("d", 0, 10),), ()) is None


def test_documents_are_counted_once_at_their_best_chunk() -> None:
    from corpora.hit import Hit

    hits = [
        Hit(
            chunk_id=f"{doc_id}:{rank}-{rank + 1}",
            doc_id=doc_id,
            title="",
            uri="",
            page=None,
            heading_path=(),
            start=rank,
            end=rank + 1,
            text="x",
            score=1 - rank / 10,
            rank=rank,
        )
        for rank, doc_id in enumerate(["a", "a", "b", "a", "c"])
    ]
    assert first_documents(hits, 2) == ["a", "b"]
    assert first_documents(hits, 10) == ["a", "b", "c"]
