"""Members: what lies in containers as files of the corpus, at ``a.zip!/dir/b.md``.

They are found before anything is read, so that all that follows (hashing, grouping by content,
source rows, labels) treats them like the files beside them. A container that is unchanged is not
opened for it: its members are those of the ingest before.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from corpora.card import CorpusCard
from ingest.compressed import COMPRESSED_MAGIC
from ingest.config import IngestConfig
from ingest.containers import HEAD_BYTES, is_mail
from ingest.errors import ExtractionFailed
from ingest.glob_pattern import matches_any
from ingest.job import JobResult, ListJob
from ingest.member_listing import Listing
from ingest.plan import same_stat
from ingest.readers import CONTAINER, current_parsers
from ingest.scan import MEMBER_MARK, Holding, ScannedFile, outer_paths
from ingest.writer import SourceRow
from ingest.zip_container import ZIP_MAGIC

_PACKED = (*COMPRESSED_MAGIC, *ZIP_MAGIC)
_TAR_MARK, _TAR_MARK_AT = b"ustar", 257

DoJobs = Callable[[Sequence[ListJob]], Iterator[JobResult]]


def with_members(
    scanned: Sequence[ScannedFile],
    known: Mapping[str, SourceRow],
    card: CorpusCard,
    config: IngestConfig,
    *,
    lists_again: bool,
    do: DoJobs,
) -> list[ScannedFile]:
    """``scanned``, then the members of its containers that the card does not exclude.

    ``lists_again``: unchanged containers are opened too, as other members may be excluded now.
    """
    real = {file.path for file in scanned}
    before = _Before(known, real)
    reads_again = lists_again or config.rehash or config.retry_problems
    parsers = current_parsers(config)
    files: list[ScannedFile] = []
    members: list[ScannedFile] = []
    jobs: list[ListJob] = []
    for file in scanned:
        row = known.get(file.path)
        is_known = row is not None and row.source_sha256 and same_stat(file, row)
        is_current = row is not None and row.parser in parsers and not reads_again
        if row is not None and is_known and is_current and before.is_whole(row):
            files.append(replace(file, holding=before.holding(row)))
            members += before.members(file)
        elif not file.refusal and _may_hold_members(file, config):
            jobs.append(ListJob(file=file))
        else:
            files.append(file)
    for job, result in zip(jobs, do(jobs), strict=True):
        match result:
            case Listing():
                files.append(replace(job.file, holding=result.holding))
                members += _members(job.file, result)
            case ExtractionFailed() if result.state in {"crashed", "timeout"}:
                files.append(replace(job.file, holding=Holding(result.state, str(result))))
            case _:
                files.append(job.file)  # reading it will tell
    admitted = (
        member
        for member in members
        if member.path not in real and not matches_any(member.path, card.exclude)
    )
    by_path = sorted(files, key=lambda file: file.path)
    return [*by_path, *sorted(admitted, key=lambda member: member.path)]


class _Before:
    """What the ingest before found in containers."""

    def __init__(self, known: Mapping[str, SourceRow], real: set[str]) -> None:
        self._rows: dict[str, list[SourceRow]] = {}
        self._holdings: dict[str, Holding] = {}
        for row in known.values():
            outer = next((each for each in outer_paths(row.path) if each in real), "")
            if outer and row.path not in real:
                self._rows.setdefault(outer, []).append(row)
            if row.parser == CONTAINER and row.source_sha256 and row.state != "duplicate":
                self._holdings[row.source_sha256] = Holding(row.state, row.reason)

    def is_whole(self, outer: SourceRow) -> bool:
        """Whether its members are all there, hashed or refused for good.

        A row with another time or inode than the container's is none of its members: a killed
        ingest has left it, or a file that once lay at the path of a member.
        """
        return all(
            row.state != "unreadable" and (row.mtime_ns, row.inode) == (outer.mtime_ns, outer.inode)
            for row in self._rows.get(outer.path, [])
        )

    def holding(self, row: SourceRow) -> Holding | None:
        """What the file of ``row`` was as a container."""
        return self._holdings.get(row.source_sha256 or "") if row.parser == CONTAINER else None

    def members(self, file: ScannedFile) -> Iterator[ScannedFile]:
        """The members of an unchanged container."""
        for row in self._rows.get(file.path, []):
            is_refused = row.source_sha256 is None
            yield replace(
                file,
                path=row.path,
                member=row.path.removeprefix(file.path + MEMBER_MARK),
                size=row.size,
                sha256=row.source_sha256 or "",
                refusal=row.reason if is_refused else "",
                refusal_state=row.state if is_refused else "refused",
                holding=self.holding(row),
            )


def _members(file: ScannedFile, listing: Listing) -> Iterator[ScannedFile]:
    for member in listing.members:
        refusal = member.refusal
        yield replace(
            file,
            path=file.path + MEMBER_MARK + member.path,
            member=member.path,
            size=member.size,
            sha256=member.sha256,
            refusal=str(refusal) if refusal else "",
            refusal_state=refusal.state if refusal else "refused",
            holding=member.holding,
        )


def _may_hold_members(file: ScannedFile, config: IngestConfig) -> bool:
    try:
        with file.file.open("rb") as stream:
            head = stream.read(HEAD_BYTES)
    except OSError:
        return False  # hashing it will tell
    is_packed = head.startswith(_PACKED) or head[_TAR_MARK_AT:].startswith(_TAR_MARK)
    return is_packed or is_mail(head, file.path, config)
