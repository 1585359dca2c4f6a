"""ToolRow: passages laid out as the text a model reads, within a limit of tokens."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from corpora.document import Segment
from search_agent.tools.fence import fence, show_code, show_text
from search_agent.tools.passages import Fit, Passage, fit_passages, with_gaps
from search_agent.tools.reading import Readings

TITLE_CHARS = 80
HEADING_CHARS = 60
CUT_MARK = " (continues)"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRow:
    """What one call showed. ``hits`` are plain values for the event, also of hits left out."""

    text: str
    queries: tuple[str, ...]
    segment_ids: tuple[str, ...] = ()
    """``S`` ids of the segments whose text stands in this row."""
    chunk_ids: tuple[str, ...] = ()
    document_ids: tuple[str, ...] = ()
    hits: tuple[dict[str, object], ...] = ()
    left_out_hits: int = 0
    left_out_segments: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RowWriter:
    """Writes passages as text; ids that are not given yet are written as ``placeholder``."""

    queries: tuple[str, ...]
    page: int
    token_limit: int
    count_tokens: Callable[[str], int]
    overlap: Callable[[Passage, Segment], float]
    seen: Mapping[str, str]
    """Stored id → ``S`` id of segments whose text the model still has before it."""
    readings: Readings
    placeholder: str
    """At least as long as any id this row will be given, so that the real row is no longer."""

    def fit(self, passages: Sequence[Passage]) -> Fit:
        """As much of the passages as the limit allows, in whole segments."""
        frame = self.count_tokens(f"{self.headline(passages)}\n{fence('')}\n")
        fit = self._fit(passages, self.token_limit - frame)
        if fit.left:
            fit = self._fit(
                passages, self.token_limit - frame - self.count_tokens(left_out(99, 999))
            )
        # lines counted apart, without gap marks, may come to less than the whole text
        while self.count_tokens(self.text(passages, fit)) > self.token_limit:
            shorter = _less_one(fit, self.seen, self.overlap)
            if shorter is None:
                break
            fit = shorter
        return fit

    def text(
        self,
        passages: Sequence[Passage],
        fit: Fit,
        *,
        ids: Mapping[str, str] | None = None,
        documents: Mapping[str, str] | None = None,
        cut_chars: int | None = None,
    ) -> str:
        """The row; ``cut_chars`` shortens the text of its only segment for display."""
        if not passages:
            return self.headline(passages)
        complete = {passage.hit.chunk_id: passage.segments for passage in passages}
        lines: list[str] = []
        previous = None
        for number, passage in enumerate(fit.shown, start=1):
            document = (documents or {}).get(passage.hit.doc_id, f"D{self.placeholder[1:]}")
            lines.append(
                self._head(passage, number, document, with_title=passage.hit.doc_id != previous)
            )
            previous = passage.hit.doc_id
            fresh = self._fresh(passage.segments)
            if not fresh:
                continue
            for segment in with_gaps(self._fresh(complete[passage.hit.chunk_id]), fresh):
                if segment is None:
                    lines.append("…")
                    continue
                sid = (ids or {}).get(segment.segment_id, self.placeholder)
                line = self._line(passage, segment, sid)
                lines.append(line if cut_chars is None else line[:cut_chars].rstrip() + CUT_MARK)
        parts = [self.headline(passages), fence("\n".join(lines))]
        hits, segments = left_counts(fit)
        if segments:
            parts.append(left_out(hits, segments))
        return "\n".join(parts)

    def cut_chars(self, passages: Sequence[Passage], fit: Fit) -> int | None:
        """Characters of the only segment's line for which there is room; None if it fits whole."""
        if self.count_tokens(self.text(passages, fit)) <= self.token_limit:
            return None
        lengths = [len(self.readings.of(p.hit, s)) for p in fit.shown for s in p.segments]
        low = len(self.placeholder) + 4
        high = max([low, *lengths])
        while low < high:
            middle = (low + high + 1) // 2
            text = self.text(passages, fit, cut_chars=middle)
            if self.count_tokens(text) <= self.token_limit:
                low = middle
            else:
                high = middle - 1
        return low

    def headline(self, passages: Sequence[Passage]) -> str:
        """One line a query: what was found, before anything is left out."""
        lines = []
        for number, query in enumerate(self.queries, start=1):
            found = [passage.hit for passage in passages if number in passage.queries]
            documents = len({hit.doc_id for hit in found})
            counts = f"{_count(documents, 'document')}, {_count(len(found), 'passage')}"
            page = f" (page {self.page})" if self.page > 1 else ""
            outcome = counts if found else "nothing found"
            lines.append(f'query {number}: "{query}"{page} - {outcome}')
        return "\n".join(lines)

    def _fresh(self, segments: Iterable[Segment]) -> tuple[Segment, ...]:
        return tuple(segment for segment in segments if segment.segment_id not in self.seen)

    def _fit(self, passages: Sequence[Passage], room: int) -> Fit:
        document = f"D{self.placeholder[1:]}"

        def head_tokens(passage: Passage) -> int:
            return self.count_tokens(self._head(passage, 10, document, with_title=True) + "\n")

        def segment_tokens(passage: Passage, segment: Segment) -> int:
            if segment.segment_id in self.seen:
                return 0
            return self.count_tokens(self._line(passage, segment, self.placeholder) + "\n")

        return fit_passages(
            passages,
            room=room,
            head_tokens=head_tokens,
            segment_tokens=segment_tokens,
            overlap=self.overlap,
        )

    def _head(self, passage: Passage, number: int, document: str, *, with_title: bool) -> str:
        hit = passage.hit
        title = f' "{show_text(hit.title)[:TITLE_CHARS]}"' if with_title and hit.title else ""
        parts = [f"#{number} {document}{title}"]
        if hit.page is not None:
            parts.append(f"p. {hit.page}")
        path = _path_to_show(passage)
        if path:
            parts.append(" > ".join(show_text(heading)[:HEADING_CHARS] for heading in path))
        if len(self.queries) > 1:
            parts.append("query " + ", ".join(str(query) for query in passage.queries))
        stored = (segment.segment_id for segment in passage.segments)
        seen = id_ranges(self.seen[segment_id] for segment_id in stored if segment_id in self.seen)
        return " | ".join(parts) + (f" (seen: {seen})" if seen else "")

    def _line(self, passage: Passage, segment: Segment, sid: str) -> str:
        text = self.readings.of(passage.hit, segment)
        return f"[{sid}] {show_code(text) if segment.kind == 'code' else show_text(text)}"


