"""Where the code lies and what it must not contain: read from the files, nothing is imported."""

import ast
import importlib.util
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ["corpora", "prompts", "ingest", "index", "search_agent"]
SOURCES = sorted(path for name in PACKAGES for path in (ROOT / name).rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
TOP_LEVEL = {
    *PACKAGES,
    "tests",
    "pyproject.toml",
    "Makefile",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
}
UNPICKLERS = {"pickle", "cPickle", "_pickle", "dill", "cloudpickle", "joblib", "shelve", "marshal"}


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_resolves_to_the_folder_here_and_not_to_a_distribution_of_that_name(
    name: str,
) -> None:
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin == str(ROOT / name / "__init__.py")


def test_the_top_level_holds_the_agreed_names_and_what_git_ignores() -> None:
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    unexpected = [
        path.name
        for path in ROOT.iterdir()
        if path.name not in TOP_LEVEL
        and not fnmatch(path.name, "*.lock")
        and not path.name.startswith(".")
        and not any(fnmatch(path.name, pattern.strip("/")) for pattern in ignored)
    ]
    assert unexpected == []


@pytest.mark.parametrize("path", SOURCES + TESTS, ids=relative)
def test_no_file_is_longer_than_four_hundred_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


def test_a_module_is_found_by_one_name_only() -> None:
    """No file beside a folder of the same name, of which Python would silently take the folder."""
    assert [relative(path) for path in SOURCES if path.with_suffix("").is_dir()] == []


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_no_source_runs_code_that_comes_as_data(path: Path) -> None:
    """No ``eval`` or ``exec``, and nothing that unpickles."""
    found = [
        f"line {node.lineno}: {ast.unparse(node)}"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.expr | ast.stmt) and runs_data(node)
    ]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        "eval(text)",
        "exec(text)",
        "import pickle",
        "import os, pickle as p",
        "from pickle import loads",
        "from joblib.externals import loky",
        "np.load(path, allow_pickle=True)",
        "np.load(path, allow_pickle=flag)",
    ],
)
def test_the_search_for_code_as_data_finds(line: str) -> None:
    assert any(runs_data(node) for node in ast.walk(ast.parse(line)))


@pytest.mark.parametrize(
    "line", ["model.eval()", "np.load(path, allow_pickle=False)", "import pickles", "evaluate(x)"]
)
def test_the_search_for_code_as_data_passes_over(line: str) -> None:
    assert not any(runs_data(node) for node in ast.walk(ast.parse(line)))


def runs_data(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="eval" | "exec")):
            return True
        case ast.Call(keywords=keywords):
            return any(
                word.arg == "allow_pickle" and ast.unparse(word.value) != "False"
                for word in keywords
            )
        case ast.Import(names=names):
            return any(name.name.split(".")[0] in UNPICKLERS for name in names)
        case ast.ImportFrom(module=str(module)):
            return module.split(".")[0] in UNPICKLERS
        case _:
            return False
