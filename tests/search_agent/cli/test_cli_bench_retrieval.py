"""``bench retrieval``: each leg measured by document, as JSON, as a table and as run files."""

import shutil
from pathlib import Path

import pytest

from tests.search_agent.bench.judged_collection import write_judged_collection

from .scripted_command_line import CommandLine, ReadJson

LEGS = ("sparse", "dense", "hybrid", "bridged")
DOCUMENTED = {"dataset", "n_queries", "legs", "config", "fingerprint", "run_files"}
MEASURED = {"nDCG@10", "R@10", "R@100", "AP", "RR@10", "all_gold@5", "all_gold@10"}


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    return write_judged_collection(tmp_path / "small")


def bench(command_line: CommandLine, collection: Path, *options: str) -> int:
    return command_line.on_builds(
        "bench", "retrieval", str(collection), "--encoder", "hash", "--quiet", *options
    )


def test_the_documented_keys_and_measures_by_leg(
    command_line: CommandLine, collection: Path, printed_json: ReadJson
) -> None:
    assert bench(command_line, collection, "--json") == 0
    content = printed_json()
    assert set(content) >= DOCUMENTED
    # q4 has no judgement; q3 has one and finds nothing by words
    assert (content["dataset"], content["n_queries"], content["n_documents"]) == ("small", 3, 5)
    assert list(content["legs"]) == list(LEGS)
    assert all(set(values) == MEASURED for values in content["legs"].values())
    topics = {row["query_id"]: row["legs"]["sparse"] for row in content["per_topic"]}
    assert [topics[name]["R@10"] for name in ("q1", "q2", "q3")] == [1, 1, 0]
    assert content["legs"]["sparse"]["R@10"] == pytest.approx(2 / 3, abs=1e-4)
    assert content["legs"]["sparse"]["all_gold@5"] == pytest.approx(2 / 3, abs=1e-4)
    assert content["versions"].keys() >= {"python", "ir-measures", "faiss"}


def test_run_files_are_the_same_bytes_again_after_reopening_and_from_a_second_build(
    command_line: CommandLine, collection: Path, tmp_path: Path
) -> None:
    def runs(name: str) -> list[bytes]:
        folder = tmp_path / name
        assert bench(command_line, collection, "--run-dir", str(folder)) == 0
        return [(folder / f"small.{leg}.run").read_bytes() for leg in LEGS]

    first = runs("first")
    assert all(first)
    assert runs("again") == first
    shutil.rmtree(command_line.build_folder)
    assert runs("rebuilt") == first


def test_sparse_alone_embeds_nothing_and_throws_no_vectors_away(
    command_line: CommandLine, collection: Path, printed_json: ReadJson
) -> None:
    assert bench(command_line, collection, "--mode", "sparse", "--json") == 0
    assert printed_json()["encoders"] == []
    assert bench(command_line, collection, "--json") == 0
    assert [encoder["name"] for encoder in printed_json()["encoders"]] == ["hash"]
    assert bench(command_line, collection, "--mode", "sparse", "--json") == 0
    content = printed_json()
    assert [encoder["name"] for encoder in content["encoders"]] == ["hash"]
    assert list(content["legs"]) == ["sparse"]


def test_settings_of_the_search_are_changed_for_the_run_and_recorded(
    command_line: CommandLine,
    collection: Path,
    printed_json: ReadJson,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert bench(command_line, collection, "--set", "weight_dense=0.0", "--json") == 0
    content = printed_json()
    assert content["config"]["weight_dense"] == 0.0
    assert content["legs"]["hybrid"] == content["legs"]["sparse"]
    assert bench(command_line, collection, "--set", "weight=1") == 2
    assert "weight_dense" in capsys.readouterr().err


def test_queries_of_another_folder_are_asked_of_these_documents(
    command_line: CommandLine, collection: Path, tmp_path: Path, printed_json: ReadJson
) -> None:
    other = write_judged_collection(tmp_path / "other")
    (other / "queries.jsonl").write_text('{"_id": "q1", "text": "bread"}\n', encoding="utf-8")
    assert bench(command_line, collection, "--queries", str(other), "--json") == 0
    content = printed_json()
    assert (content["dataset"], content["queries"], content["n_queries"]) == ("small", "other", 1)
    assert content["legs"]["sparse"]["R@10"] == 0


def test_a_folder_of_collections_is_a_suite(
    command_line: CommandLine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_judged_collection(tmp_path / "data" / "one")
    write_judged_collection(tmp_path / "data" / "two" / "zh")
    (tmp_path / "data" / "notes").mkdir()
    assert bench(command_line, tmp_path / "data", "--mode", "sparse", "--n", "2") == 0
    table = capsys.readouterr().out.splitlines()
    assert [line.split(" | ")[:3] for line in table[2:]] == [
        ["| one", "2", "sparse"],
        ["| two-zh", "2", "sparse"],
    ]


def test_a_corpus_with_topics_is_judged_by_its_gold_quotes(
    command_line: CommandLine, printed_json: ReadJson
) -> None:
    assert bench(command_line, Path("toy"), "--mode", "sparse", "--json") == 0
    content = printed_json()
    assert content["dataset"] == "toy"
    assert content["legs"]["sparse"]["R@100"] == 1


@pytest.fixture
def saved(command_line: CommandLine, collection: Path) -> Path:
    out = collection.with_name("saved.json")
    assert bench(command_line, collection, "--out", str(out)) == 0
    return out


def test_saved_results_are_compared_by_leg(
    saved: Path, command_line: CommandLine, printed_json: ReadJson
) -> None:
    assert command_line.run("bench", "compare", str(saved), str(saved), "--json") == 0
    content = printed_json()
    assert {row["leg"] for row in content["differences"]} == set(LEGS)
    assert {row["difference"] for row in content["differences"]} == {0}
    sides = (f"{saved}#sparse", f"{saved}#hybrid")
    assert command_line.run("bench", "retrieval", "--compare", *sides, "--json") == 0
    assert {row["leg"] for row in printed_json()["differences"]} == {"sparse → hybrid"}


def test_saved_results_become_a_table_and_a_picture(
    saved: Path,
    command_line: CommandLine,
    printed_json: ReadJson,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert command_line.run("bench", "table", str(saved)) == 0
    assert "| small | 3 | sparse | " in capsys.readouterr().out
    pytest.importorskip("matplotlib", reason="plots need the extra `bench`")
    pictures = []
    for name in ("a.svg", "b.svg"):
        out = saved.with_name(name)
        assert command_line.run("bench", "plot", str(saved), "--out", str(out), "--json") == 0
        assert printed_json()["results"] == 1
        pictures.append(out.read_bytes())
    assert pictures[0] == pictures[1]
    assert all(leg.encode() in pictures[0] for leg in LEGS)


def test_a_dataset_is_needed(command_line: CommandLine, capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.on_builds("bench", "retrieval") == 2
    assert "name a dataset" in capsys.readouterr().err
