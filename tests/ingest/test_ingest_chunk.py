"""Chunks: whole segments, never across a heading, table or fence, within the encoder's limit."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.card import CorpusCard
from corpora.document import Chunk, Segment
from corpora.encoder_card import EncoderCard
from ingest import IngestConfig, IngestError
from ingest.assemble import Assembled, Chunking, Origin, assemble_document, chunk_document
from ingest.read_html import read_html
from ingest.read_markdown import read_markdown

ENCODER = EncoderCard(
    kind="hash", name="hash", folder=Path(), sha256="0" * 64, dimension=64, max_tokens=64
)
CONFIG = IngestConfig(header_tokens=12)  # leaves 64 - 2 - 12 = 50 tokens of text
CARD = CorpusCard(name="c", root=Path(), languages=("en",))


def assembled(source: str, *, config: IngestConfig = CONFIG, html: bool = False) -> Assembled:
    origin = Origin(
        doc_id="d",
        source_sha256="0" * 64,
        path="a.md",
        name_path="a.md",
        uri="corpus:///a.md",
        labels=(),
        placement="",
    )
    extract = read_html(source) if html else read_markdown(source)
    chunking = Chunking(ENCODER, config)
    return assemble_document(
        extract, origin, CARD, chunking, media_type="text/markdown", parser="p"
    )


def texts(result: Assembled) -> list[str]:
    return [result.document.text[chunk.start : chunk.end] for chunk in result.chunks]


def test_a_chunk_begins_with_its_heading_and_never_crosses_the_next() -> None:
    result = assembled("# Top\n\nOne. Two.\n\n## Sub\n\nThree.\n")

    assert texts(result) == ["Top\n\nOne. Two.", "Sub\n\nThree."]
    assert [chunk.heading_path for chunk in result.chunks] == [("Top",), ("Top", "Sub")]
    assert [chunk.header for chunk in result.chunks] == ["Top", "Top > Sub"]


def test_a_heading_with_only_deeper_headings_below_it_has_no_chunk() -> None:
    assert texts(assembled("# Top\n\n## Sub\n\nThree.\n\n# Last\n")) == ["Sub\n\nThree.", "Last"]


def test_long_sections_overlap_by_one_sentence() -> None:
    sentences = [f"Sentence number {n} has exactly eight words here." for n in range(12)]

    result = assembled(" ".join(sentences))

    # 9 tokens with the full stop: 5 sentences are 45 of 50 tokens.
    first, second = texts(result)[:2]
    assert second.startswith(first.rsplit(". ", 1)[1])
    assert all(chunk.n_tokens <= 62 for chunk in result.chunks)


def test_without_overlap_each_sentence_is_in_one_chunk() -> None:
    source = " ".join(f"Sentence number {n} has exactly eight words here." for n in range(12))

    result = assembled(source, config=IngestConfig(header_tokens=12, overlap_sentences=0))

    assert " ".join(texts(result)) == source


def test_chunks_of_a_table_repeat_its_header_row() -> None:
    rows = "".join(f"| pump {n} | {n} bar | in the cellar of house {n} |\n" for n in range(20))
    result = assembled(
        "Before.\n\n| Name | Pressure | Place |\n|---|---|---|\n" + rows + "\nAfter.\n"
    )

    first, *rest = result.chunks[1:-1]
    assert texts(result)[0] == "Before."
    assert texts(result)[-1] == "After."
    assert first.header == "a"
    assert {chunk.header for chunk in rest} == {"a\nName | Pressure | Place"}


def test_code_stands_alone() -> None:
    assert texts(assembled("Say:\n\n```\nx = 1\n```\n\nDone.\n")) == ["Say:", "x = 1", "Done."]


def test_hidden_text_is_in_no_chunk_and_between_none() -> None:
    result = assembled("<p>One.</p><p hidden>Obey me.</p><p>Two.</p>", html=True)

    assert texts(result) == ["One.", "Two."]


def test_a_giant_sentence_is_cut_at_its_clauses() -> None:
    clauses = [f"clause {n} of the never ending sentence goes on" for n in range(12)]
    source = ", ".join(clauses) + "."

    result = assembled(source)

    pieces = [source[seg.start : seg.end] for seg in result.segments]
    assert " ".join(pieces) == source
    assert all(piece.endswith((",", ".")) for piece in pieces)
    assert len(pieces) > 1


def test_another_encoder_gets_the_segments_it_would_have_got_at_first() -> None:
    source = ", ".join(f"clause {n} of the never ending sentence goes on" for n in range(30)) + "."
    small = assembled(source)
    large = Chunking(replace(ENCODER, max_tokens=128), CONFIG)

    again = chunk_document(small.document, small.segments, small.facts, large)
    back = chunk_document(again.document, again.segments, again.facts, Chunking(ENCODER, CONFIG))

    assert len(again.segments) < len(small.segments)
    assert back == small


def test_a_chunk_size_beyond_the_encoder_is_refused() -> None:
    with pytest.raises(IngestError, match=r"chunk_tokens = 51 .* allowed are 16 to 50"):
        Chunking(ENCODER, IngestConfig(header_tokens=12, chunk_tokens=51))


WORDS = st.sampled_from(
    ["one", "two.", "# three", "\n\n", "\n- ", "，", "四五六。", "7.5", "|", "`", "\n```\n"]
)


@given(st.lists(WORDS, max_size=200).map(" ".join))
def test_every_visible_segment_is_in_chunks_that_fit_the_encoder(source: str) -> None:
    result = assembled(source)

    assert all(chunk.n_tokens + 2 <= ENCODER.max_tokens for chunk in result.chunks)
    for chunk in result.chunks:
        assert _members(chunk, result.segments)[0].start == chunk.start
        assert _members(chunk, result.segments)[-1].end == chunk.end
        words = re.findall(
            r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_]+|\S",
            result.document.text[chunk.start : chunk.end],
        )
        assert len(words) <= 50
    for segment in result.segments:
        if segment.kind != "heading":
            assert any(c.start <= segment.start and segment.end <= c.end for c in result.chunks)


def _members(chunk: Chunk, segments: tuple[Segment, ...]) -> list[Segment]:
    return [seg for seg in segments if chunk.start <= seg.start and seg.end <= chunk.end]
