"""Reconciliation: puts the store right, content by content, until it holds what the folder does."""

import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from corpora.card import CorpusCard
from corpora.store import DocumentStore
from ingest.assemble import Assembled, Chunking, chunk_document
from ingest.changes import ChangeLog
from ingest.config import IngestConfig
from ingest.content_document import replaced_document
from ingest.errors import ExtractionFailed, IngestError
from ingest.job import JobResult, ReadJob
from ingest.job_desk import JobDesk
from ingest.members import with_members
from ingest.plan import Content, group_contents, placement_of, same_stat, uri_of
from ingest.report import IngestProgress
from ingest.scan import ScannedFile
from ingest.settings import Settings, settings_of
from ingest.source_rows import locations_of, rows_of_container, rows_of_document, rows_of_failure
from ingest.stage import Progress
from ingest.stored_state import StoredState
from ingest.writer import Facts, SourceRow, StoreWriter


class Reconciliation:
    """One run over one folder."""

    def __init__(
        self,
        card: CorpusCard,
        folder: Path,
        *,
        writer: StoreWriter,
        desk: JobDesk,
        chunking: Chunking,
        config: IngestConfig,
        progress: Progress | None,
    ) -> None:
        self._card = card
        self._desk = desk
        self._writer = writer
        self._store = DocumentStore(folder)
        self._chunking = chunking
        self._config = config
        self._progress = progress
        self._seen = datetime.now(UTC).isoformat(timespec="seconds")
        self._before = StoredState(
            sources=writer.sources(),
            facts=writer.facts(),
            uris=writer.current_uris(),
            settings=writer.settings(),
        )
        self._settings = settings_of(card, config)
        self._doc_ids: dict[str, str] = {}
        """Id of what lies at each path; a container that is no document has one too."""
        self._kept: dict[str, str] = {}
        """doc_id now at each URI."""
        self._left: list[str] = []
        """Paths of what was renamed. Their rows go all at once and last: a container that comes
        back after a kill must find the rows of all its members, or none."""
        self._pages = 0
        self._chunks = 0
        self.changes = ChangeLog({}, ())

    def run(self, scanned: Sequence[ScannedFile], started: float) -> None:
        """Put every content right, then retire what is nowhere any more."""
        try:
            self._run(scanned, started)
        finally:
            self._store.close()

    def _run(self, scanned: Sequence[ScannedFile], started: float) -> None:
        known = self._before.sources
        # Rows made from now on are made anew; until all are, none is vouched for.
        self._save_settings(Settings() if known else self._settings)
        scanned = with_members(
            scanned,
            known,
            self._card,
            self._config,
            lists_again=self._settings.exclude != self._before.settings.exclude,
            do=self._desk.results,
        )
        self.changes = ChangeLog(known, (file.path for file in scanned))
        openable = [file for file in scanned if not file.refusal]
        contents, unreadable = group_contents(openable, known, rehash=self._config.rehash)
        failed = [(file, file.refusal_state, file.refusal) for file in scanned if file.refusal]
        failed += [(file, "unreadable", reason) for file, reason in unreadable]
        self._doc_ids = {file.path: each.doc_id for each in contents for file in each.files}
        for file, state, reason in failed:
            self._save_failed([file], None, ExtractionFailed(reason, state=state))
        n_done = len(failed)
        to_read = [
            content
            for content in contents
            if self._before.must_be_read(content, self._config, self._settings)
        ]
        jobs = [ReadJob(content=content) for content in to_read]
        awaited = {job.content.sha256: job.n_bytes for job in jobs}
        results = self._desk.results(jobs)
        bytes_done, bytes_total = 0, sum(awaited.values())
        reading_since = time.monotonic()
        for content in contents:
            if content.sha256 in awaited:
                self._save_read(content, next(results))
                bytes_done += awaited[content.sha256]
            else:
                self._put_right(content)
            n_done += len(content.files)
            if self._progress is not None:
                now = time.monotonic()
                step = IngestProgress(
                    files_done=n_done,
                    files_total=len(scanned),
                    path=content.files[0].path,
                    pages=self._pages,
                    chunks=self._chunks,
                    seconds=now - started,
                    reading_s=now - reading_since,
                    bytes_done=bytes_done,
                    bytes_total=bytes_total,
                )
                self._progress(step)
        self._retire_rest()
        self._save_settings(self._settings)

    def _save_settings(self, settings: Settings) -> None:
        if self._settings != self._before.settings:
            with self._writer.transaction():
                self._writer.save_settings(settings)

    def _save_read(self, content: Content, result: JobResult) -> None:
        match result:
            case Assembled():
                facts = self._before.facts.get(content.doc_id)
                self._pages += result.facts.pages
                is_new = facts is None or facts.digest != result.facts.digest
                self._save(content, result, writes_segments=True, is_new=is_new)
            case ExtractionFailed():
                self._save_failed(content.files, content.sha256, result)
            case _:
                message = f"a read job gave {type(result).__name__}"
                raise TypeError(message)

    def _put_right(self, content: Content) -> None:
        """Bring a content up to date whose text, or whose failure, is known."""
        facts = self._before.facts.get(content.doc_id)
        if content.holding is not None:
            rows = rows_of_container(content, content.holding)
            self._save_rows(content.files, content.sha256, rows)
        elif facts is None:
            row = self._before.sources[content.files[0].path]
            failure = ExtractionFailed(row.reason, state=row.state)
            failure.parser = row.parser
            self._save_failed(content.files, content.sha256, failure)
        elif self._is_unchanged(content, facts):
            self._kept |= {uri_of(file.path): content.doc_id for file in content.files}
            self.changes.note_unchanged(len(content.files))
        else:
            self._renew(content, facts)

    def _is_unchanged(self, content: Content, facts: Facts) -> bool:
        rows = [self._before.sources.get(file.path) for file in content.files]
        return (
            facts.chunking == self._chunking.digest
            and facts.placement == placement_of(content, self._card)
            and not self.changes.has_left(content.sha256)
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
        rows = rows_of_document(content, assembled.facts)
        locations = locations_of(content, self._card, self._doc_ids)
        with self._writer.transaction():
            self._writer.save_document(assembled.document, assembled.facts, seen=self._seen)
            if writes_segments:
                self._writer.save_segments(doc_id, assembled.segments)
                self._writer.save_chunks(doc_id, assembled.chunks)
            if assembled.signature is not None:
                self._writer.save_signature(doc_id, assembled.signature)
            self._writer.save_locations(doc_id, locations)
            self._writer.save_sources(rows)
            self._count(content.files, content.sha256, is_new=is_new)
        self._kept |= {location.uri: doc_id for location in locations}
        self._chunks += len(assembled.chunks)

    def _save_failed(
        self, files: Sequence[ScannedFile], sha256: str | None, failure: ExtractionFailed
    ) -> None:
        rows = rows_of_failure(files, sha256, failure)
        self._save_rows(files, rows[0].source_sha256, rows)

    def _save_rows(
        self, files: Sequence[ScannedFile], sha256: str | None, rows: Sequence[SourceRow]
    ) -> None:
        """Rows of files that have no document."""
        is_new = any(self._before.sources.get(row.path) != row for row in rows)
        with self._writer.transaction():
            if is_new:
                self._writer.save_sources(rows)
            self._count(files, sha256, is_new=is_new)

    def _count(self, files: Sequence[ScannedFile], sha256: str | None, *, is_new: bool) -> None:
        for file in files:
            _, left = self.changes.note(file.path, sha256, is_new=is_new)
            if left is not None:
                self._left.append(left)

    def _retire_rest(self) -> None:
        kept = set(self._kept.values())
        gone = [*self.changes.note_removed(), *self._left]
        retired = [doc_id for doc_id in self._before.uris if doc_id not in kept]
        if not gone and not retired:
            return
        with self._writer.transaction():
            for path in gone:
                self._writer.forget_source(path, uri_of(path))
            for doc_id in retired:
                replaced_by = self._kept.get(self._before.uris[doc_id])
                self._writer.retire(doc_id, replaced_by=replaced_by, seen=self._seen)
