"""Progress on stderr: a bar on a terminal, plain lines elsewhere, nothing with ``--quiet``."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, TextIO

from search_agent.cli.printable import printable

if TYPE_CHECKING:
    from rich.progress import TaskID

PLAIN_INTERVAL_S = 5.0
"""Least time between two lines of a count, so that a log of a long build stays readable."""


class Progress(Protocol):
    """Where a command tells how far it is."""

    def line(self, text: str) -> None:
        """Something happened that is worth a line."""
        ...

    def count(self, what: str, done: int, total: int, note: str = "") -> None:
        """``done`` of ``total`` of one stage; the last one is always shown."""
        ...


class NoProgress:
    """Says nothing."""

    def line(self, text: str) -> None:
        """Drop the line."""

    def count(self, what: str, done: int, total: int, note: str = "") -> None:
        """Drop the count."""


class PlainProgress:
    """One line for each thing told, counts at most every few seconds."""

    def __init__(self, stream: TextIO, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._clock = clock
        self._told: dict[str, float] = {}
        self._finished: set[str] = set()

    def line(self, text: str) -> None:
        """Write the line."""
        self._stream.write(printable(text) + "\n")
        self._stream.flush()

    def count(self, what: str, done: int, total: int, note: str = "") -> None:
        """Write the count unless one of the same stage was written a moment ago."""
        now = self._clock()
        is_last = done >= total and what not in self._finished
        if not is_last and now - self._told.get(what, now - PLAIN_INTERVAL_S) < PLAIN_INTERVAL_S:
            return
        if is_last:
            self._finished.add(what)
        self._told[what] = now
        self.line(f"{what} {done}/{total}{' ' + note if note else ''}")


class BarProgress:
    """A bar for each stage, lines above it."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bars

        self.bars = Bars(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[note]}"),
            console=Console(stderr=True, highlight=False),
        )
        self._tasks: dict[str, TaskID] = {}

    def line(self, text: str) -> None:
        """Print above the bars."""
        self.bars.console.print(printable(text), markup=False)

    def count(self, what: str, done: int, total: int, note: str = "") -> None:
        """Move the stage's bar."""
        if what not in self._tasks:
            self._tasks[what] = self.bars.add_task(what, total=total, note="")
        self.bars.update(self._tasks[what], completed=done, total=total, note=note)


@contextmanager
def open_progress(*, quiet: bool) -> Iterator[Progress]:
    """The progress that suits this stderr."""
    if quiet:
        yield NoProgress()
    elif sys.stderr.isatty():
        bar = BarProgress()
        with bar.bars:
            yield bar
    else:
        yield PlainProgress(sys.stderr)
