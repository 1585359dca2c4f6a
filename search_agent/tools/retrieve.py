"""retrieve: queries → the row of text a model reads, with numbered segments it may cite (§12.3).

URI and chunk id stay out of the row: documents have their ``D`` ids, and at 500 tokens a row every
address displaces evidence. Both are in the row's ``hits`` and so in the trajectory.
"""

from collections.abc import Callable, Mapping, Sequence

from corpora.document import Segment
from corpora.hit import Filters
from index.searcher import Searcher
from search_agent.config import RetrievalSettings
from search_agent.evidence.ledger import EvidenceLedger
from search_agent.tools.arguments import parse_retrieve
from search_agent.tools.passages import (
    Fit,
    Passage,
    group_by_document,
    without_headers,
    without_repeats,
)
from search_agent.tools.reading import Readings, read_headers
from search_agent.tools.row import RowWriter, ToolRow, left_counts

__all__ = ["TOOL", "ToolRow", "retrieve"]

TOOL = "retrieve"


def retrieve(
    arguments: Mapping[str, object],
    *,
    searcher: Searcher,
    ledger: EvidenceLedger,
    settings: RetrievalSettings,
    filters: Filters | None,
    token_limit: int,
    count_tokens: Callable[[str], int],
    in_context: frozenset[str],
    action_id: str,
    call_id: str,
    max_queries: int = 3,
) -> ToolRow:
    """Search, lay out what fits ``token_limit``, and register what is shown in the ledger.

    A page goes on where the one before it ended: it begins with what that page, laid out alone
    under the same limit, had no room for.

    ``in_context`` are the ``S`` ids whose text the model still has before it; such segments are
    given as ids only, unless ``settings.repeat_seen`` says ``full``.

    Raises:
        ToolArguments: an argument is out of bounds.
    """
    parsed = parse_retrieve(arguments, max_queries=max_queries)
    tokens = [set(searcher.content_tokens(query)) for query in parsed.queries]
    readings = Readings(headers={})

    def overlap(passage: Passage, segment: Segment) -> float:
        found = set(searcher.content_tokens(readings.of(passage.hit, segment)))
        wanted = set[str]().union(*(tokens[number - 1] for number in passage.queries))
        return sum(searcher.idf(token) for token in sorted(wanted & found))

    def writer(page: int, passages: Sequence[Passage], seen: Mapping[str, str]) -> RowWriter:
        new = sum(len(passage.segments) for passage in passages)
        return RowWriter(
            queries=parsed.queries,
            page=page,
            token_limit=token_limit,
            count_tokens=count_tokens,
            overlap=overlap,
            seen=seen,
            readings=readings,
            placeholder=f"S{len(ledger) + new}",
        )

    carried: tuple[Passage, ...] = ()
    passages: list[Passage] = []
    for page in range(1, parsed.page + 1):
        rankings = searcher.search(
            list(parsed.queries),
            k=settings.top_k * settings.top_k_multiply_factor,
            mode=settings.mode,
            filters=filters,
            page=page,
        )
        known = {passage.hit.chunk_id for passage in carried}
        fresh = group_by_document(rankings, top_k=settings.top_k)
        passages = without_repeats([*carried, *(p for p in fresh if p.hit.chunk_id not in known)])
        hits = [passage.hit for passage in passages]
        readings = read_headers(hits, searcher, filters=filters)
        passages = [without_headers(passage, readings) for passage in passages]
        if page < parsed.page:
            carried = writer(page, passages, {}).fit(passages).left
    seen = _seen(passages, ledger, in_context) if settings.repeat_seen == "collapse" else {}
    row = writer(parsed.page, passages, seen)
    fit = row.fit(passages)
    call = {"action_id": action_id, "call_id": call_id, "tool": TOOL}
    ids = _register(fit, ledger, seen, readings, queries=parsed.queries, call=call)
    documents = {p.hit.doc_id: ledger.document_id(p.hit.doc_id) for p in fit.shown}
    left_hits, left_segments = left_counts(fit)
    return ToolRow(
        text=row.text(
            passages, fit, ids=ids, documents=documents, cut_chars=row.cut_chars(passages, fit)
        ),
        queries=parsed.queries,
        segment_ids=tuple(ids.values()),
        chunk_ids=tuple(passage.hit.chunk_id for passage in fit.shown),
        document_ids=tuple(documents.values()),
        hits=tuple(_event(passage) for passage in passages),
        left_out_hits=left_hits,
        left_out_segments=left_segments,
    )


def _seen(
    passages: Sequence[Passage], ledger: EvidenceLedger, in_context: frozenset[str]
) -> dict[str, str]:
    ids = {
        segment.segment_id: ledger.short_id(segment.segment_id)
        for passage in passages
        for segment in passage.segments
    }
    return {
        stored: short for stored, short in ids.items() if short is not None and short in in_context
    }


def _register(
    fit: Fit,
    ledger: EvidenceLedger,
    seen: Mapping[str, str],
    readings: Readings,
    *,
    queries: Sequence[str],
    call: Mapping[str, str],
) -> dict[str, str]:
    """Stored id → ``S`` id of every segment whose text the row shows."""
    ids = {}
    for passage in fit.shown:
        for segment in passage.segments:
            if segment.segment_id not in seen:
                evidence = ledger.register(
                    passage.hit,
                    segment,
                    action_id=call["action_id"],
                    call_id=call["call_id"],
                    tool=call["tool"],
                    query=queries[passage.queries[0] - 1],
                    reading=readings.of(passage.hit, segment),
                    before=readings.before(passage.hit, segment),
                )
                ids[segment.segment_id] = evidence.segment_id
    return ids


def _event(passage: Passage) -> dict[str, object]:
    hit = passage.hit
    return {
        "rank": hit.rank,
        "chunk_id": hit.chunk_id,
        "doc_id": hit.doc_id,
        "score": hit.score,
        "legs": dict(hit.legs),
        "queries": list(passage.queries),
    }
