"""Finds the files of a corpus folder; opens none, follows no link out of it."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from corpora.card import CorpusCard
from corpora.document import DocumentState
from ingest.glob_pattern import matches_any

MEMBER_MARK = "!/"
"""Between the path of a container and that of a member inside it."""


class Holding(NamedTuple):
    """What became of a file whose one content is other files."""

    state: DocumentState
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScannedFile:
    """One directory entry that the card's globs admit, or a member of one (see ``members``)."""

    path: str
    """Relative to the root, parted by ``/``; bytes that are no UTF-8 as ``\\xNN``."""
    file: Path
    target: str = ""
    """Where a link leads to, relative to the root; empty: it is no link."""
    member: str = ""
    """Path of a member inside ``file``; empty: the file itself."""
    sha256: str = ""
    """Of a member, told by the listing of its container; empty: not known yet."""
    holding: Holding | None = None
    """Set for a container that is no document itself (ZIP, TAR)."""
    size: int = 0
    mtime_ns: int = 0
    inode: int = 0
    refusal: str = ""
    """Why it must not be opened; empty: it may."""
    refusal_state: DocumentState = "refused"


def outer_paths(path: str) -> list[str]:
    """Paths of all that may hold ``path``, outermost first: a folder's name may end in ``!``."""
    parts = path.split(MEMBER_MARK)
    return [MEMBER_MARK.join(parts[:n]) for n in range(1, len(parts))]


def scan_corpus(card: CorpusCard, *, max_file_bytes: int) -> list[ScannedFile]:
    """All admitted entries below the root, by path; also those that must not be opened."""
    found = [
        entry
        for entry in _entries(card.root, max_file_bytes)
        if matches_any(entry.path, card.include)
        and not any(matches_any(path, card.exclude) for path in (entry.path, entry.target) if path)
    ]
    return sorted(found, key=lambda entry: entry.path)


def _entries(root: Path, max_file_bytes: int) -> Iterator[ScannedFile]:
    folders = [root]
    while folders:
        folder = folders.pop()
        try:
            children = sorted(folder.iterdir())
        except OSError as error:
            reason = f"folder cannot be listed: {error.strerror}"
            yield _entry(root, folder, refusal=reason, state="unreadable")
            continue
        for child in children:
            if child.is_dir() and not child.is_symlink():
                folders.append(child)
            else:
                yield _examined(root, child, max_file_bytes)


def _examined(root: Path, file: Path, max_file_bytes: int) -> ScannedFile:
    link_target = ""
    if file.is_symlink():
        try:
            target = file.resolve(strict=True)
        except (OSError, RuntimeError):
            return _entry(root, file, refusal="symbolic link that leads nowhere or to itself")
        if not target.is_relative_to(root.resolve()):
            return _entry(root, file, refusal="symbolic link out of the corpus folder")
        if target.is_dir():
            return _entry(root, file, refusal="symbolic link to a folder is not followed")
        link_target = _shown(root.resolve(), target)
    try:
        status = file.stat()
    except OSError as error:
        return _entry(root, file, refusal=f"cannot be read: {error.strerror}", state="unreadable")
    if not stat.S_ISREG(status.st_mode):
        return _entry(root, file, refusal="not a regular file (pipe, socket or device)")
    refusal = ""
    if status.st_size > max_file_bytes:
        refusal = f"{status.st_size} bytes; max_file_bytes allows {max_file_bytes}"
    elif _shown(root, file) != file.relative_to(root).as_posix():
        refusal = "file name is not UTF-8; rename it"
    return ScannedFile(
        path=_shown(root, file),
        file=file,
        target=link_target,
        size=status.st_size,
        mtime_ns=status.st_mtime_ns,
        inode=status.st_ino,
        refusal=refusal,
    )


def _entry(
    root: Path, file: Path, *, refusal: str, state: DocumentState = "refused"
) -> ScannedFile:
    return ScannedFile(path=_shown(root, file), file=file, refusal=refusal, refusal_state=state)


def _shown(root: Path, file: Path) -> str:
    relative = file.relative_to(root).as_posix()
    return os.fsencode(relative).decode("utf-8", errors="backslashreplace")
