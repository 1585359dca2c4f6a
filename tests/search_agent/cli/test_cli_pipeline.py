"""From a folder to a checked answer, command by command, over the toy corpus."""

import json
from pathlib import Path

import pytest

from .scripted_command_line import BAROMETER, CommandLine, ReadJson

ASK = ("ask", BAROMETER, "--corpus", "toy", "--strategy", "single-shot", "--quiet")
RUN_ID = "20260102T030405Z-"


def test_ingest_and_index_say_what_they_did(
    command_line: CommandLine, printed_json: ReadJson
) -> None:
    assert command_line.on_builds("ingest", "toy", "--encoder", "hash", "--quiet", "--json") == 0
    ingested = printed_json()
    assert ingested["documents"]["ok"] == 20
    assert ingested["changes"]["added"] == 20
    assert {"segments", "chunks", "problems", "seconds", "fingerprint"} <= set(ingested)

    # the index takes the encoder that the chunks were cut for
    assert command_line.on_builds("index", "build", "--corpus", "toy", "--quiet", "--json") == 0
    built = printed_json()
    assert built["written"] == ingested["chunks"]
    assert built["ingest_fingerprint"] == ingested["fingerprint"]
    assert [leg["name"] for leg in built["dense"]] == ["hash"]

    assert command_line.on_builds("index", "update", "--corpus", "toy", "--quiet", "--json") == 0
    assert printed_json()["written"] == 0


def test_a_folder_is_built_under_the_name_it_is_given(
    command_line: CommandLine, tmp_path: Path, printed_json: ReadJson
) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "one.txt").write_text("The mill stands on the hill.\n", encoding="utf-8")
    ingest = ("ingest", str(folder), "--corpus", "mill", "--encoder", "hash", "--quiet", "--json")
    assert command_line.on_builds(*ingest) == 0
    assert printed_json()["changes"]["added"] == 1
    assert (command_line.build_folder / "mill" / "ingest" / "manifest.json").is_file()

    (folder / "two.txt").write_text("The mill was built in 1801.\n", encoding="utf-8")
    assert command_line.on_builds(*ingest) == 0
    changes = printed_json()["changes"]
    assert (changes["added"], changes["unchanged"]) == (1, 1)


