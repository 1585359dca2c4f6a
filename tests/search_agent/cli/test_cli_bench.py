"""``bench answers`` over the toy topics: measured, saved, and not asked twice."""

import json
import os
import signal
from pathlib import Path

import pytest

from .scripted_command_line import CommandLine, ReadJson

ANSWERS = ("bench", "answers", "toy", "--encoder", "hash", "--strategy", "single-shot", "--quiet")
TABLE_KEYS = {
    "dataset",
    "n",
    "strategy",
    "model",
    "exact_match",
    "f1",
    "citation_precision",
    "citation_recall",
    "claims_supported",
    "abstained",
    "all_gold_at_10",
    "seconds_per_question",
    "prompt_evaluated",
    "prompt_reused",
    "completion",
    "per_question",
}


def test_the_documented_keys_are_there_and_the_numbers_follow_from_the_questions(
    command_line: CommandLine, printed_json: ReadJson
) -> None:
    assert command_line.on_builds(*ANSWERS, "--n", "3", "--json") == 0
    content = printed_json()
    assert set(content) >= TABLE_KEYS
    assert (content["dataset"], content["n"], content["strategy"]) == ("toy", 3, "single-shot")
    rows = {row["query_id"]: row for row in content["per_question"]}
    assert list(rows) == ["toy-1", "toy-2", "toy-3"]
    # the script answers the barometer's maker and nothing else
    assert (rows["toy-3"]["exact_match"], rows["toy-3"]["citation_precision"]) == (1.0, 1.0)
    assert content["exact_match"] == pytest.approx(1 / 3, abs=1e-4)
    assert content["abstained"] == pytest.approx(2 / 3, abs=1e-4)
    # gold spans: two, one, one; only the last question's is cited
    assert content["citation_recall"] == pytest.approx((0 + 0 + 1) / 3, abs=1e-4)
    assert content["citation_precision"] == 1.0
    assert len(content["config_sha256"]) == len(content["prompts_sha256"]) == 64


def test_a_second_run_makes_no_call_and_loads_no_model(
    command_line: CommandLine, printed_json: ReadJson
) -> None:
    assert command_line.on_builds(*ANSWERS, "--n", "2", "--json") == 0
    first = printed_json()
    [model] = command_line.loads
    assert len(model.calls) > 0

    assert command_line.on_builds(*ANSWERS, "--n", "2", "--json") == 0
    second = printed_json()
    assert command_line.loads == [model]
    assert second["reused"] == 2
    measured = set(first) - {"reused", "made_at", "per_question"}
    assert {key: first[key] for key in measured} == {key: second[key] for key in measured}

    # one more question: only that one is asked
    assert command_line.on_builds(*ANSWERS, "--n", "3", "--json") == 0
    assert [row["reused"] for row in printed_json()["per_question"]] == [True, True, False]


@pytest.mark.parametrize(
    "change",
    [
        ("--fresh",),
        ("--seed", "1"),
        ("--profile", "quick"),
        ("--set", "search_workflow_per_question_params.time_limit=77"),
    ],
    ids=" ".join,
)
def test_whatever_the_answer_depends_on_asks_again(
    change: tuple[str, ...], command_line: CommandLine, printed_json: ReadJson
) -> None:
    assert command_line.on_builds(*ANSWERS, "--n", "1", "--json") == 0
    printed_json()
    assert command_line.on_builds(*ANSWERS, "--n", "1", "--json", *change) == 0
    assert printed_json()["reused"] == 0
    assert len(command_line.loads) == 2


def test_an_unfinished_run_is_asked_again(
    command_line: CommandLine, printed_json: ReadJson
) -> None:
    assert command_line.on_builds(*ANSWERS, "--n", "1", "--json") == 0
    printed_json()
    [run] = (command_line.build_folder / "bench-toy" / "runs").iterdir()
    (run / "final_result.json").unlink()
    assert command_line.on_builds(*ANSWERS, "--n", "1", "--json") == 0
    assert printed_json()["reused"] == 0


def test_an_interruption_reports_what_is_done_and_the_next_run_goes_on(
    command_line: CommandLine, printed_json: ReadJson
) -> None:
    calls = 0

    def interrupt_the_second(_call: object) -> dict[str, object]:
        nonlocal calls
        calls += 1
        if calls == 2:
            os.kill(os.getpid(), signal.SIGINT)
        return {"thought": "", "missing": "nothing"}

    command_line.script = interrupt_the_second
    assert command_line.on_builds(*ANSWERS, "--n", "3", "--json") == 130
    content = printed_json()
    assert (content["complete"], content["n"]) == (False, len(content["per_question"]))
    assert content["n"] < 3

    assert command_line.on_builds(*ANSWERS, "--n", "3", "--json") == 0
    after = printed_json()
    assert (after["complete"], after["reused"]) == (True, content["n"])


def test_several_strategies_are_one_object_and_one_table(
    command_line: CommandLine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "result.json"
    arguments = (*ANSWERS, "--strategy", "react", "--n", "1", "--out", str(out))
    assert command_line.on_builds(*arguments) == 0
    table = capsys.readouterr().out
    content = json.loads(out.read_text(encoding="utf-8"))
    assert [result["strategy"] for result in content["results"]] == ["single-shot", "react"]

    assert command_line.run("bench", "table", str(out)) == 0
    assert capsys.readouterr().out == table
    assert table.count("\n") == 2 + 2


def test_a_file_that_is_no_result_is_refused(
    command_line: CommandLine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "other.json").write_text("[1]", encoding="utf-8")
    assert command_line.run("bench", "table", str(tmp_path / "other.json")) == 2
    assert "is no result of `deepsearch bench answers`" in capsys.readouterr().err


def test_out_must_lie_in_a_folder_that_exists(
    command_line: CommandLine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command_line.on_builds(*ANSWERS, "--out", "no/such/folder/r.json") == 2
    assert "does not exist" in capsys.readouterr().err
    assert command_line.loads == []
