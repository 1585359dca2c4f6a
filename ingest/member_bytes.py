"""Bytes of a file of the corpus, or of what is attached to it: ``a.eml!/Re plan.eml!/b.pdf``."""

import errno
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path, PurePosixPath

from ingest.errors import ExtractionFailed
from ingest.mail_message import parse_mail
from ingest.scan import MEMBER_MARK, ScannedFile

_MOST_NESTED = 3
"""Messages in messages are opened so far down."""


def read_bytes(file: ScannedFile) -> bytes:
    """The bytes of a file or of a member.

    Raises:
        OSError: it cannot be read, or is no longer in its message.
    """
    if not file.member:
        return file.file.read_bytes()
    try:
        return attached_files(file.file, file.mtime_ns)[file.member]
    except KeyError as error:
        raise FileNotFoundError(errno.ENOENT, "no longer in its message") from error


@lru_cache(maxsize=1)  # the members of one message are read one after the other
def attached_files(file: Path, mtime_ns: int) -> dict[str, bytes]:  # noqa: ARG001  (cache key)
    """Bytes of everything attached to the message in ``file``, by the path inside it.

    Raises:
        OSError: the file cannot be read.
    """
    return dict(_attached(file.read_bytes(), "", depth=1))


def _attached(message: bytes, place: str, *, depth: int) -> Iterator[tuple[str, bytes]]:
    """Members by their paths, each behind the message that holds it."""
    try:
        attachments = parse_mail(message).attachments
    except (ExtractionFailed, RecursionError):
        return  # reading the message itself will tell
    names: set[str] = set()
    for attachment in attachments:
        if attachment.is_decoration or not attachment.content:
            continue
        name = _free_name(attachment.name, names)
        names.add(name)
        yield place + name, attachment.content
        if attachment.media_type == "message/rfc822" and depth < _MOST_NESTED:
            inner = place + name + MEMBER_MARK
            yield from _attached(attachment.content, inner, depth=depth + 1)


def _free_name(name: str, taken: set[str]) -> str:
    """A name without folders that no earlier attachment of the message has."""
    plain = name.replace("/", "_").replace("\x00", "_").strip(".") or "attachment"
    free, number = plain, 1
    while free in taken:
        number += 1
        path = PurePosixPath(plain)
        free = f"{path.stem} ({number}){path.suffix}"
    return free
