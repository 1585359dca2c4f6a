"""``bench speed``: real systems, each in its own process, over corpora of a few hundred chunks."""

from pathlib import Path

import pytest

from tests.search_agent.bench.growing_collection import write_growing_collection

from .scripted_command_line import CommandLine, ReadJson

N_CELLS = 3 * 2
"""Lengths of questions times askers."""


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    return write_growing_collection(tmp_path / "growing")


def bench(command_line: CommandLine, collection: Path, *options: str) -> int:
    words = ("bench", "speed", str(collection), "--encoder", "hash", "--rounds", "1", "--quiet")
    return command_line.on_builds(*words, *options)


@pytest.mark.slow
def test_every_leg_is_built_opened_and_asked_at_every_size(
    command_line: CommandLine, collection: Path, tmp_path: Path, printed_json: ReadJson
) -> None:
    out = tmp_path / "speed.json"
    options = ("--sizes", "300,200", "--systems", "ours,faiss-flat", "--out", str(out), "--json")
    assert bench(command_line, collection, *options) == 0
    content = printed_json()
    assert out.is_file()
    assert (content["complete"], content["skipped"], content["sizes"]) == (True, [], [200, 300])
    assert content["vectors"]["encoder"] == "hash"
    built = [(row["n_chunks"], row["system"], row["leg"]) for row in content["builds"]]
    legs = [("ours", "sparse"), ("ours", "dense"), ("faiss-flat", "dense")]
    assert built == [(size, *leg) for size in (200, 300) for leg in legs]
    assert all(row["seconds"] > 0 and row["bytes"] > 0 for row in content["builds"])
    assert len(content["openings"]) == 2 * 4
    assert len(content["latencies"]) == 2 * 4 * N_CELLS
    assert all(0 < row["p50_ms"] <= row["p95_ms"] for row in content["latencies"])
    # both are exact at this size, and the scores of few vectors are equal
    exact = [row["shared_with_ours"] for row in content["latencies"] if row["leg"] == "dense"]
    assert min(exact) == 1
    assert {row["n_terms"] for row in content["analysis"]} == {3, 12, 40}


@pytest.mark.slow
def test_the_lexical_systems_find_the_same(
    command_line: CommandLine, collection: Path, printed_json: ReadJson
) -> None:
    pytest.importorskip("bm25s", reason="a system of the extra `bench`")
    pytest.importorskip("tantivy", reason="a system of the extra `bench`")
    systems = "ours,bm25s,tantivy,rank-bm25,faiss-flat"
    options = ("--sizes", "200", "--legs", "sparse", "--systems", systems, "--json")
    assert bench(command_line, collection, *options) == 0
    content = printed_json()
    assert content["skipped"] == []
    assert content["vectors"] is None  # nothing was embedded
    assert content["systems"] == ["ours", "bm25s", "tantivy", "rank-bm25"]
    rows = {
        (row["system"], row["n_terms"]): row["shared_with_ours"]
        for row in content["latencies"]
        if row["n_threads"] == 1
    }
    # the same formula, but for float32 (so other ties), lengths in one byte, or another idf
    least = {"ours": 1.0, "bm25s": 0.95, "tantivy": 0.8, "rank-bm25": 0.5}
    for (system, _), shared in rows.items():
        assert shared >= least[system]


@pytest.mark.slow
def test_what_is_too_large_is_skipped_with_a_line_and_the_rest_measured(
    command_line: CommandLine,
    collection: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    options = ("--sizes", "10001", "--legs", "sparse", "--systems", "ours,rank-bm25")
    assert bench(command_line, collection, *options) == 0
    printed = capsys.readouterr().out
    line = "skipped at 10001 chunks: rank-bm25: it is measured up to 10000 chunks"
    assert line in printed.splitlines()
    assert "| sparse | 12 | ours | " in printed


def test_a_corpus_that_the_disk_cannot_hold_is_not_drawn(
    command_line: CommandLine, collection: Path, printed_json: ReadJson
) -> None:
    options = ("--sizes", str(10**13), "--legs", "sparse", "--systems", "ours", "--json")
    assert bench(command_line, collection, *options) == 0
    content = printed_json()
    assert [(row["n_chunks"], row["system"]) for row in content["skipped"]] == [(10**13, None)]
    assert "it needs about" in content["skipped"][0]["why"]
    assert content["latencies"] == []


def test_the_growth_is_drawn(command_line: CommandLine, collection: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="plots need the extra `bench`")
    plot = tmp_path / "speed.svg"
    options = ("--sizes", "50,100", "--legs", "sparse", "--systems", "ours", "--plot", str(plot))
    assert bench(command_line, collection, *options) == 0
    picture = plot.read_text("utf-8")
    assert "sparse, 12 terms" in picture
    assert "on disk, MB" in picture


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--sizes", "10,none"), "give numbers of chunks by comma"),
        (("--sizes", "0"), "give numbers of chunks by comma"),
        (("--systems", "lucene"), "known are ours, bm25s, bm25s-numba, tantivy, rank-bm25"),
        (("--legs", "sparse,words"), "known are sparse, dense, hybrid"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_one_line(
    options: tuple[str, ...],
    told: str,
    command_line: CommandLine,
    collection: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert bench(command_line, collection, *options) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1
