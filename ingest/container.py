"""Containers: what a message, ZIP or TAR holds, as entries that are listed before any is read.

Paths of entries are made here, once: folders parted by ``/``, no two alike, and none that leads out
of the container.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Literal, Protocol

from corpora.document import DocumentState
from ingest.scan import MEMBER_MARK

ContainerKind = Literal["mail", "zip", "tar", "compressed"]
_DRIVE = re.compile(r"[A-Za-z]:")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One thing in a container that is no folder."""

    path: str
    """Inside the container."""
    size: int
    """As the container says; what is read is counted."""
    number: int
    """Place in the container's own order, by which it is read."""
    refusal: str = ""
    """Why it must not be read; empty: it may."""
    refusal_state: DocumentState = "refused"


class Container(Protocol):
    """An opened container."""

    @property
    def kind(self) -> ContainerKind:
        """Which one."""
        ...

    @property
    def entries(self) -> Sequence[Entry]:
        """Everything in it, in its own order, also what must not be read."""
        ...

    @property
    def missing(self) -> str:
        """What of it could not be listed; empty: nothing is missing."""
        ...

    def read(self, entry: Entry) -> bytes:
        """Bytes of an entry without a refusal.

        Raises:
            ExtractionFailed: encrypted, damaged, or larger than the limits.
        """
        ...


def entry_of(name: str, *, size: int, number: int) -> Entry:
    """The entry of a name as it stands in the container; refused where it leads out of it."""
    plain = name.replace("\\", "/")
    parts = [part for part in plain.split("/") if part not in {"", "."}]
    shown = ("__" if part == ".." else part for part in parts)  # the row of a refused one
    path = "/".join(shown).replace(MEMBER_MARK, "!_/") or "member"
    leads_out = plain.startswith("/") or ".." in parts or bool(_DRIVE.match(plain))
    refusal = "its name leads out of the container" if leads_out else ""
    return Entry(path=path, size=size, number=number, refusal=refusal)


def with_free_paths(entries: Sequence[Entry]) -> list[Entry]:
    """``entries`` with numbers in the names of those whose path an earlier one has."""
    taken: set[str] = set()
    numbers: Counter[str] = Counter()
    """The last number given to a path: ten thousand of one name are not to be tried in turn."""
    free: list[Entry] = []
    for entry in entries:
        path, plain = entry.path, PurePosixPath(entry.path)
        while path in taken:
            numbers[entry.path] += 1
            number = numbers[entry.path] + 1
            path = str(plain.with_name(f"{plain.stem} ({number}){plain.suffix}"))
        taken.add(path)
        free.append(replace(entry, path=path))
    return free
