"""``pyproject.toml`` and ``requirements.lock`` against the folders and imports they speak of."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
RUNTIME: list[str] = PROJECT["project"]["dependencies"]
BENCH: list[str] = PROJECT["project"]["optional-dependencies"]["bench"]
DEVELOPMENT: list[str] = PROJECT["project"]["optional-dependencies"]["dev"]
PACKAGES: list[str] = PROJECT["tool"]["setuptools"]["packages"]
PACKAGE_DATA: dict[str, list[str]] = PROJECT["tool"]["setuptools"]["package-data"]
ROOT_PACKAGES = [name for name in PACKAGES if "." not in name]
NOT_SHIPPED = {
    Path("corpora/build_demo"): "writes the demo corpus; needs the dev extra",
    Path("corpora/demo_sources"): "what build_demo makes the demo corpus from",
}
LOCK = [
    line
    for line in (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


def normal(name: str) -> str:
    """A distribution's name as packaging compares it; version and extras are cut off."""
    return re.sub(r"[-_.]+", "-", re.split(r"[\[<>=~! ;]", name)[0]).lower()


def is_shipped(path: Path) -> bool:
    return NOT_SHIPPED.keys().isdisjoint(path.relative_to(ROOT).parents)


def test_every_folder_with_modules_is_listed_and_every_listed_one_exists() -> None:
    found = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for name in ROOT_PACKAGES
        for path in (ROOT / name).rglob("*.py")
        if is_shipped(path)
    }
    assert found == set(PACKAGES)
    assert all((ROOT / name.replace(".", "/") / "__init__.py").is_file() for name in PACKAGES)


def test_the_layers_and_the_type_checker_know_the_same_packages() -> None:
    assert set(PROJECT["tool"]["mypy"]["packages"]) == set(ROOT_PACKAGES)
    assert set(PROJECT["tool"]["importlinter"]["root_packages"]) == set(ROOT_PACKAGES)


def test_every_data_file_is_shipped_and_every_pattern_finds_one() -> None:
    shipped: set[Path] = set()
    for package, patterns in PACKAGE_DATA.items():
        folder = ROOT / package.replace(".", "/")
        for pattern in patterns:
            found = folder.glob(re.sub(r"\*\*$", "**/*", pattern))  # setuptools' ** means files too
            files = {path.relative_to(ROOT) for path in found if path.is_file()}
            assert files, f"{package}: {pattern!r} finds nothing"
            shipped |= files
    present = {
        path.relative_to(ROOT)
        for name in ROOT_PACKAGES
        for path in (ROOT / name).rglob("*")
        if path.suffix != ".py" and path.is_file() and "__pycache__" not in path.parts
    }
    assert {path for path in present - shipped if is_shipped(ROOT / path)} == set()


@pytest.mark.parametrize("name", ROOT_PACKAGES)
def test_a_package_says_that_it_is_typed(name: str) -> None:
    assert (ROOT / name / "py.typed").is_file()


def test_what_the_product_imports_is_a_dependency() -> None:
    distributions = packages_distributions()
    allowed = {normal(name) for name in (*RUNTIME, *BENCH)}
    missing = set()
    for name in ROOT_PACKAGES:
        for path in filter(is_shipped, (ROOT / name).rglob("*.py")):
            for module in imported(path) - sys.stdlib_module_names - set(ROOT_PACKAGES):
                if allowed.isdisjoint(normal(owner) for owner in distributions[module]):
                    missing.add((module, str(path.relative_to(ROOT))))
    assert missing == set()


def imported(path: Path) -> set[str]:
    """Top names of all imports, those inside functions included."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None and node.level == 0:
            names.add(node.module.split(".")[0])
    return names


def test_every_dependency_is_pinned_once() -> None:
    pinned = [normal(line) for line in LOCK]
    assert sorted(set(pinned)) == sorted(pinned)
    assert {normal(name) for name in RUNTIME + DEVELOPMENT} - set(pinned) == set()


@pytest.mark.parametrize("line", LOCK)
def test_a_pin_is_a_name_and_an_exact_public_version(line: str) -> None:
    """No path, no URL, no option, and no local version label, which only one index would serve."""
    assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*==[0-9][0-9a-z.]*", line)


def test_a_pin_meets_the_lower_bound_of_the_project() -> None:
    pins = {normal(line): line.partition("==")[2] for line in LOCK}
    for requirement in RUNTIME + DEVELOPMENT:
        bound = re.fullmatch(r"[^=<>]+(?:==|>=)([0-9.]+)", requirement)
        assert bound is not None, requirement
        wanted = [int(part) for part in bound[1].split(".")]
        pinned = [int(part) for part in re.findall(r"\d+", pins[normal(requirement)])]
        assert pinned[: len(wanted)] >= wanted, requirement
