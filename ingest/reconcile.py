"""Reconciliation: puts the store right, content by content, until it holds what the folder does."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from corpora.card import CorpusCard
from corpora.document import DocumentState, Location
from corpora.store import DocumentStore
from ingest.assemble import Assembled, Chunking, chunk_document
from ingest.config import IngestConfig
from ingest.content_document import read_document, replaced_document
from ingest.errors import ExtractionFailed, IngestError
from ingest.members import with_members
from ingest.plan import (
    Content,
    group_contents,
    labels_of,
    placement_of,
    same_stat,
    source_row,
    uri_of,
)
from ingest.readers import DETECTOR, current_parsers
from ingest.report import Change, IngestProgress
from ingest.scan import MEMBER_MARK, ScannedFile
from ingest.stage import Progress
from ingest.writer import Facts, SourceRow, StoreWriter

_READ_STATES = {"ok", "partial", "duplicate"}


class Reconciliation:
    """One run over one folder."""

    def __init__(
        self,
        card: CorpusCard,
        folder: Path,
        *,
        writer: StoreWriter,
        chunking: Chunking,
        config: IngestConfig,
        progress: Progress | None,
    ) -> None:
        self._card = card
        self._writer = writer
        self._store = DocumentStore(folder)
        self._chunking = chunking
        self._config = config
        self._progress = progress
        self._seen = datetime.now(UTC).isoformat(timespec="seconds")
        self._known = writer.sources()
        self._facts = writer.facts()
        self._uris = writer.current_uris()
        self._gone: dict[str, list[str]] = {}
        """Paths that are no longer there, by the hash of what they held."""
        self._doc_ids: dict[str, str] = {}
        """doc_id of what lies at each path."""
        self._kept: dict[str, str] = {}
        """doc_id now at each URI."""
        self._pages = 0
        self._chunks = 0
        self.changes: Counter[Change] = Counter()

    def run(self, scanned: Sequence[ScannedFile], started: float) -> None:
        """Put every content right, then retire what is nowhere any more."""
        try:
            self._run(scanned, started)
        finally:
            self._store.close()

    def _run(self, scanned: Sequence[ScannedFile], started: float) -> None:
        scanned = with_members(scanned, self._known, self._card, self._config)
        present = {file.path for file in scanned}
        for path, row in self._known.items():
            if path not in present:
                self._gone.setdefault(row.source_sha256 or "", []).append(path)
        openable = [file for file in scanned if not file.refusal]
        contents, unreadable = group_contents(openable, self._known, rehash=self._config.rehash)
        failed = [(file, file.refusal_state, file.refusal) for file in scanned if file.refusal]
        failed += [(file, "unreadable", reason) for file, reason in unreadable]
        self._doc_ids = {
            file.path: content.doc_id for content in contents for file in content.files
        }
        n_done = 0
        for file, state, reason in failed:
            self._save_failed([file], None, ExtractionFailed(reason, state=state))
            n_done += 1
        for content in contents:
            self._put_right(content)
            n_done += len(content.files)
            if self._progress is not None:
                step = IngestProgress(
                    files_done=n_done,
                    files_total=len(scanned),
                    path=content.files[0].path,
                    pages=self._pages,
                    chunks=self._chunks,
                    seconds=time.monotonic() - started,
                )
                self._progress(step)
        self._retire_rest()

    def _put_right(self, content: Content) -> None:
        first = content.files[0]
        facts = self._facts.get(content.doc_id)
        if facts is None or not self._is_read_as_now(facts, content):
            row = self._known.get(first.path)
            if facts is None and row is not None and self._is_known_failure(row, content):
                failure = ExtractionFailed(row.reason, state=row.state)
                failure.parser = row.parser
                self._save_failed(content.files, content.sha256, failure)
                return
            try:
                assembled = read_document(content, self._card, self._chunking, config=self._config)
            except ExtractionFailed as failure:
                self._save_failed(content.files, content.sha256, failure)
                return
            self._pages += assembled.facts.pages
            is_new = facts is None or facts.digest != assembled.facts.digest
            self._save(content, assembled, writes_segments=True, is_new=is_new)
        elif self._is_unchanged(content, facts):
            self._kept |= {uri_of(file.path): content.doc_id for file in content.files}
            self.changes["unchanged"] += len(content.files)
        else:
            self._renew(content, facts)

    def _is_read_as_now(self, facts: Facts, content: Content) -> bool:
        """Whether a fresh read would give the same text: same parser, same kind of name."""
        before = PurePosixPath(self._uris[content.doc_id]).suffix.lower()
        is_same_kind = before == PurePosixPath(content.files[0].path).suffix.lower()
        return is_same_kind and facts.parser in current_parsers()

    def _is_known_failure(self, row: SourceRow, content: Content) -> bool:
        return (
            row.source_sha256 == content.sha256
            and row.state not in _READ_STATES
            and not self._config.retry_problems
            and row.parser in current_parsers()
        )

    def _is_unchanged(self, content: Content, facts: Facts) -> bool:
        rows = [self._known.get(file.path) for file in content.files]
        return (
            facts.chunking == self._chunking.digest
            and facts.placement == placement_of(content, self._card)
            and content.sha256 not in self._gone
            and all(
                row is not None and row.source_sha256 == content.sha256 and same_stat(file, row)
                for file, row in zip(content.files, rows, strict=True)
            )
        )

    def _renew(self, content: Content, facts: Facts) -> None:
        """The text stands: names, labels, places or chunks are brought up to date."""
        before = self._store.document(content.doc_id)
        if before is None:  # the row in ingest_facts was joined to it a moment ago
            message = f"document {content.doc_id!r} vanished from the store while ingest ran"
            raise IngestError(message)
        document = replaced_document(before, facts, content, self._card)
        facts = replace(facts, placement=placement_of(content, self._card))
        needs_chunks = (
            facts.chunking != self._chunking.digest
            or document.title != before.title
            or document.labels != before.labels
        )
        if needs_chunks:
            segments = self._store.segments(content.doc_id)
            assembled = chunk_document(document, segments, facts, self._chunking)
        else:
            assembled = Assembled(document=document, segments=(), chunks=(), facts=facts)
        self._save(content, assembled, writes_segments=needs_chunks, is_new=False)

    def _save(
        self, content: Content, assembled: Assembled, *, writes_segments: bool, is_new: bool
    ) -> None:
        doc_id = content.doc_id
        missing = assembled.facts.missing
        rows: list[SourceRow] = []
        locations: list[Location] = []
        for file in content.files:
            state: DocumentState = "partial" if missing else "ok"
            reason = missing
            if rows:
                state, reason = "duplicate", f"same bytes as {rows[0].path}"
            row = source_row(
                file,
                sha256=content.sha256,
                state=state,
                reason=reason,
                doc_id=doc_id,
                parser=assembled.facts.parser,
            )
            rows.append(row)
            container = file.path.rpartition(MEMBER_MARK)[0]
            location = Location(
                doc_id=doc_id,
                uri=uri_of(file.path),
                labels=labels_of(file.path, self._card),
                mtime=file.mtime_ns / 1e9,
                parent_doc_id=self._doc_ids.get(container) if file.member else None,
                member_path=file.member.rpartition(MEMBER_MARK)[2] or None,
            )
            locations.append(location)
        with self._writer.transaction():
            self._writer.save_document(assembled.document, assembled.facts, seen=self._seen)
            if writes_segments:
                self._writer.save_segments(doc_id, assembled.segments)
                self._writer.save_chunks(doc_id, assembled.chunks)
            self._writer.save_locations(doc_id, locations)
            self._writer.save_sources(rows)
            self._count(content.files, content.sha256, is_new=is_new)
        self._kept |= {location.uri: doc_id for location in locations}
        self._chunks += len(assembled.chunks)

    def _save_failed(
        self, files: Sequence[ScannedFile], sha256: str | None, failure: ExtractionFailed
    ) -> None:
        parser = failure.parser or DETECTOR
        # An unreadable file may be readable tomorrow with the same times: no hash, so a retry.
        kept_hash = None if failure.state == "unreadable" else sha256
        reason = " ".join(str(failure).split())
        rows = [
            source_row(
                file,
                sha256=kept_hash,
                state=failure.state,
                reason=reason,
                doc_id=None,
                parser=parser,
            )
            for file in files
        ]
        is_new = any(self._known.get(row.path) != row for row in rows)
        with self._writer.transaction():
            if is_new:
                self._writer.save_sources(rows)
            self._count(files, kept_hash, is_new=is_new)

    def _count(self, files: Sequence[ScannedFile], sha256: str | None, *, is_new: bool) -> None:
        """Count what happened to each file; a content that left one path for another is renamed."""
        for file in files:
            row = self._known.get(file.path)
            left = self._gone.get(sha256 or "", [])
            if row is None and sha256 and left:
                path = left.pop(0)
                self._writer.forget_source(path, uri_of(path))
                self.changes["renamed"] += 1
            elif row is None:
                self.changes["added"] += 1
            elif row.source_sha256 != sha256 or is_new:
                self.changes["changed"] += 1
            else:
                self.changes["unchanged"] += 1

    def _retire_rest(self) -> None:
        kept = set(self._kept.values())
        gone = [path for paths in self._gone.values() for path in paths]
        retired = [doc_id for doc_id in self._uris if doc_id not in kept]
        if not gone and not retired:
            return
        with self._writer.transaction():
            for path in gone:
                self._writer.forget_source(path, uri_of(path))
                self.changes["removed"] += 1
            for doc_id in retired:
                replaced_by = self._kept.get(self._uris[doc_id])
                self._writer.retire(doc_id, replaced_by=replaced_by, seen=self._seen)