def test_two_sources_make_two_builds_and_one_object(
    command_line: CommandLine, tmp_path: Path, printed_json: ReadJson
) -> None:
    for name in ("left", "right"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text(f"The {name} bank.\n", encoding="utf-8")
    sources = (str(tmp_path / "left"), str(tmp_path / "right"))
    assert command_line.on_builds("ingest", *sources, "--encoder", "hash", "-q", "--json") == 0
    assert set(printed_json()["corpora"]) == {"left", "right"}


def test_search_prints_the_documented_keys_with_ranks_from_one(
    toy: CommandLine, printed_json: ReadJson
) -> None:
    arguments = ("index", "search", "brass barometer", "--corpus", "toy", "-k", "2", "--json")
    assert toy.on_builds(*arguments) == 0
    content = printed_json()
    assert (content["query"], content["mode"]) == ("brass barometer", "hybrid")
    first, second = content["hits"]
    assert (first["rank"], second["rank"]) == (1, 2)
    assert first["uri"] == "corpus:///korren/weather-notes.txt"
    assert first["legs"] == {"sparse": 1, "dense": 1}
    assert first["chunk_id"] == f"{first['doc_id']}:{first['start']}-{first['end']}"
    assert len(first["text"]) == first["end"] - first["start"]
    keys = {"score", "doc_id", "title", "page", "heading_path", "start", "end", "text"}
    assert keys <= set(first)


def test_between_ingest_and_index_the_index_before_answers_with_a_warning(
    command_line: CommandLine,
    tmp_path: Path,
    printed_json: ReadJson,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path / "mill"
    folder.mkdir()
    (folder / "one.txt").write_text("The mill stands on the hill.\n", encoding="utf-8")
    ingest = ("ingest", str(folder), "--encoder", "hash", "--quiet")
    search = ("index", "search", "mill", "--corpus", "mill")
    command_line.on_builds(*ingest)
    command_line.on_builds("index", "build", "--corpus", "mill", "--quiet")
    capsys.readouterr()
    assert command_line.on_builds(*search, "--json") == 0
    assert printed_json()["stale"] is False

    (folder / "one.txt").write_text("The mill was pulled down.\n", encoding="utf-8")
    command_line.on_builds(*ingest)
    capsys.readouterr()
    assert command_line.on_builds(*search, "--json", "--quiet") == 0
    content = printed_json()
    assert content["stale"] is True
    assert [hit["text"] for hit in content["hits"]] == ["The mill stands on the hill."]
    assert command_line.on_builds(*search) == 0
    assert "run `make index`" in capsys.readouterr().err


def test_one_leg_alone_leaves_the_other_without_a_rank(
    toy: CommandLine, printed_json: ReadJson
) -> None:
    arguments = ("index", "search", "barometer", "--corpus", "toy", "--mode", "sparse", "-k", "1")
    assert toy.on_builds(*arguments, "--json") == 0
    [hit] = printed_json()["hits"]
    assert hit["legs"] == {"sparse": 1, "dense": None}


def test_verify_and_stats_look_at_the_index(toy: CommandLine, printed_json: ReadJson) -> None:
    assert toy.on_builds("index", "verify", "--corpus", "toy", "-q", "--json") == 0
    assert printed_json()["ok"] is True
    assert toy.on_builds("index", "stats", "--corpus", "toy", "--json") == 0
    stats = printed_json()
    assert stats["manifest"]["counts"]["documents"] == 20
    assert stats["bytes_by_part"].keys() == {"chunks", "lexical", "mentions", "dense/hash"}


def test_an_answer_is_printed_saved_shown_and_verified(
    toy: CommandLine, printed_json: ReadJson
) -> None:
    assert toy.on_builds(*ASK, "--json") == 0
    answer = printed_json()
    assert (answer["status"], answer["answer"]) == ("answered", "Ewan Sorrel")
    assert answer["index"]["corpus"] == "toy"
    assert answer["model"]["name"] == "scripted"
    run_id = Path(answer["run_dir"]).name
    assert run_id.startswith(RUN_ID)
    [claim] = answer["claims"]
    [citation] = claim["citations"]
    assert citation["exists"] is True
    assert citation["source_check"] == "match"

    assert toy.on_builds("show", f"{run_id}#1", "--context", "5", "--json") == 0
    shown = printed_json()
    assert shown["text"] == citation["quote"]
    assert len(shown["before"]) == len(shown["after"]) == 5

    span = f"{citation['doc_id']}:{citation['start']}-{citation['end']}"
    assert toy.on_builds("show", span, "--json") == 0
    assert printed_json()["text"] == citation["quote"]

    assert toy.on_builds("verify", run_id, "--json") == 0
    report = printed_json()
    assert (report["citations"], report["exist"], report["failures"]) == (1, 1, [])

    assert toy.on_builds("runs", "list", "--json") == 0
    [run] = printed_json()["runs"]
    assert (run["id"], run["corpus"], run["status"]) == (run_id, "toy", "answered")

    assert toy.on_builds("runs", "rm", run_id, "--json") == 0
    assert [Path(folder).name for folder in printed_json()["removed"]] == [run_id]
    assert toy.on_builds("runs", "list", "--json") == 0
    assert printed_json()["runs"] == []


def test_a_citation_of_a_quote_that_was_edited_fails_verification(
    toy: CommandLine, printed_json: ReadJson
) -> None:
    assert toy.on_builds(*ASK, "--run-id", "edited", "--json") == 0
    printed_json()
    path = toy.build_folder / "toy" / "runs" / "edited" / "final_result.json"
    text = path.read_text(encoding="utf-8")
    content = json.loads(text)
    content["claims"][0]["citations"][0]["quote"] = "It was made by somebody else."
    path.write_text(json.dumps(content), encoding="utf-8")
    assert toy.on_builds("verify", "edited", "--json") == 2
    [failure] = printed_json()["failures"]
    assert "text_mismatch" in failure["reason"]


def test_a_run_id_is_used_once(toy: CommandLine, capsys: pytest.CaptureFixture[str]) -> None:
    assert toy.on_builds(*ASK, "--run-id", "mine") == 0
    assert toy.on_builds(*ASK, "--run-id", "mine") == 2
    assert "run 'mine' exists already" in capsys.readouterr().err


def test_default_run_ids_differ_within_one_second(toy: CommandLine, printed_json: ReadJson) -> None:
    names = []
    for _ in range(2):
        assert toy.on_builds(*ASK, "--json") == 0
        names.append(Path(printed_json()["run_dir"]).name)
    assert names[1] == f"{names[0]}-2"


def test_topics_are_answered_with_one_model_load(
    toy: CommandLine, tmp_path: Path, printed_json: ReadJson
) -> None:
    topics = tmp_path / "topics.jsonl"
    lines = [
        {"query_id": "one", "text": BAROMETER},
        {"query_id": "two", "text": "Who sells maps of Mars?"},
    ]
    topics.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    arguments = ("ask", "--topics", str(topics), "--corpus", "toy", "--strategy", "single-shot")
    assert toy.on_builds(*arguments, "--run-id", "batch", "--quiet", "--json") == 0
    first, second = printed_json()["results"]
    assert (first["status"], second["status"]) == ("answered", "abstained")
    assert [Path(result["run_dir"]).name for result in (first, second)] == [
        "batch-one",
        "batch-two",
    ]
    assert len(toy.loads) == 1


def test_a_finished_run_is_resumed_to_its_own_result(
    toy: CommandLine, printed_json: ReadJson
) -> None:
    assert toy.on_builds(*ASK, "--run-id", "done", "--json") == 0
    answer = printed_json()
    assert toy.on_builds("resume", "done", "--quiet", "--json") == 0
    assert printed_json() == answer


def test_progress_goes_to_stderr_as_plain_lines(
    toy: CommandLine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert toy.on_builds(*ASK[:-1], "--json") == 0
    captured = capsys.readouterr()
    json.loads(captured.out)
    lines = captured.err.splitlines()
    assert lines[0] == "opening 'toy'"
    assert "searching 'toy' (single-shot, model scripted)" in lines
    assert lines[-1] == "finished: answered (answer)"
    assert "\x1b" not in captured.err
