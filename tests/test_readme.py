"""README.md against the product: commands, targets, files, keys, numbers, links and code."""

import re
import runpy
import shlex
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
import typer
from pydantic import BaseModel
from typer.core import TyperCommand, TyperGroup

from corpora.card import CorpusCard
from corpora.topics import load_topics
from search_agent.bench.result import BenchResult
from search_agent.cli import exits
from search_agent.cli.doctor_report import DoctorReport
from search_agent.cli.main import app
from search_agent.config import PROFILES, load_config
from search_agent.evidence.records import Citation
from search_agent.evidence.show import ShownSpan
from search_agent.evidence.verify import VerifyReport
from search_agent.final_result import FinalResult
from search_agent.model.scripted import ScriptedModel

from .search_agent.cli.conftest import printed_json  # noqa: F401  (a fixture)
from .search_agent.cli.scripted_command_line import (
    BAROMETER,
    CommandLine,
    ReadJson,
    answer_barometer,
)

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROSE = re.sub(r"^```.*?^```$", "", README, flags=re.M | re.S)
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
PACKAGES = ("corpora", "prompts", "ingest", "index", "search_agent")
DATA = ("corpora/demo", "corpora/demo_sources", "corpora/toy")
"""Folders that the tree names as a whole."""


def section(heading: str) -> str:
    """The text from one ``##`` heading to the next."""
    found = re.search(rf"^## {re.escape(heading)}$(.*?)(?=^## |\Z)", README, re.M | re.S)
    assert found is not None, heading
    return found[1]


def blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


def rows(text: str) -> list[list[str]]:
    """The cells of every table row, headings and rules included."""
    return [
        [cell.strip() for cell in line.strip("|").split(" | ")]
        for line in text.splitlines()
        if line.startswith("|")
    ]


