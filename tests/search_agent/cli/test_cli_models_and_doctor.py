"""``models`` and ``doctor`` over a folder with no model and one with a stranger's file."""

from pathlib import Path

import pytest

from search_agent.cli.doctor_report import (
    CPU_FEATURES,
    check_evaluation,
    cpu_features,
    typical_tokens,
)
from search_agent.config import load_config

from .scripted_command_line import CommandLine, ReadJson

GGUF_MAGIC = b"GGUF"


def write_gguf(path: Path) -> Path:
    """A file with the magic and version of a GGUF and nothing that could be loaded."""
    path.write_bytes(GGUF_MAGIC + (3).to_bytes(4, "little") + bytes(16))
    return path


def test_the_registry_is_listed_although_nothing_is_here(
    command_line: CommandLine, tmp_path: Path, printed_json: ReadJson
) -> None:
    assert command_line.run("models", "list", "--models-folder", str(tmp_path), "--json") == 0
    rows = {row["name"]: row for row in printed_json()["models"]}
    assert {"qwen2.5-coder-1.5b", "all-MiniLM-L6-v2"} <= set(rows)
    assert not any(row["present"] for row in rows.values())


def test_a_model_of_ones_own_is_added_verified_and_found_damaged(
    command_line: CommandLine, tmp_path: Path, printed_json: ReadJson
) -> None:
    folder = ("--models-folder", str(tmp_path / "models"))
    path = write_gguf(tmp_path / "own.gguf")
    added = ("models", "add", str(path), "--licence", "MIT", *folder, "--json")
    assert command_line.run(*added) == 0
    [entry] = printed_json()["models"]
    assert (entry["name"], entry["kind"], entry["licence"]) == ("own", "gguf", "MIT")

    assert command_line.run("models", "verify", *folder, "--quiet", "--json") == 0
    printed_json()
    path.write_bytes(path.read_bytes() + b"!")
    assert command_line.run("models", "verify", *folder, "--quiet", "--json") == 2
    assert "has SHA-256" in printed_json()["error"]


def test_a_model_that_is_not_here_names_the_way_out(
    command_line: CommandLine, tmp_path: Path, printed_json: ReadJson
) -> None:
    folder = ("--models-folder", str(tmp_path))
    assert command_line.run("models", "verify", "smollm2-135m", *folder, "-q", "--json") == 2
    assert "deepsearch models fetch smollm2-135m" in printed_json()["error"]


def test_fetching_an_unknown_name_reaches_for_nothing(
    command_line: CommandLine, tmp_path: Path, printed_json: ReadJson
) -> None:
    folder = ("--models-folder", str(tmp_path))
    assert command_line.run("models", "fetch", "no-such-model", *folder, "-q", "--json") == 2
    assert "no model 'no-such-model' to fetch" in printed_json()["error"]


def test_the_doctor_reports_builds_models_and_packages(
    toy: CommandLine, tmp_path: Path, printed_json: ReadJson
) -> None:
    folder = ("--models-folder", str(tmp_path / "none"))
    code = toy.on_builds("doctor", "--no-evaluate", *folder, "--quiet", "--json")
    report = printed_json()
    toy_build = {"corpus": "toy", "documents": 20, "index": "fresh", "runs": 0}
    assert report["builds"] == [{**toy_build, "unread_languages": []}]
    assert report["models"] == []
    assert report["evaluation"] is None
    assert {"faiss-cpu", "typer", "pydantic"} <= set(report["packages"])
    assert report["disk_free_bytes"] > 0
    assert code == (2 if report["problems"] else 0)


def test_the_doctor_finds_an_index_older_than_its_documents(
    toy: CommandLine, tmp_path: Path, printed_json: ReadJson
) -> None:
    manifest = toy.build_folder / "toy" / "ingest" / "manifest.json"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace('"fingerprint": "', '"fingerprint": "0'), encoding="utf-8")
    folder = ("--models-folder", str(tmp_path / "none"))
    assert toy.on_builds("doctor", "--no-evaluate", *folder, "--quiet", "--json") == 2
    report = printed_json()
    assert [build["index"] for build in report["builds"]] == ["stale"]
    assert any("deepsearch index build --corpus toy" in line for line in report["problems"])


def test_a_model_that_cannot_run_is_a_finding_not_a_crash(tmp_path: Path) -> None:
    check = check_evaluation("smollm2-135m", load_config("quick"), tmp_path)
    assert check.works is False
    assert "models fetch smollm2-135m" in check.reason


@pytest.mark.parametrize(
    ("flags", "there"),
    [
        ("fpu avx2 fma avx512f", {"avx2", "fma", "avx512f"}),
        ("fpu avx2 amx_tile", {"avx2", "amx_tile"}),
        ("fpu", set()),
    ],
)
def test_cpu_features_are_read_as_whole_words(flags: str, there: set[str], tmp_path: Path) -> None:
    path = tmp_path / "cpuinfo"
    path.write_text(f"processor\t: 0\nflags\t\t: {flags}\n", encoding="utf-8")
    features = cpu_features(path)
    assert set(features) == set(CPU_FEATURES)
    assert {name for name, is_there in features.items() if is_there} == there


def test_a_question_of_the_quick_profile_is_predicted_by_arithmetic() -> None:
    # quick: 2 actions of 3 // 2 = 1 call; tool rows of 450 tokens; half of 224 as a reply
    assert typical_tokens(load_config("quick")) == (
        600 + 2 * (450 + 112 + 200),
        (224 + 128) // 2 + 2 * 112,
    )
