"""Passages: the hits of a call grouped by document, and as many of their segments as fit a row."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from corpora.document import Segment
from corpora.hit import Hit
from search_agent.tools.reading import Readings

FIRST_OF_EACH = 2
"""Segments every document is shown before any gets more."""
NEIGHBOUR_SHARE = 0.4
RANK_DISCOUNT = 0.3
"""A segment of the document at rank r (from 0) is worth 1 / (1 + 0.3 r) of its overlap."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One hit with those of its segments that may be shown, and the queries (from 1) it answers."""

    hit: Hit
    queries: tuple[int, ...]
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """What a row has room for, and what is left; both in row order."""

    shown: tuple[Passage, ...]
    left: tuple[Passage, ...]


def showable(hit: Hit) -> tuple[Segment, ...]:
    """Segments a reader of the page would read as its content: neither hidden nor running heads,
    nor headings, which the passage's own head names, unless there is nothing else.
    """
    shown = tuple(
        segment
        for segment in hit.segments
        if not segment.hidden
        and segment.role not in {"header", "footer"}
        and hit.start <= segment.start < segment.end <= hit.end
        and hit.text_of(segment).strip()
    )
    return tuple(segment for segment in shown if segment.kind != "heading") or shown


def without_headers(passage: Passage, readings: Readings) -> Passage:
    """The passage without header rows, whose names its other rows carry."""
    rows = tuple(s for s in passage.segments if not readings.is_header(s))
    return replace(passage, segments=rows or passage.segments)


def group_by_document(rankings: Sequence[Sequence[Hit]], *, top_k: int) -> list[Passage]:
    """Passages of the ``top_k`` best documents of each query, by document rank, then position.

    A document scores as its best hit. Where several queries share the row, documents are ordered by
    the best of their ranks, so that a capped row keeps the top of every query.
    """
    order: dict[str, tuple[int, int]] = {}
    hits: dict[str, Hit] = {}
    queries: dict[str, list[int]] = {}
    for number, ranking in enumerate(rankings, start=1):
        found = [hit for hit in ranking if hit.score > 0]
        best: dict[str, tuple[float, int]] = {}
        for hit in found:
            best.setdefault(hit.doc_id, (-hit.score, hit.rank))
            best[hit.doc_id] = min(best[hit.doc_id], (-hit.score, hit.rank))
        kept = sorted(best, key=lambda doc_id, best=best: (best[doc_id], doc_id))[:top_k]  # type: ignore[misc]
        for rank, doc_id in enumerate(kept):
            order[doc_id] = min(order.get(doc_id, (rank, number)), (rank, number))
        for hit in found:
            if hit.doc_id in kept:
                hits.setdefault(hit.chunk_id, hit)
                queries.setdefault(hit.chunk_id, []).append(number)
    ordered = sorted(hits.values(), key=lambda hit: (order[hit.doc_id], hit.start, hit.end))
    return [
        Passage(hit=hit, queries=tuple(queries[hit.chunk_id]), segments=segments)
        for hit in ordered
        if (segments := showable(hit))
    ]


def without_repeats(passages: Iterable[Passage]) -> list[Passage]:
    """Each segment in the first passage that holds it: neighbouring chunks share a sentence."""
    taken: set[str] = set()
    kept = []
    for passage in passages:
        new = tuple(s for s in passage.segments if s.segment_id not in taken)
        taken.update(segment.segment_id for segment in new)
        if new:
            kept.append(replace(passage, segments=new))
    return kept


def fit_passages(
    passages: Sequence[Passage],
    *,
    room: int,
    head_tokens: Callable[[Passage], int],
    segment_tokens: Callable[[Passage, Segment], int],
    overlap: Callable[[Passage, Segment], float],
) -> Fit:
    """Whole segments in ``room`` tokens: first the most telling ones of each document, then the
    most telling of all, those of lower documents counting less.

    A segment tells by its own overlap with the queries and a share of its neighbours': a name
    stands in one sentence and what is said of it in the next. Why not whole passages from the top:
    at 500 tokens one long passage fills the row and the document of the second hop is never seen.
    The first segment of all is kept whatever its length; the caller cuts it for display.
    """
    costs = {
        segment.segment_id: segment_tokens(passage, segment)
        for passage in passages
        for segment in passage.segments
    }
    heads = [head_tokens(passage) for passage in passages]
    kept: set[str] = set()
    begun: set[int] = set()
    for position, segment in _by_worth(passages, overlap):
        cost = costs[segment.segment_id] + (0 if position in begun else heads[position])
        if cost <= room or not kept:
            room -= cost
            kept.add(segment.segment_id)
            begun.add(position)
    parts = [(_only(item, kept, wanted=True), _only(item, kept, wanted=False)) for item in passages]
    return Fit(
        shown=tuple(shown for shown, _ in parts if shown.segments),
        left=tuple(left for _, left in parts if left.segments),
    )


def _by_worth(
    passages: Sequence[Passage], overlap: Callable[[Passage, Segment], float]
) -> list[tuple[int, Segment]]:
    """Segments with their passage's position, the most telling first."""
    documents: dict[str, int] = {}
    rows: list[tuple[float, int, Segment]] = []
    for position, passage in enumerate(passages):
        rank = documents.setdefault(passage.hit.doc_id, len(documents))
        own = [overlap(passage, segment) for segment in passage.segments]
        beside = [0.0, *own, 0.0]
        for index, segment in enumerate(passage.segments):
            worth = own[index] + NEIGHBOUR_SHARE * (beside[index] + beside[index + 2])
            rows.append((worth / (1 + RANK_DISCOUNT * rank), position, segment))
    rows.sort(key=lambda row: (-row[0], row[1], row[2].start))
    first: list[tuple[int, Segment]] = []
    rest: list[tuple[int, Segment]] = []
    shown: Counter[str] = Counter()
    for _, position, segment in rows:
        document = passages[position].hit.doc_id
        shown[document] += 1
        (first if shown[document] <= FIRST_OF_EACH else rest).append((position, segment))
    first.sort(key=lambda item: documents[passages[item[0]].hit.doc_id])
    return [*first, *rest]


def with_gaps(segments: Iterable[Segment], shown: Iterable[Segment]) -> list[Segment | None]:
    """The shown segments in text order, one None in place of each run of others."""
    wanted = {segment.segment_id for segment in shown}
    line: list[Segment | None] = []
    for segment in segments:
        if segment.segment_id in wanted:
            line.append(segment)
        elif not line or line[-1] is not None:
            line.append(None)
    return line


def _only(passage: Passage, ids: set[str], *, wanted: bool) -> Passage:
    kept = tuple(s for s in passage.segments if (s.segment_id in ids) == wanted)
    return replace(passage, segments=kept)