def _path_to_show(passage: Passage) -> list[str]:
    """The heading path without what the row says anyway: the title, and headings shown as text."""
    path = list(passage.hit.heading_path)
    if path and path[0] == passage.hit.title:
        del path[0]
    said = {passage.hit.text_of(s).strip() for s in passage.segments if s.kind == "heading"}
    return [heading for heading in path if heading not in said]


def left_counts(fit: Fit) -> tuple[int, int]:
    """Numbers of passages not shown at all and of segments not shown."""
    begun = {passage.hit.chunk_id for passage in fit.shown}
    hits = sum(passage.hit.chunk_id not in begun for passage in fit.left)
    return hits, sum(len(passage.segments) for passage in fit.left)


def left_out(hits: int, segments: int) -> str:
    """The statement of what there was no room for."""
    return (
        f"(no room for {_count(hits, 'passage')}, {_count(segments, 'segment')};"
        " a narrower query or the next page shows more)"
    )


def id_ranges(ids: Iterable[str]) -> str:
    """``S40, S41, S43`` → ``S40-S41, S43``."""
    numbers = sorted({int(sid[1:]) for sid in ids})
    ranges: list[tuple[int, int]] = []
    for number in numbers:
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1] = (ranges[-1][0], number)
        else:
            ranges.append((number, number))
    return ", ".join(f"S{a}" if a == b else f"S{a}-S{b}" for a, b in ranges)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _less_one(
    fit: Fit, seen: Mapping[str, str], overlap: Callable[[Passage, Segment], float]
) -> Fit | None:
    """The fit less the farthest segment of its last passage; None if there is only one segment."""
    fresh = [s for passage in fit.shown for s in passage.segments if s.segment_id not in seen]
    if len(fresh) <= 1:
        return None
    shown, last = list(fit.shown[:-1]), fit.shown[-1]
    if all(segment.segment_id in seen for segment in last.segments):
        return Fit(shown=tuple(shown), left=(last, *fit.left))
    dropped = min(
        (segment for segment in last.segments if segment.segment_id not in seen),
        key=lambda segment: (overlap(last, segment), -segment.start),
    )
    kept = tuple(segment for segment in last.segments if segment is not dropped)
    left = list(fit.left)
    if left and left[0].hit.chunk_id == last.hit.chunk_id:
        together = sorted((*left[0].segments, dropped), key=lambda segment: segment.start)
        left[0] = replace(left[0], segments=tuple(together))
    else:
        left.insert(0, replace(last, segments=(dropped,)))
    if kept:
        shown.append(replace(last, segments=kept))
    return Fit(shown=tuple(shown), left=tuple(left))
