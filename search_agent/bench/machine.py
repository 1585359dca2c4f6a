"""Where a number comes from: the commit and the machine, written into every result."""

import os
import platform
import subprocess
from pathlib import Path

from pydantic import BaseModel, ConfigDict


class Machine(BaseModel):
    """The machine, without its name."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    processor: str
    cores: int
    system: str
    python: str


def this_machine() -> Machine:
    """The machine this process runs on."""
    return Machine(
        processor=_processor_name(),
        cores=os.cpu_count() or 1,
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
    )


def current_commit(folder: Path) -> str | None:
    """Commit checked out in ``folder``, with ``+`` if files differ from it; None outside git."""
    commit = _git(folder, "rev-parse", "HEAD")
    if commit is None:
        return None
    return commit + ("+" if _git(folder, "status", "--porcelain", "--untracked-files=no") else "")


def _git(folder: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _processor_name() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"
