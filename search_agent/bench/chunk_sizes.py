"""Chunk sizes: one corpus chunked in several ways, and how much of the answers each way retrieves.

Every way has a build of its own, so that one that was interrupted is taken up and none is made
twice. Texts go through ingestion as any user's would.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import product
from math import fsum
from pathlib import Path
from typing import Literal

from pydantic import Field

from corpora.card import find_corpus
from corpora.encoder_card import EncoderCard
from corpora.hit import Hit, Mode
from index import Searcher, build_index, open_index
from index.progress import IndexProgress
from ingest import IngestConfig, ingest_corpus
from search_agent.bench.chunk_questions import (
    MarkedQuestion,
    read_marked_questions,
    unpack_texts,
)
from search_agent.bench.cited_spans import Span
from search_agent.bench.machine import Machine, current_commit, this_machine
from search_agent.bench.span_measures import first_chars, span_precision, span_recall
from search_agent.result_part import ResultPart

CUTS = (1, 3, 5, 10)
READ_CHARS = 4000
"""About a thousand tokens: five chunks of the default size."""
DEPTH = 50
"""Chunks fetched; of 64 tokens, 20 are READ_CHARS long."""
SPAN_MEASURES = (
    *(f"recall@{k}" for k in CUTS),
    *(f"precision@{k}" for k in CUTS),
    f"recall@{READ_CHARS}c",
)
DECIMALS = 4


class ChunkingWay(ResultPart):
    """How a corpus is chunked."""

    chunk_tokens: int
    overlap_sentences: int
    header_tokens: int

    def __str__(self) -> str:
        overlap = "overlap" if self.overlap_sentences else "no overlap"
        header = "header" if self.header_tokens else "no header"
        return f"{self.chunk_tokens} tokens, {overlap}, {header}"


class MeasuredWay(ResultPart):
    """What one way retrieves, means over all questions."""

    way: ChunkingWay
    n_chunks: int
    mean_chunk_chars: float
    legs: Mapping[str, Mapping[str, float]]


class ChunkSizesResult(ResultPart):
    """All ways, in the order they were asked for."""

    schema_: int = Field(1, alias="schema")
    kind: Literal["chunks"] = "chunks"
    dataset: str
    n_questions: int
    n_gold_chars: int
    encoder: str
    """Whose tokens are counted."""
    ways: tuple[MeasuredWay, ...]
    commit: str | None
    machine: Machine
    made_at: str
    seconds: float


def chunking_ways(
    sizes: Iterable[int], *, overlaps: Iterable[int], headers: Iterable[int]
) -> list[ChunkingWay]:
    """Every combination."""
    return [
        ChunkingWay(chunk_tokens=size, overlap_sentences=overlap, header_tokens=header)
        for size, overlap, header in product(sizes, overlaps, headers)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkSizesSetup:
    """What is measured, and where builds are kept."""

    folder: Path
    build_folder: Path
    encoder: EncoderCard
    legs: Sequence[Mode]
    """``sparse`` alone embeds nothing."""


def measure_chunk_sizes(
    ways: Sequence[ChunkingWay],
    setup: ChunkSizesSetup,
    *,
    now: datetime,
    tell: Callable[[str], None],
    on_index: Callable[[IndexProgress], None],
) -> ChunkSizesResult:
    """Every way chunked, indexed, searched with every question and measured.

    Raises:
        CorpusNotFound, MalformedRecord: the folder has not the layout.
        IngestError: a size does not fit the encoder.
    """
    started = time.monotonic()
    texts = unpack_texts(setup.folder, setup.build_folder / "texts")
    questions = read_marked_questions(setup.folder, texts)
    measured = []
    for way in ways:
        measured.append(_measure_way(way, questions, setup, on_index))
        tell(f"{way}: {measured[-1].n_chunks} chunks")
    return ChunkSizesResult(
        dataset=setup.folder.resolve().name,
        n_questions=len(questions),
        n_gold_chars=sum(end - start for each in questions for start, end in each.spans),
        encoder=setup.encoder.name,
        ways=tuple(measured),
        commit=current_commit(Path(__file__).parent),
        machine=this_machine(),
        made_at=f"{now:%Y-%m-%dT%H:%M:%SZ}",
        seconds=round(time.monotonic() - started, 1),
    )


def chunk_sizes_table(result: ChunkSizesResult) -> str:
    """A row per way and leg, as Markdown."""
    heads = ["tokens", "overlap", "header", "chunks", "chars", "leg", *SPAN_MEASURES]
    rows = [heads, ["---:"] * 5 + ["---"] + ["---:"] * len(SPAN_MEASURES)]
    for each in result.ways:
        way = each.way
        sizes = [way.chunk_tokens, way.overlap_sentences, way.header_tokens, each.n_chunks]
        for leg, values in each.legs.items():
            figures = [f"{values[name]:.3f}" for name in SPAN_MEASURES]
            rows.append([*map(str, sizes), f"{each.mean_chunk_chars:.0f}", leg, *figures])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _measure_way(
    way: ChunkingWay,
    questions: Sequence[MarkedQuestion],
    setup: ChunkSizesSetup,
    on_index: Callable[[IndexProgress], None],
) -> MeasuredWay:
    name = f"{way.chunk_tokens}-{way.overlap_sentences}-{way.header_tokens}"
    build = setup.build_folder / name
    ingest_corpus(
        find_corpus(str(setup.build_folder / "texts"), name=name),
        build / "ingest",
        encoder=setup.encoder,
        config=IngestConfig(**way.model_dump(), workers=0),
    )
    cards = [] if set(setup.legs) == {"sparse"} else [setup.encoder]
    build_index(build, encoders=cards, progress=on_index)
    searcher = open_index(build, encoders=cards)
    try:
        spans = [chunk.end - chunk.start for chunk in searcher.store.chunks()]
        legs = {leg: _mean(_measured(searcher, questions, leg)) for leg in setup.legs}
    finally:
        searcher.close()
    return MeasuredWay(
        way=way,
        n_chunks=len(spans),
        mean_chunk_chars=round(sum(spans) / len(spans), 1),
        legs=legs,
    )


def _measured(
    searcher: Searcher, questions: Sequence[MarkedQuestion], leg: Mode
) -> Iterator[dict[str, float]]:
    """The measures of each question's ranking."""
    for question in questions:
        [hits] = searcher.search([question.text], k=DEPTH, mode=leg)
        gold = [Span(question.source, start, end) for start, end in question.spans]
        ranking = [_span(hit) for hit in hits]
        yield {
            **{f"recall@{k}": span_recall(gold, ranking[:k]) for k in CUTS},
            **{f"precision@{k}": span_precision(gold, ranking[:k]) for k in CUTS},
            f"recall@{READ_CHARS}c": span_recall(gold, first_chars(ranking, READ_CHARS)),
        }


def _span(hit: Hit) -> Span:
    return Span(Path(hit.uri).stem, hit.start, hit.end)


def _mean(rows: Iterable[Mapping[str, float]]) -> dict[str, float]:
    values = list(rows)
    return {
        name: round(fsum(row[name] for row in values) / len(values), DECIMALS)
        for name in SPAN_MEASURES
    }
