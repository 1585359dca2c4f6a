"""Chunks of a document: whole consecutive segments, packed by the encoder's own token count.

A chunk never crosses a heading, a table or a code block, and never covers hidden text or running
headers. Why not cut by characters or by meaning: an encoder cuts silently at its own limit, and the
published gains of semantic cutting do not hold up (spec/ingest.md, chunk size).
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corpora.document import Chunk, Segment, parse_span_id
from corpora.encoder_card import EncoderCard
from ingest.config import IngestConfig
from ingest.errors import ChunkTooLong, IngestError
from ingest.language import script_language
from ingest.tokens import Tokenizer, TokenSpans

CHUNK_VERSION = 1
_SPECIAL_TOKENS = 2
_LEAST_CAPACITY = 16
_HEADER_CHARS = 1000
"""Far more than the token limit keeps; spares the tokenizer a header row of a wide table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkLimits:
    """Token limits that follow from one encoder and the configuration."""

    text: int
    header: int
    overlap_sentences: int
    encoder: int
    """What header and text may have together."""

    @classmethod
    def of(cls, encoder: EncoderCard, config: IngestConfig, tokenizer: Tokenizer) -> "ChunkLimits":
        """The limits for ``encoder``.

        Raises:
            IngestError: the configuration asks for more than the encoder reads.
        """
        readable = encoder.max_tokens - _SPECIAL_TOKENS - tokenizer.count(encoder.passage_prefix)
        most = readable - config.header_tokens
        text = config.chunk_tokens or most
        if not _LEAST_CAPACITY <= text <= most:
            message = (
                f"chunk_tokens = {text} does not fit encoder {encoder.name!r}: allowed are"
                f" {_LEAST_CAPACITY} to {most} (its {encoder.max_tokens} less special tokens,"
                f" prefix and header_tokens = {config.header_tokens})"
            )
            raise IngestError(message)
        return cls(
            text=text,
            header=config.header_tokens,
            overlap_sentences=config.overlap_sentences,
            encoder=readable,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkSource:
    """The facts of a document that its chunks carry."""

    doc_id: str
    text: str
    title: str
    language: str
    labels: tuple[str, ...]


def chunk_segments(
    source: ChunkSource,
    segments: Sequence[Segment],
    *,
    tokens: TokenSpans,
    tokenizer: Tokenizer,
    limits: ChunkLimits,
) -> list[Chunk]:
    """Chunks in text order; every segment fits ``limits.text`` (see ``cut_giants``).

    Raises:
        ChunkTooLong: header and text exceed the encoder: a fault of this module.
    """
    chunks = []
    headers = _Headers(source, tokenizer, limits.header)
    for group in _groups(source.text, segments):
        for members in _pack(source.text, group, tokens, limits):
            path = members[-1].heading_path
            if members[-1].kind == "heading":
                path = (*path, source.text[members[-1].start : members[-1].end])
            header, header_tokens = headers.of(path, members)
            start, end = members[0].start, members[-1].end
            n_tokens = header_tokens + span_tokens(source.text, tokens, start, end)
            if n_tokens > limits.encoder:
                message = (
                    f"chunk {source.doc_id}:{start}-{end} has {n_tokens} tokens,"
                    f" the encoder reads {limits.encoder}"
                )
                raise ChunkTooLong(message)
            chunk = Chunk(
                doc_id=source.doc_id,
                start=start,
                end=end,
                heading_path=path,
                page=members[0].page,
                language=script_language(source.text[start:end]) or source.language,
                labels=source.labels,
                header=header,
                n_tokens=n_tokens,
            )
            chunks.append(chunk)
    return chunks


def span_tokens(text: str, tokens: TokenSpans, start: int, end: int) -> int:
    """Tokens of ``text[start:end]`` when it is encoded by itself.

    Cut off from what stood before it without a blank, a tokenizer that marks word starts needs one
    token more.
    """
    is_glued = start > 0 and not text[start - 1].isspace()
    return tokens.count(start, end) + is_glued


def _groups(text: str, segments: Sequence[Segment]) -> Iterator[list[Segment]]:
    """Runs of segments that may share a chunk."""
    group: list[Segment] = []
    before: Segment | None = None
    for segment in segments:
        is_out = segment.hidden or segment.role in {"header", "footer"}
        if before is not None and (is_out or _parts(text, before, segment)):
            if not _is_bare_heading(group, segment):
                yield group
            group = []
        if is_out:
            before = None
            continue
        group.append(segment)
        before = segment
    if group:
        yield group


def _is_bare_heading(group: Sequence[Segment], following: Segment) -> bool:
    """A heading with only deeper headings below it: their chunks carry it in their headers."""
    return (
        [segment.kind for segment in group] == ["heading"]
        and following.kind == "heading"
        and not following.hidden
        and len(following.heading_path) > len(group[0].heading_path)
    )


def _parts(text: str, before: Segment, after: Segment) -> bool:
    """Whether a chunk must end between two neighbours."""
    if after.kind == "heading":
        return True
    if before.kind == "heading":
        return False
    if before.role != after.role:
        return True
    if after.table is not None and before.table is not None:
        return after.table.row < before.table.row or (
            after.table.row == before.table.row and after.table.row == 0
        )
    if before.kind == after.kind == "code":
        return text[before.end : after.start].strip("\n") != ""
    kinds = {before.kind, after.kind}
    return "table_row" in kinds or "code" in kinds


def _pack(
    text: str, group: Sequence[Segment], tokens: TokenSpans, limits: ChunkLimits
) -> Iterator[list[Segment]]:
    """Fill chunks evenly: a section a little over the limit gives two halves, not a scrap."""
    total = span_tokens(text, tokens, group[0].start, group[-1].end)
    target = total / math.ceil(total / limits.text) if total else 0
    current: list[Segment] = []
    for segment in group:
        if current:
            is_full = span_tokens(text, tokens, current[0].start, segment.end) > limits.text
            has_enough = span_tokens(text, tokens, current[0].start, current[-1].end) >= target
            if is_full or has_enough:
                yield current
                current = _overlap(text, current, segment, tokens, limits)
        current.append(segment)
    if current:
        yield current


def _overlap(
    text: str,
    packed: Sequence[Segment],
    following: Segment,
    tokens: TokenSpans,
    limits: ChunkLimits,
) -> list[Segment]:
    last = packed[-1]
    if limits.overlap_sentences == 0 or last.kind != "sentence" or len(packed) == 1:
        return []
    is_short = tokens.count(last.start, last.end) <= limits.text // 4
    fits = span_tokens(text, tokens, last.start, following.end) <= limits.text
    return [last] if is_short and fits else []


class _Headers:
    """Headers of one document's chunks, cut to the limit and counted once a path."""

    def __init__(self, source: ChunkSource, tokenizer: Tokenizer, limit: int) -> None:
        self._source = source
        self._tokenizer = tokenizer
        self._limit = limit
        self._known: dict[tuple[tuple[str, ...], str], tuple[str, int]] = {}

    def of(self, path: tuple[str, ...], members: Sequence[Segment]) -> tuple[str, int]:
        """Header and its tokens; rows cut off from their header row repeat it."""
        row = ""
        cell = members[-1].table
        if cell is not None and cell.header_segment is not None:
            _, start, end = parse_span_id(cell.header_segment)
            if start < members[0].start:
                row = " ".join(self._source.text[start:end].split())[:_HEADER_CHARS]
        if (path, row) not in self._known:
            self._known[path, row] = self._cut(path, row)
        return self._known[path, row]

    def _cut(self, path: tuple[str, ...], row: str) -> tuple[str, int]:
        title = " ".join(self._source.title.split())
        names = [title, *(name for name in path if name != title)]
        full = " > ".join(name for name in names if name)[:_HEADER_CHARS]
        row, row_tokens = self._shortened(row, self._limit // 2 if full else self._limit)
        place, place_tokens = self._shortened(full, self._limit - row_tokens)
        return "\n".join(part for part in (place, row) if part), place_tokens + row_tokens

    def _shortened(self, text: str, limit: int) -> tuple[str, int]:
        """Whole words from the start while they fit; the line end that follows counts."""
        n_kept = limit
        while text and n_kept > 0:
            ends = self._tokenizer.spans(text).ends
            if len(ends) > n_kept:
                cut = ends[n_kept - 1]
                blank = text.rfind(" ", 0, cut + 1)
                text = text[: blank if blank > 0 else cut].rstrip()
            n_tokens = self._tokenizer.count(text + "\n")
            if n_tokens <= limit:
                return text, n_tokens
            n_kept -= 1
        return "", 0
