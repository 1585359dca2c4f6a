"""What lies in a corpus folder, grouped by content: equal bytes are one document in many places."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from corpora.card import CorpusCard
from corpora.document import DocumentState
from ingest.digest import digest_of
from ingest.glob_pattern import matches_any
from ingest.scan import MEMBER_MARK, Holding, ScannedFile, outer_paths
from ingest.writer import SourceRow

_READ_BYTES = 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """One content and every file that holds it, by path."""

    sha256: str
    files: tuple[ScannedFile, ...]

    @property
    def holding(self) -> Holding | None:
        """What became of it if it is a container."""
        return self.files[0].holding

    @property
    def doc_id(self) -> str:
        """``d_`` + 16 hex of the content's hash."""
        return f"d_{self.sha256[:16]}"


def group_contents(
    scanned: Sequence[ScannedFile], known: Mapping[str, SourceRow], *, rehash: bool
) -> tuple[list[Content], list[tuple[ScannedFile, str]]]:
    """Contents in the order to store them, and files that could not be read, each with the reason.

    By their first path, but what holds members after all members: the row of an unchanged container
    vouches for its members' rows and must not be there earlier.

    A file whose size, time and inode are those of its source row keeps the hash recorded there.
    """
    by_hash: dict[str, list[ScannedFile]] = {}
    unreadable: list[tuple[ScannedFile, str]] = []
    for file in scanned:
        row = known.get(file.path)
        is_known = row is not None and not rehash and same_stat(file, row)
        sha256 = file.sha256 or (row.source_sha256 if row is not None and is_known else None)
        if sha256 is None:
            try:
                sha256 = _hash_file(file)
            except OSError as error:
                unreadable.append((file, f"cannot be read: {error.strerror}"))
                continue
        by_hash.setdefault(sha256, []).append(file)
    contents = [Content(sha256=sha256, files=tuple(files)) for sha256, files in by_hash.items()]
    outermost = {
        file.path.removesuffix(MEMBER_MARK + file.member)
        for content in contents
        for file in content.files
        if file.member
    }

    def order(content: Content) -> tuple[bool, str]:
        return any(file.path in outermost for file in content.files), content.files[0].path

    return sorted(contents, key=order), unreadable


def same_stat(file: ScannedFile, row: SourceRow) -> bool:
    """Whether size, time and inode are those recorded."""
    return (file.size, file.mtime_ns, file.inode) == (row.size, row.mtime_ns, row.inode)


def uri_of(path: str) -> str:
    """The URI of a corpus-relative path."""
    return f"corpus:///{path}"


def labels_of(file: ScannedFile, card: CorpusCard) -> tuple[str, ...]:
    """Labels that the card gives to a file, sorted.

    A member has its containers' labels too, a link those of the file it leads to.
    """
    paths = [*outer_paths(file.path), file.path]
    if file.target:
        target = MEMBER_MARK.join(filter(None, (file.target, file.member)))
        paths += [*outer_paths(target), target]
    rules = (
        rule for rule in card.label_rules if any(matches_any(each, (rule.glob,)) for each in paths)
    )
    return tuple(sorted({label for rule in rules for label in rule.labels}))


def placement_of(content: Content, card: CorpusCard) -> str:
    """Digest of where a content lies and what the card says of these places."""
    places = [[file.path, labels_of(file, card), file.mtime_ns] for file in content.files]
    return digest_of([places, card.supersedes.get(content.files[0].path)])


def source_row(
    file: ScannedFile,
    *,
    sha256: str | None,
    state: DocumentState,
    reason: str,
    doc_id: str | None,
    parser: str,
) -> SourceRow:
    """The row that records what became of ``file``."""
    return SourceRow(
        path=file.path,
        source_sha256=sha256,
        size=file.size,
        mtime_ns=file.mtime_ns,
        inode=file.inode,
        state=state,
        reason=reason,
        doc_id=doc_id,
        parser=parser,
    )


def _hash_file(file: ScannedFile) -> str:
    digest = hashlib.sha256()
    with file.file.open("rb") as stream:
        while part := stream.read(_READ_BYTES):
            digest.update(part)
    return digest.hexdigest()
