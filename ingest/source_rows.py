"""Rows that record what became of files, and the places of a document."""

from collections.abc import Mapping, Sequence

from corpora.card import CorpusCard
from corpora.document import Location
from ingest.errors import ExtractionFailed
from ingest.plan import Content, labels_of, source_row, uri_of
from ingest.readers import CONTAINER, DETECTOR
from ingest.scan import MEMBER_MARK, Holding, ScannedFile
from ingest.writer import Facts, SourceRow


def rows_of_document(content: Content, facts: Facts) -> list[SourceRow]:
    """The first file holds the document, the others are duplicates of it."""
    state = Holding("partial", facts.missing) if facts.missing else Holding("ok", "")
    return _rows(content, state, doc_id=content.doc_id, parser=facts.parser, tells_same=True)


def rows_of_container(content: Content, holding: Holding) -> list[SourceRow]:
    """Rows of a file that holds others; the others have their own."""
    is_well = holding.state == "ok"
    return _rows(content, holding, doc_id=None, parser=CONTAINER, tells_same=is_well)


def rows_of_failure(
    files: Sequence[ScannedFile], sha256: str | None, failure: ExtractionFailed
) -> list[SourceRow]:
    """Rows of files that cannot be read; an unreadable one has no hash.

    It may be readable tomorrow with the same times.
    """
    return [
        source_row(
            file,
            sha256=None if failure.state == "unreadable" else sha256,
            state=failure.state,
            reason=" ".join(str(failure).split()),
            doc_id=None,
            parser=failure.parser or DETECTOR,
        )
        for file in files
    ]


def locations_of(content: Content, card: CorpusCard, doc_ids: Mapping[str, str]) -> list[Location]:
    """Every place of a content; ``doc_ids`` names what lies at paths, for parents."""
    return [
        Location(
            doc_id=content.doc_id,
            uri=uri_of(file.path),
            labels=labels_of(file, card),
            mtime=file.mtime_ns / 1e9,
            parent_doc_id=doc_ids.get(file.path.rpartition(MEMBER_MARK)[0])
            if file.member
            else None,
            member_path=file.member.rpartition(MEMBER_MARK)[2] or None,
        )
        for file in content.files
    ]


def _rows(
    content: Content, first: Holding, *, doc_id: str | None, parser: str, tells_same: bool
) -> list[SourceRow]:
    same = Holding("duplicate", f"same bytes as {content.files[0].path}") if tells_same else first
    return [
        source_row(
            file,
            sha256=content.sha256,
            state=(same if number else first).state,
            reason=(same if number else first).reason,
            doc_id=doc_id,
            parser=parser,
        )
        for number, file in enumerate(content.files)
    ]