def code(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def commands(group: TyperGroup, prefix: str = "") -> Iterator[tuple[str, TyperCommand]]:
    for name, command in group.commands.items():
        if isinstance(command, TyperGroup):
            yield from commands(command, f"{prefix}{name} ")
        else:
            assert isinstance(command, TyperCommand)
            yield f"{prefix}{name}", command


def command_table() -> dict[str, TyperCommand]:
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    return dict(commands(group))


COMMANDS = command_table()
SHELL = [
    line
    for block in blocks("sh")
    for line in block.replace("\\\n", " ").splitlines()
    if line and not line.startswith("#")
]
INLINE = [text for text in code(PROSE) if text.startswith("deepsearch ")]
TARGETS = re.findall(r"^([a-z-]+):.*## ", MAKEFILE, re.M)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_is_named(name: str) -> None:
    assert re.search(rf"deepsearch {name}\b", README)


@pytest.mark.parametrize("target", TARGETS)
def test_every_make_target_is_in_the_table(target: str) -> None:
    assert f"| `make {target}` |" in README


def test_the_two_commands_come_first() -> None:
    assert blocks("sh")[0] == "make demo\nmake test\n"


@pytest.mark.parametrize("line", [line for line in SHELL if line.startswith("make")])
def test_a_make_line_uses_targets_and_variables_that_exist(line: str) -> None:
    for word in shlex.split(line)[1:]:
        variable, equals, _ = word.partition("=")
        if equals:
            assert re.search(rf"\$\$?[({{]?{variable}\b", MAKEFILE), variable
        else:
            assert word in TARGETS


@pytest.mark.parametrize("line", [line for line in SHELL if not line.startswith("make")] + INLINE)
def test_a_command_line_is_one_that_the_product_would_read(line: str) -> None:
    program, *words = shlex.split(line)
    assert program == "deepsearch"
    name = next(name for name in COMMANDS if words[: len(name.split())] == name.split())
    arguments = words[len(name.split()) :]
    if arguments or line in SHELL:  # a bare name in the text stands for the command
        COMMANDS[name].make_context(name, arguments)


@pytest.mark.parametrize("variable", ["PYTHON", "MODEL", "DEMO_QUESTION", "CORPUS", "Q"])
def test_a_variable_of_make_is_explained(variable: str) -> None:
    assert re.search(rf"`(?:make )?{variable}\b|{variable}=|`{variable}`", README)


def tree() -> set[str]:
    """Every path of the tree, folders with a slash at the end."""
    paths: set[str] = set()
    for block in blocks("text", section("The tree")):
        parents: list[str] = []
        for line in block.splitlines():
            entry, _, comment = line.partition("#")
            assert len(comment.strip()) > 3, line
            depth = (len(entry) - len(entry.lstrip())) // 2
            parents = [*parents[:depth], entry.strip()]
            paths.add("".join(parents))
    return paths


def test_every_path_of_the_tree_exists() -> None:
    missing = [
        path
        for path in tree()
        if not ((ROOT / path).is_dir() if path.endswith("/") else (ROOT / path).is_file())
    ]
    assert missing == []


def test_every_source_file_is_in_the_tree() -> None:
    present = {
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.suffix in {".py", ".md", ".toml"} and path.name != "__init__.py"
    }
    wanted = {path for path in present if not path.startswith(tuple(f"{name}/" for name in DATA))}
    assert sorted(wanted - tree()) == []


def test_every_folder_of_tests_is_in_the_tree() -> None:
    present = {
        f"tests/{path.name}/"
        for path in (ROOT / "tests").iterdir()
        if path.is_dir() and path.name != "__pycache__"
    }
    assert sorted(present - tree()) == []


def slug(heading: str) -> str:
    """A heading as the anchor that code hosts make of it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("target", re.findall(r"\]\(([^)]+)\)", PROSE))
def test_a_link_leads_somewhere_inside_this_folder(target: str) -> None:
    path, _, anchor = target.partition("#")
    assert "://" not in target
    assert (ROOT / path).exists()
    if anchor:
        assert anchor in {slug(heading) for heading in re.findall(r"^#+ (.*)$", PROSE, re.M)}


@pytest.mark.parametrize("path", [text for text in code(PROSE) if re.match(r"tests/\S+$", text)])
def test_a_test_that_is_named_exists(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize("name", ["answer", "bench"])
def test_a_place_for_output_has_a_beginning_and_an_end(name: str) -> None:
    begin, end = f"<!-- {name}:begin -->\n", f"<!-- {name}:end -->\n"
    assert (README.count(begin), README.count(end)) == (1, 1)
    assert README.index(begin) < README.index(end)


def test_no_path_of_a_machine_stands_in_it() -> None:
    assert re.findall(r"(?<![\w.])/(?:work|tmp|home|root|usr|opt|var)\b", README) == []


@pytest.mark.parametrize("name", sorted(path.stem for path in PROFILES.glob("*.toml")))
def test_the_numbers_of_a_profile_are_its_own(name: str) -> None:
    config = load_config(name)
    limits = (config.params.time_limit, config.params.actions_explored_limit, config.llm.n_ctx)
    wanted = [f"`{name}`", *(f"{number:g}" for number in limits)]
    assert wanted in [row[:4] for row in rows(section("Profiles and strategies"))]
    assert config.params.finalise_grace_s <= 60


def test_the_keys_of_a_corpus_card_are_all_of_them() -> None:
    named = {key for row in rows(section("Your own documents")) for key in code(row[0])}
    assert named == set(CorpusCard.model_fields) - {"root"}


def test_the_exit_codes_are_those_of_the_command_line() -> None:
    in_code = re.findall(r"^\| (\d+) \|", exits.__doc__ or "", re.M)
    in_readme = re.findall(r"^\| (\d+) \|", section("JSON and exit codes"), re.M)
    assert in_readme == in_code


def keys(command: str) -> set[str]:
    """The keys that the table names for a command."""
    [cells] = [
        row for row in rows(section("JSON and exit codes")) if row[0] == f"`deepsearch {command}`"
    ]
    cell = re.split(r"; (?:so do|with)", cells[1])[0]
    return set(code(re.sub(r"\(.*?\)", "", cell)))


def test_every_command_has_a_row_of_keys() -> None:
    table = section("JSON and exit codes")
    assert [name for name in COMMANDS if f"`deepsearch {name}`" not in table] == []


@pytest.mark.parametrize(
    ("command", "model"),
    [
        ("ask", FinalResult),
        ("show", ShownSpan),
        ("verify", VerifyReport),
        ("doctor", DoctorReport),
        ("bench answers", BenchResult),
    ],
)
def test_the_keys_of_a_command_are_fields(command: str, model: type[BaseModel]) -> None:
    assert keys(command) - set(model.model_fields) == set()


def test_the_keys_of_a_citation_are_fields() -> None:
    [sentence] = re.findall(r"a citation has (.*?)\.\n", README, re.S)
    assert set(code(sentence)) - set(Citation.__dataclass_fields__) == set()


@pytest.fixture
def contracts(tmp_path: Path) -> Path:
    """A folder of somebody's own."""
    folder = tmp_path / "contracts"
    folder.mkdir()
    (folder / "barometer.md").write_text(
        "# Instruments\n\nThe brass barometer of Little Tarn was made by Ewan Sorrel.\n",
        encoding="utf-8",
    )
    return folder


def test_an_own_folder_is_read_indexed_and_asked_and_json_has_the_keys(
    contracts: Path,
    tmp_path: Path,
    printed_json: ReadJson,  # noqa: F811
) -> None:
    line = CommandLine(build_folder=tmp_path / "build")

    def run(command: str, *arguments: str) -> dict[str, Any]:
        assert line.on_builds(*command.split(), *arguments, "--json", "--quiet") == 0
        content = printed_json()
        assert keys(command) - set(content) == set()
        return content

    run("ingest", str(contracts), "--corpus", "contracts", "--encoder", "hash")
    for command in ("index build", "index verify", "index stats"):
        run(command, "--corpus", "contracts")
    run("index search", "brass barometer", "--corpus", "contracts", "-k", "5")
    answer = run("ask", BAROMETER, "--corpus", "contracts", "--strategy", "single-shot")
    assert (answer["status"], answer["answer"]) == ("answered", "Ewan Sorrel")
    run_id = Path(answer["run_dir"]).name
    assert run("show", f"{run_id}#1", "--context", "200")["text"].endswith("Ewan Sorrel.")
    assert run("verify", run_id)["failures"] == []
    run("runs list")
    run("runs rm", run_id)


def test_an_own_folder_may_be_named_by_its_path_as_make_does(
    contracts: Path, tmp_path: Path
) -> None:
    line = CommandLine(build_folder=tmp_path / "build")
    assert line.on_builds("ingest", str(contracts), "--encoder", "hash", "--quiet") == 0
    assert line.on_builds("index", "build", "--corpus", str(contracts), "--quiet") == 0
    asked = ("ask", BAROMETER, "--corpus", str(contracts), "--strategy", "single-shot", "--quiet")
    assert line.on_builds(*asked) == 0


def test_labels_may_be_given_to_ask_as_written() -> None:
    [text] = [text for text in INLINE if "labels_any" in text]
    [assignment] = [word for word in shlex.split(text) if "labels_any" in word]
    from search_agent.cli.settings import search_config

    assert search_config("standard", assignments=[assignment]).params.labels_any == ("public",)


def test_a_line_of_topics_is_what_the_page_says(tmp_path: Path) -> None:
    assert '`{"query_id", "text"}`' in README
    path = tmp_path / "questions.jsonl"
    path.write_text('{"query_id": "q1", "text": "Who?"}\n', encoding="utf-8")
    assert [topic.text for topic in load_topics(path)] == ["Who?"]


def run_python(number: int, folder: Path, names: dict[str, Any]) -> dict[str, Any]:
    """Run one Python block of the page in ``folder``; the names it leaves behind."""
    script = folder / f"block{number}.py"
    script.write_text(blocks("python")[number], encoding="utf-8")
    with chdir(folder):
        return runpy.run_path(str(script), init_globals=names)


def test_the_python_blocks_run_with_a_scripted_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = run_python(0, tmp_path, {})
    assert "Ewan Sorrel" in capsys.readouterr().out
    model = ScriptedModel(by_call=answer_barometer, label_probabilities={"yes": 0.9, "no": 0.1})
    names = run_python(2, tmp_path, {**names, "model": model})
    assert capsys.readouterr().out == "answered Ewan Sorrel\n"
    assert len(names["result"].claims) == 1


@pytest.mark.model
def test_the_block_that_loads_a_model_loads_one(tmp_path: Path) -> None:
    if not (ROOT / "models" / "smollm2-135m.gguf").is_file():
        pytest.skip("models/smollm2-135m.gguf is absent; make test fetches it")
    block = blocks("python")[1]
    assert "qwen2.5-coder-1.5b" in block
    script = tmp_path / "load.py"
    script.write_text(block.replace("qwen2.5-coder-1.5b", "smollm2-135m"), encoding="utf-8")
    with chdir(ROOT):
        model = runpy.run_path(str(script))["model"]
    assert (model.name, model.context_length) == ("smollm2-135m", 4096)
