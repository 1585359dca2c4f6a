"""Listing: what a container holds, down to three containers deep, each member with its hash.

Every member is read once for it, so that limits are held against bytes and not against what headers
say, and so that members are grouped by content before any of them is parsed.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from ingest.config import IngestConfig
from ingest.container import Container, Entry
from ingest.containers import Containers
from ingest.errors import ExtractionFailed
from ingest.mail_container import MailContainer
from ingest.scan import MEMBER_MARK, Holding, ScannedFile
from ingest.sidecar import labelled_inside

_MOST_DEEP = 3
"""A container in a container in a container is opened, no deeper one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One file in a container, by its path inside the outermost one."""

    path: str
    size: int = 0
    sha256: str = ""
    refusal: ExtractionFailed | None = None
    """Why it is not read; None: it may be."""
    holding: Holding | None = None
    """What became of it as a container; None: it is a document."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What one file of the corpus holds."""

    members: tuple[Member, ...] = ()
    holding: Holding | None = None
    """None: the file is a document, perhaps one with attachments."""


def list_members(file: ScannedFile, containers: Containers, config: IngestConfig) -> Listing:
    """Everything in ``file``; nothing if it is no container.

    Raises:
        ExtractionFailed: it cannot be read.
    """
    try:
        content = containers.read_bytes(file)
    except OSError as error:
        message = f"cannot be read: {error.strerror}"
        raise ExtractionFailed(message, state="unreadable") from error
    return _Walk(containers, config).listing(content, file.path, place="", depth=1)


class _Walk:
    """One walk through a container, with what its limits still allow."""

    def __init__(self, containers: Containers, config: IngestConfig) -> None:
        self._containers = containers
        self._config = config
        self._left_bytes = config.max_zip_bytes
        self._left_members = config.max_zip_entries

    def listing(
        self, content: bytes, path: str, *, place: str, depth: int, is_message: bool = False
    ) -> Listing:
        try:
            container = self._containers.opened(content, path, is_message=is_message)
        except (ExtractionFailed, RecursionError) as fault:
            if isinstance(fault, ExtractionFailed) and fault.is_container:
                return Listing(holding=Holding(fault.state, str(fault)))
            return Listing()  # reading the file itself will tell
        if container is None:
            return Listing()
        if depth > _MOST_DEEP:
            if container.kind == "mail":
                return Listing()  # it is read; what is attached to it is not
            reason = f"containers are opened {_MOST_DEEP} deep"
            return Listing(holding=Holding("refused", reason))
        members = tuple(self._members(container, place, depth))
        if container.kind == "mail":
            return Listing(members=members)
        missing = container.missing
        if missing:
            return Listing(members=members, holding=Holding("partial", missing))
        holding = Holding("ok", "") if container.entries else Holding("empty", "no member in it")
        return Listing(members=members, holding=holding)

    def _members(self, container: Container, place: str, depth: int) -> Iterator[Member]:
        labelled = labelled_inside(entry.path for entry in container.entries)
        for entry in container.entries:
            path = place + entry.path
            try:
                if entry.path in labelled:
                    sidecar = labelled[entry.path]
                    message = f"labelled by {sidecar!r} in its container: put that file beside it"
                    raise ExtractionFailed(message, state="refused")
                content = self._read(container, entry)
            except ExtractionFailed as refusal:
                yield Member(path=path, size=entry.size, refusal=refusal)
                continue
            is_message = isinstance(container, MailContainer) and container.is_message(entry)
            inner = self.listing(
                content, path, place=path + MEMBER_MARK, depth=depth + 1, is_message=is_message
            )
            sha256 = hashlib.sha256(content).hexdigest()
            yield Member(path=path, size=len(content), sha256=sha256, holding=inner.holding)
            yield from inner.members

    def _read(self, container: Container, entry: Entry) -> bytes:
        refusal, most = entry.refusal, self._config.max_file_bytes
        self._left_members -= 1
        if not refusal and entry.size > most:
            refusal = f"{entry.size} bytes; max_file_bytes allows {most}"
        if not refusal and entry.size > self._left_bytes:
            most = self._config.max_zip_bytes
            refusal = f"its container inflates beyond {most} bytes (max_zip_bytes)"
        if not refusal and self._left_members < 0:
            most = self._config.max_zip_entries
            refusal = f"its container holds more than {most} members (max_zip_entries)"
        if refusal:
            raise ExtractionFailed(refusal, state=entry.refusal_state)
        content = container.read(entry)
        self._left_bytes -= len(content)
        return content
