"""Where things lie under the build folder: ``<corpus>/{ingest,index,runs/<id>}``."""

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from corpora.manifest import write_atomically
from search_agent.errors import ConfigError, RunNotFound

RUN_ID = re.compile(r"(?!\.)[A-Za-z0-9._-]{1,64}")
RUN_FILES = ("trajectory.jsonl", "final_result.json")
"""A folder with one of these is a run directory."""
SOURCE_FILE = "source.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusBuild:
    """The folders of one corpus."""

    build_folder: Path
    name: str

    @property
    def folder(self) -> Path:
        """All of this corpus."""
        return self.build_folder / self.name

    @property
    def ingest(self) -> Path:
        """Documents, segments, chunks."""
        return self.folder / "ingest"

    @property
    def index(self) -> Path:
        """Generations of the index."""
        return self.folder / "index"

    @property
    def runs(self) -> Path:
        """Run directories."""
        return self.folder / "runs"


def remember_source(build: CorpusBuild, root: Path) -> None:
    """Note where the corpus' files lie, so that citations can be checked against them later."""
    write_atomically(
        build.folder / SOURCE_FILE, json.dumps({"schema": 1, "root": str(root.resolve())}) + "\n"
    )


def source_root(build: CorpusBuild) -> Path | None:
    """The folder the corpus was ingested from; None where nobody noted it."""
    path = build.folder / SOURCE_FILE
    if not path.is_file():
        return None
    return Path(json.loads(path.read_text(encoding="utf-8"))["root"])


def builds_in(build_folder: Path) -> list[CorpusBuild]:
    """Every corpus that has been ingested here, by name."""
    if not build_folder.is_dir():
        return []
    return [
        CorpusBuild(build_folder=build_folder, name=folder.name)
        for folder in sorted(build_folder.iterdir())
        if (folder / "ingest").is_dir()
    ]


def new_run_id(question: str, *, now: datetime) -> str:
    """UTC time and a short hash of the question: sorts by time, differs between questions."""
    digest = hashlib.sha256(question.encode()).hexdigest()[:8]
    return f"{now:%Y%m%dT%H%M%SZ}-{digest}"


def new_run_dir(runs: Path, *, run_id: str | None, question: str, now: datetime) -> Path:
    """A run directory that does not exist yet.

    Raises:
        ConfigError: the given id has other characters than allowed, or is taken.
    """
    if run_id is None:
        wanted = new_run_id(question, now=now)
        taken = 1
        folder = runs / wanted
        while folder.exists():
            taken += 1
            folder = runs / f"{wanted}-{taken}"
        return folder
    if not RUN_ID.fullmatch(run_id):
        message = (
            f"run id {run_id!r} is not allowed; use 1 to 64 of A-Z a-z 0-9 . _ - and no dot first"
        )
        raise ConfigError(message)
    folder = runs / run_id
    if folder.exists():
        message = (
            f"run {run_id!r} exists already; choose another --run-id,"
            f" or go on with it: `deepsearch resume {run_id}`"
        )
        raise ConfigError(message)
    return folder


def run_dirs(build_folder: Path) -> Iterator[Path]:
    """Every run directory of every corpus, by corpus and id."""
    for folder in sorted(build_folder.glob("*/runs/*")):
        if is_run_dir(folder):
            yield folder


def is_run_dir(folder: Path) -> bool:
    """Whether a search has been started in this folder."""
    return any((folder / name).is_file() for name in RUN_FILES)


def find_run(run: str, *, build_folder: Path) -> Path:
    """The run directory of an id (searched in every corpus) or of a path.

    Raises:
        RunNotFound: there is none, or several corpora have one of this id.
    """
    if is_run_dir(Path(run)):
        return Path(run)
    found = [folder for folder in run_dirs(build_folder) if folder.name == run]
    if len(found) > 1:
        message = f"run {run!r} is in several corpora; give its path: {', '.join(map(str, found))}"
        raise RunNotFound(message)
    if not found:
        message = f"no run {run!r} under {str(build_folder)!r}; see `deepsearch runs list`"
        raise RunNotFound(message)
    return found[0]


def build_of_run(run_dir: Path) -> CorpusBuild:
    """The corpus a run directory belongs to, told from where it lies.

    Raises:
        RunNotFound: the folder is not ``<build>/<corpus>/runs/<id>``.
    """
    runs = run_dir.resolve().parent
    if runs.name != "runs":
        message = f"run {str(run_dir)!r} is not in a build folder (<build>/<corpus>/runs/<id>)"
        raise RunNotFound(message)
    return CorpusBuild(build_folder=runs.parent.parent, name=runs.parent.name)
