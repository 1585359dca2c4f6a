"""A command line of ours in a process of its own that is killed at its k-th lasting step.

Lasting steps are found from outside, so that none is forgotten: every COMMIT of SQLite and every
renaming, linking or removing of a file, as SQLite's trace and Python's audit events tell them. A
kill before step k + 1 is a kill after step k.

``python -m tests.bench.killed_run K WORDS…`` runs ``deepsearch WORDS…``; 0: to the end, and the
number of steps goes to standard error's last line.
"""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_STEPS = {"os.rename", "os.remove", "os.rmdir", "os.link", "os.symlink"}


def run_killed(words: Sequence[str], *, step: int, kill_after_s: float | None = None) -> int:
    """Run until killed before ``step`` (0: never) or after some seconds; steps seen, -1 if killed.

    Raises:
        AssertionError: it ended by itself, and not well.
    """
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "tests.bench.killed_run", str(step), *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        _, errors = process.communicate(timeout=kill_after_s)
    except subprocess.TimeoutExpired:
        process.kill()
        _, errors = process.communicate()
    if process.returncode == -signal.SIGKILL:
        return -1
    assert process.returncode == 0, errors
    return int(errors.splitlines()[-1])


def main() -> int:
    """Count steps, and die at the one that is named."""
    last, words = int(sys.argv[1]), sys.argv[2:]
    seen = 0

    def step() -> None:
        nonlocal seen
        seen += 1
        if seen == last:
            os.kill(os.getpid(), signal.SIGKILL)

    class Traced(sqlite3.Connection):
        def __init__(self, *arguments: object, **named: object) -> None:
            super().__init__(*arguments, **named)  # type: ignore[arg-type]
            self.set_trace_callback(lambda sql: step() if sql == "COMMIT" else None)

    def told(event: str, _: tuple[object, ...]) -> None:
        if event in _STEPS:
            step()

    from search_agent.cli.main import main as deepsearch

    sys.addaudithook(told)
    sqlite3.connect = partial(sqlite3.connect, factory=Traced)  # in this process alone
    code = deepsearch(words)
    print(f"\n{seen}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
