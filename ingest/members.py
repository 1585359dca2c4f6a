"""Members: what is attached to messages as files of the corpus, at ``a.eml!/b.pdf``.

They are found before anything is read, so that all that follows (hashing, grouping by content,
source rows, labels) treats them like the files beside them. A message that is unchanged is not
opened for it: its members are those of the ingest before.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from corpora.card import CorpusCard
from ingest.config import IngestConfig
from ingest.detect import detect_format
from ingest.errors import ExtractionFailed
from ingest.glob_pattern import matches_any
from ingest.member_bytes import attached_files
from ingest.plan import same_stat
from ingest.readers import current_parsers
from ingest.scan import MEMBER_MARK, ScannedFile
from ingest.writer import SourceRow

_MOST_MEMBERS = 1_000
_HEAD_BYTES = 4096
_NO_MESSAGE = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"%PDF-")
"""Containers, which cannot be told apart by their heads."""


def with_members(
    scanned: Sequence[ScannedFile],
    known: Mapping[str, SourceRow],
    card: CorpusCard,
    config: IngestConfig,
) -> list[ScannedFile]:
    """``scanned``, then the members of its messages that the card does not exclude."""
    real = {file.path for file in scanned}
    before: dict[str, list[SourceRow]] = {}
    for row in known.values():
        outer, mark, _ = row.path.partition(MEMBER_MARK)
        if mark and row.path not in real:
            before.setdefault(outer, []).append(row)
    reads_again = config.rehash or config.retry_problems
    parsers = current_parsers()
    members: list[ScannedFile] = []
    for file in scanned:
        if file.refusal:
            continue
        row_of_file = known.get(file.path)
        if (
            row_of_file is not None
            and not reads_again
            and same_stat(file, row_of_file)
            and row_of_file.parser in parsers
        ):
            members += [_known_member(file, row) for row in before.get(file.path, [])]
        elif _is_message(file, config):
            members += _members(file, config)
    admitted = (
        member
        for member in members
        if member.path not in real and not matches_any(member.path, card.exclude)
    )
    return [*scanned, *sorted(admitted, key=lambda member: member.path)]


def _members(file: ScannedFile, config: IngestConfig) -> Iterator[ScannedFile]:
    try:
        found = attached_files(file.file, file.mtime_ns)
    except OSError:
        return  # hashing the message itself will tell
    for number, (member, content) in enumerate(found.items()):
        path = file.path + MEMBER_MARK + member
        entry = replace(file, path=path, member=member, size=len(content))
        if number >= _MOST_MEMBERS:
            reason = f"only {_MOST_MEMBERS} attachments of a message are read"
            yield replace(entry, refusal=reason)
        elif len(content) > config.max_file_bytes:
            reason = f"{len(content)} bytes; max_file_bytes allows {config.max_file_bytes}"
            yield replace(entry, refusal=reason)
        else:
            yield entry


def _known_member(file: ScannedFile, row: SourceRow) -> ScannedFile:
    is_refused = row.state == "refused" and row.source_sha256 is None
    return replace(
        file,
        path=row.path,
        member=row.path.removeprefix(file.path + MEMBER_MARK),
        size=row.size,
        refusal=row.reason if is_refused else "",
    )


def _is_message(file: ScannedFile, config: IngestConfig) -> bool:
    try:
        with file.file.open("rb") as stream:
            head = stream.read(_HEAD_BYTES)
        is_told_by_head = bool(head) and not head.startswith(_NO_MESSAGE)
        return is_told_by_head and detect_format(head, file.path, config) == "eml"
    except (OSError, ExtractionFailed):
        return False
