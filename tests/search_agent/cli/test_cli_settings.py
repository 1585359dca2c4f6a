"""Flags and ``--set`` become configuration; run ids and run directories."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from search_agent.cli.build_layout import find_run, new_run_dir, new_run_id
from search_agent.cli.settings import parse_assignments, search_config
from search_agent.errors import ConfigError, RunNotFound

PARAMS = "search_workflow_per_question_params"


@pytest.mark.parametrize(
    ("assignment", "key", "value"),
    [
        ("a.b=1", "a.b", 1),
        ("a=1.5", "a", 1.5),
        ("a=true", "a", True),
        ("a=text", "a", "text"),
        ('a="quoted"', "a", "quoted"),
        ('a=["x", "y"]', "a", ["x", "y"]),
        ("a=x=y", "a", "x=y"),
        ("a=", "a", ""),
        (" a = 2 ", "a", 2),
        ("a=2026-01-02", "a", datetime(2026, 1, 2, tzinfo=UTC).date()),
        ("a=1\nb = 2", "a", "1\nb = 2"),  # one pair sets one key
    ],
)
def test_a_value_is_toml_or_else_text(assignment: str, key: str, value: object) -> None:
    assert parse_assignments([assignment]) == {key: value}


@pytest.mark.parametrize("assignment", ["novalue", "=1", ""])
def test_a_pair_without_key_or_sign_is_refused(assignment: str) -> None:
    with pytest.raises(ConfigError, match="KEY=VALUE"):
        parse_assignments([assignment])


def test_named_flags_win_over_set() -> None:
    config = search_config(
        "quick", assignments=[f"{PARAMS}.time_limit=5"], time_limit=7, guess=False, model="m.gguf"
    )
    assert config.params.time_limit == 7
    assert config.params.provide_best_guess is False
    assert config.llm.model_path == "m.gguf"


def test_without_flags_the_profile_stands() -> None:
    assert search_config("quick").params.provide_best_guess is True


def test_run_ids_sort_by_time_and_tell_questions_apart() -> None:
    early = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    late = datetime(2026, 1, 2, 3, 4, 6, tzinfo=UTC)
    assert new_run_id("a", now=early).startswith("20260102T030405Z-")
    assert new_run_id("z", now=early) < new_run_id("a", now=late)
    assert new_run_id("a", now=early) != new_run_id("b", now=early)


@pytest.mark.parametrize("run_id", ["", ".hidden", "a/b", "..", "a b", "é", "x" * 65, "a\n"])
def test_a_run_id_is_a_plain_name(run_id: str, tmp_path: Path) -> None:
    now = datetime(2026, 1, 2, tzinfo=UTC)
    with pytest.raises(ConfigError, match="A-Z a-z 0-9"):
        new_run_dir(tmp_path, run_id=run_id, question="q", now=now)


def test_a_run_is_found_by_id_in_any_corpus_or_by_path(tmp_path: Path) -> None:
    folder = tmp_path / "toy" / "runs" / "one"
    folder.mkdir(parents=True)
    (folder / "trajectory.jsonl").touch()
    assert find_run("one", build_folder=tmp_path) == folder
    assert find_run(str(folder), build_folder=tmp_path / "elsewhere") == folder


def test_an_id_in_two_corpora_must_be_given_as_a_path(tmp_path: Path) -> None:
    for corpus in ("a", "b"):
        folder = tmp_path / corpus / "runs" / "one"
        folder.mkdir(parents=True)
        (folder / "final_result.json").touch()
    with pytest.raises(RunNotFound, match="several corpora"):
        find_run("one", build_folder=tmp_path)


def test_a_folder_that_is_no_run_is_not_taken_for_one(tmp_path: Path) -> None:
    (tmp_path / "precious").mkdir()
    with pytest.raises(RunNotFound):
        find_run(str(tmp_path / "precious"), build_folder=tmp_path)
