"""Generations: numbered folders of finished indexes, and CURRENT, the name of the one in use.

    index/CURRENT                     the number, replaced atomically
    index/generations/<n>/            lexical/ dense/<encoder>/ chunks/ manifest.json (written last)
    index/partial/<encoder>/          vectors of an unfinished build
    index/.lock                       held while building

A reader that opened generation n keeps its files mapped while n + 1 is written; the generation
before the current one is kept, so that a reader between the two steps finds what it saw.
"""

import contextlib
import fcntl
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from corpora.manifest import write_atomically
from index.errors import IndexBusy, IndexCorrupt, IndexMissing
from index.sync import sync_path


class Generations:
    """The folder ``index/`` of one corpus."""

    def __init__(self, index_folder: Path) -> None:
        self.folder = index_folder

    def path(self, number: int) -> Path:
        """Folder of a generation."""
        return self.folder / "generations" / str(number)

    @property
    def partial(self) -> Path:
        """Folder of the vectors of an unfinished build."""
        return self.folder / "partial"

    def current(self) -> int:
        """Number of the generation in use.

        Raises:
            IndexMissing: nothing has been built yet.
            IndexCorrupt: CURRENT holds no number, or names a folder without a manifest.
        """
        current = self.folder / "CURRENT"
        try:
            text = current.read_text(encoding="utf-8").strip()
        except FileNotFoundError as error:
            message = f"no index at {str(self.folder)!r}; run `make index`"
            raise IndexMissing(message) from error
        if not text.isdecimal() or not (self.path(int(text)) / "manifest.json").is_file():
            message = f"'CURRENT' names generation {text!r}, which is not there; run `make index`"
            raise IndexCorrupt(message)
        return int(text)

    def begin(self) -> tuple[int, Path]:
        """Number and empty folder of the next generation; what a killed build left is removed."""
        numbers = self._numbers()
        for number in numbers:
            if not (self.path(number) / "manifest.json").is_file():
                shutil.rmtree(self.path(number))
        number = max(numbers, default=0) + 1
        folder = self.path(number)
        for made in (self.folder / "generations", folder):
            made.mkdir(parents=True, exist_ok=True, mode=0o700)
        return number, folder

    def publish(self, number: int) -> None:
        """Make a finished generation the current one and remove all but it and the one before."""
        before = [n for n in self._numbers() if n < number]
        write_atomically(self.folder / "CURRENT", f"{number}\n")
        sync_path(self.folder)
        for old in before[:-1]:
            shutil.rmtree(self.path(old))

    @contextlib.contextmanager
    def building(self) -> Iterator[None]:
        """Hold the build lock.

        Raises:
            IndexBusy: another process holds it; it is free again as soon as that process ends.
        """
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = os.open(self.folder / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            message = f"another process is building {str(self.folder)!r}; wait for it to end"
            raise IndexBusy(message) from error
        else:
            yield
        finally:
            os.close(descriptor)

    def _numbers(self) -> list[int]:
        folder = self.folder / "generations"
        if not folder.is_dir():
            return []
        return sorted(int(child.name) for child in folder.iterdir() if child.name.isdecimal())
