"""Planted secrets: what lies outside the labels asked for is in no output and no file of a run."""

from pathlib import Path

import pytest

from .scripted_command_line import BAROMETER, CommandLine

SECRET, SECRET_DATE = "nightjar", "2024-05-06"
MADE = "The brass barometer of Little Tarn was made by Ewan Sorrel."
HANGS = "The brass barometer hangs in the hall. It is wound on Mondays."
CORPUS = {
    "board/2024-05-06 nightjar memo.txt": HANGS,
    "board/near.md": f"# Little Tarn\n\n{MADE} Nightjar.",
    "board/plan.md": f"# Nightjar plan\n\n{MADE} It is meant for Nightjar.",
    "public/lake.md": f"# Little Tarn\n\n{MADE}",
    "public/walk.txt": HANGS,
    "corpus.toml": 'label_rules = [{ glob = "board/**", labels = ["nightjar"] },'
    ' { glob = "public/**", labels = ["public"] }]',
}
FOR_PUBLIC = "search_workflow_per_question_params.labels_any=['public']"


@pytest.fixture
def labelled(
    command_line: CommandLine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> CommandLine:
    """A corpus of which all that is not public names the secret: in words, names and labels."""
    for name, text in CORPUS.items():
        file = tmp_path / "papers" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    source = str(tmp_path / "papers")
    assert command_line.on_builds("ingest", source, "--encoder", "hash", "-q") == 0
    assert command_line.on_builds("index", "build", "--corpus", "papers", "-q") == 0
    capsys.readouterr()
    return command_line


@pytest.mark.parametrize("mode", ["hybrid", "sparse", "dense"])
def test_a_search_tells_nothing_outside_its_labels(
    labelled: CommandLine, mode: str, capsys: pytest.CaptureFixture[str]
) -> None:
    search = ("index", "search", "--corpus", "papers", "--mode", mode, "--json")
    assert labelled.on_builds(*search, "brass barometer") == 0
    assert SECRET in capsys.readouterr().out.casefold()

    for query in ("brass barometer", SECRET, SECRET_DATE):
        assert labelled.on_builds(*search, query, "--label", "public") == 0
        told = capsys.readouterr().out.casefold().replace(f'"{query}"', "")
        assert SECRET not in told
        assert SECRET_DATE not in told


def test_an_answer_and_its_run_folder_tell_nothing_outside_their_labels(
    labelled: CommandLine, capsys: pytest.CaptureFixture[str]
) -> None:
    ask = ("ask", BAROMETER, "--corpus", "papers", "--strategy", "single-shot", "--quiet")
    assert labelled.on_builds(*ask, "--set", FOR_PUBLIC) == 0

    output = capsys.readouterr().out
    assert "Ewan Sorrel" in output
    [run] = (labelled.build_folder / "papers" / "runs").iterdir()
    files = {path.name: path.read_text("utf-8") for path in run.rglob("*") if path.is_file()}
    assert "final_result.json" in files
    prompts = [message.content for call in labelled.loads[0].calls for message in call.messages]
    told = [output, *files.values(), *prompts]
    assert [text for text in told if SECRET in text.casefold() or SECRET_DATE in text] == []
