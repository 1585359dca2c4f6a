"""Passages: the hits of a call grouped by document, and as many of their segments as fit a row."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from corpora.document import Segment
from corpora.hit import Hit


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


def segment_text(hit: Hit, segment: Segment) -> str:
    """``document.text[start:end]`` of a segment, out of its hit."""
    return hit.text[segment.start - hit.start : segment.end - hit.start]


def showable(hit: Hit) -> tuple[Segment, ...]:
    """Segments a reader of the page would read as its content: neither hidden nor running heads."""
    return tuple(
        segment
        for segment in hit.segments
        if not segment.hidden
        and segment.role not in {"header", "footer"}
        and hit.start <= segment.start < segment.end <= hit.end
        and segment_text(hit, segment).strip()
    )


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
    """Whole segments in ``room`` tokens: lowest passages are left first; of the first that does not
    fit whole, the segments with the least overlap with its queries are left.

    The first segment of all is kept whatever its length; the caller cuts it for display.
    """
    shown: list[Passage] = []
    for position, passage in enumerate(passages):
        costs = {s.segment_id: segment_tokens(passage, s) for s in passage.segments}
        room -= head_tokens(passage)
        if sum(costs.values()) <= room:
            room -= sum(costs.values())
            shown.append(passage)
            continue
        ranked = sorted(passage.segments, key=lambda s: (-overlap(passage, s), s.start))
        kept: set[str] = set()
        for segment in ranked:
            if costs[segment.segment_id] <= room:
                kept.add(segment.segment_id)
                room -= costs[segment.segment_id]
        if not kept and not any(item.segments for item in shown):
            kept = {ranked[0].segment_id}
        left = list(passages[position:])
        if kept:
            shown.append(_only(passage, kept, wanted=True))
            left[0] = _only(passage, kept, wanted=False)
        return Fit(shown=tuple(shown), left=tuple(left))
    return Fit(shown=tuple(shown), left=())


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
