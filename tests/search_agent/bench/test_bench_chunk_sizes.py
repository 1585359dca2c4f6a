"""Recall and precision of gold characters, and the sweep over ways of chunking."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_agent.bench.cited_spans import Span
from search_agent.bench.span_measures import first_chars, merged, span_precision, span_recall
from tests.search_agent.cli.scripted_command_line import CommandLine

STORM = "A storm broke the lamp of the tower in 1901."
CRANE = "The crane of Senna lifts forty tons."
SENTENCES = [
    f"Sentence {n} tells of ordinary days at the port, of nets and boats." for n in range(9)
]


def span(start: int, end: int, source: str = "a") -> Span:
    return Span(source, start, end)


def test_recall_is_the_share_of_gold_characters_retrieved() -> None:
    gold = [span(10, 20), span(100, 130)]
    retrieved = [span(0, 15), span(90, 110), span(100, 130, "b")]
    assert span_recall(gold, retrieved) == (5 + 10) / (10 + 30)


def test_a_character_retrieved_twice_is_found_once_and_read_twice() -> None:
    gold, retrieved = [span(0, 10)], [span(0, 10), span(5, 15)]
    assert span_recall(gold, retrieved) == 1
    assert span_precision(gold, retrieved) == 10 / (10 + 10)


def test_gold_spans_that_overlap_count_once() -> None:
    assert span_recall([span(0, 10), span(5, 20)], [span(0, 5)]) == 5 / 20


def test_nothing_retrieved_has_no_precision() -> None:
    assert span_precision([span(0, 10)], []) == 0


def test_the_first_characters_of_a_ranking_cut_the_span_they_end_in() -> None:
    ranking = [span(50, 60), span(0, 8), span(20, 30)]
    assert first_chars(ranking, 14) == [span(50, 60), span(0, 4)]
    assert first_chars(ranking, 10) == [span(50, 60)]
    assert first_chars(ranking, 99) == ranking


SPANS = st.lists(
    st.tuples(st.sampled_from("ab"), st.integers(0, 30), st.integers(0, 12)).map(
        lambda drawn: Span(drawn[0], drawn[1], drawn[1] + drawn[2])
    ),
    max_size=6,
)


def characters(spans: list[Span]) -> set[tuple[str, int]]:
    return {(one.doc_id, place) for one in spans for place in range(one.start, one.end)}


@given(SPANS.filter(characters), SPANS)
def test_measures_equal_those_of_character_sets(gold: list[Span], retrieved: list[Span]) -> None:
    shared = len(characters(gold) & characters(retrieved))
    read = sum(one.end - one.start for one in retrieved)
    assert span_recall(gold, retrieved) == shared / len(characters(gold))
    assert span_precision(gold, retrieved) == (shared / read if read else 0)
    assert characters(merged(retrieved)) == characters(retrieved)


@pytest.fixture
def marked(tmp_path: Path) -> Path:
    """Two texts, a question with its answer in each."""
    folder = tmp_path / "marked"
    (folder / "corpora").mkdir(parents=True)
    questions = []
    for name, answer, question in (
        ("tower", STORM, "storm lamp tower"),
        ("port", CRANE, "crane Senna tons"),
    ):
        text = " ".join([*SENTENCES[:5], answer, *SENTENCES[5:]])
        (folder / "corpora" / f"{name}.md.gz").write_bytes(gzip.compress(text.encode()))
        start = text.index(answer)
        reference = {"content": answer, "start_index": start, "end_index": start + len(answer)}
        questions.append(
            {"_id": name, "text": question, "corpus_id": name, "references": [reference]}
        )
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    (folder / "questions.jsonl").write_text(lines, encoding="utf-8")
    return folder


def test_every_way_is_measured_and_smaller_chunks_are_more_precise(
    marked: Path, command_line: CommandLine, tmp_path: Path
) -> None:
    out = tmp_path / "chunks.json"
    arguments = ["bench", "chunks", str(marked), "--encoder", "hash", "--quiet", "--out", str(out)]
    arguments += ["--sizes", "24,120", "--overlaps", "0", "--headers", "0,32"]
    assert command_line.on_builds(*arguments) == 0
    result = json.loads(out.read_text(encoding="utf-8"))
    assert result["n_questions"] == 2
    assert result["n_gold_chars"] == len(STORM) + len(CRANE)
    ways = {
        (each["way"]["chunk_tokens"], each["way"]["header_tokens"]): each["legs"]["sparse"]
        for each in result["ways"]
    }
    assert set(ways) == {(24, 0), (24, 32), (120, 0), (120, 32)}
    for values in ways.values():
        assert values["recall@1"] == 1  # the answers' words stand nowhere else
    assert ways[24, 0]["precision@1"] > ways[120, 0]["precision@1"]


def test_an_excerpt_that_does_not_stand_where_it_is_said_to_is_refused(
    marked: Path, command_line: CommandLine, capsys: pytest.CaptureFixture[str]
) -> None:
    questions = marked / "questions.jsonl"
    questions.write_text(questions.read_text(encoding="utf-8").replace("forty", "sixty"))
    assert command_line.on_builds("bench", "chunks", str(marked), "--encoder", "hash") == 2
    assert "does not read" in capsys.readouterr().err
    assert command_line.on_builds("bench", "chunks", str(marked), "--sizes", "64;128") == 2
    assert "whole numbers" in capsys.readouterr().err


@pytest.fixture
def command_line(tmp_path: Path) -> CommandLine:
    return CommandLine(build_folder=tmp_path / "build")
