"""ingest_collection: a public test collection (``corpus.jsonl.gz``) as a corpus.

Each record is a document under the collection's own id; nothing is deduplicated and empty documents
are kept, or the collection's judgements would no longer fit.
"""

import gzip
import hashlib
import json
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from corpora.document import Document, Location
from corpora.encoder_card import EncoderCard
from corpora.errors import CorpusNotFound, MalformedRecord
from corpora.first_fault import first_fault
from ingest.assemble import Assembled, Chunking, chunk_document
from ingest.canonical import canonical_text
from ingest.collection_segments import segment_record
from ingest.config import IngestConfig
from ingest.language import detect_language, script_language
from ingest.report import Change, IngestProgress, IngestReport
from ingest.segment import SEGMENT_VERSION
from ingest.stage import Progress, finish_stage, opened_stage
from ingest.writer import Facts, SourceRow, StoreWriter

CORPUS_FILE = "corpus.jsonl.gz"
QUERIES_FILE = "queries.jsonl"
"""Not read here; it tells a test collection from a folder that happens to hold a packed file."""
_BATCH = 200
_LANGUAGE_SAMPLE = 100
_PARSER = f"collection:1/{SEGMENT_VERSION}"


class CollectionRecord(BaseModel):
    """One line of ``corpus.jsonl.gz``."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    id_: str = Field(alias="_id", min_length=1)
    title: str = ""
    text: str
    metadata: dict[str, Any] = Field(default_factory=dict)
    """``sentences``, where present, bounds the segments."""


def is_collection(folder: Path) -> bool:
    """Whether the folder has the common layout of test collections: documents and queries."""
    return (folder / CORPUS_FILE).is_file() and (folder / QUERIES_FILE).is_file()


def ingest_collection(
    collection: Path,
    folder: Path,
    *,
    encoder: EncoderCard,
    config: IngestConfig | None = None,
    progress: Progress | None = None,
) -> IngestReport:
    """Store the records of ``collection/corpus.jsonl.gz`` in ``folder``, unchanged ones untouched.

    Raises:
        CorpusNotFound: there is no such file.
        MalformedRecord: a line is no record of the layout; its number is named.
        IngestBusy, IngestError: as ``ingest_corpus``.
    """
    started = time.monotonic()
    config = config or IngestConfig()
    path = collection / CORPUS_FILE
    if not path.is_file():
        message = f"no {CORPUS_FILE} in {str(collection)!r}"
        raise CorpusNotFound(message)
    language = detect_language(
        " ".join(record.text for record, _ in islice(read_collection(path), _LANGUAGE_SAMPLE))
    )
    with opened_stage(folder, root=collection, corpus=collection.name) as writer:
        chunking = Chunking(encoder, config)
        ingest = _CollectionIngest(writer, chunking, language)
        batch: list[tuple[CollectionRecord, str]] = []
        for item in read_collection(path):
            batch.append(item)
            if len(batch) == _BATCH:
                ingest.save(batch, started, progress)
                batch = []
        ingest.save(batch, started, progress)
        ingest.retire_rest()
        return finish_stage(
            folder,
            writer,
            corpus=collection.name,
            root=collection,
            encoder=encoder,
            config=config,
            chunking=chunking,
            changes=ingest.changes,
            seconds=time.monotonic() - started,
        )


def read_collection(path: Path) -> Iterator[tuple[CollectionRecord, str]]:
    """Records in file order, each with the SHA-256 of its line.

    Raises:
        MalformedRecord: damaged gzip, a line that is no record, or an id that comes twice.
    """
    seen: set[str] = set()
    try:
        with gzip.open(path, "rb") as lines:
            for number, line in enumerate(lines, start=1):
                try:
                    record = CollectionRecord.model_validate_json(line)
                except ValidationError as error:
                    message = f"{path.name} line {number}: {first_fault(error)}"
                    raise MalformedRecord(message) from error
                if record.id_ in seen:
                    message = f"{path.name} line {number}: id {record.id_!r} comes twice"
                    raise MalformedRecord(message)
                seen.add(record.id_)
                yield record, hashlib.sha256(line).hexdigest()
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        message = f"{path.name} is damaged: {error}"
        raise MalformedRecord(message) from error


class _CollectionIngest:
    """One run over one collection."""

    def __init__(self, writer: StoreWriter, chunking: Chunking, language: str) -> None:
        self._writer = writer
        self._chunking = chunking
        self._language = language
        self._seen = datetime.now(UTC).isoformat(timespec="seconds")
        self._known = writer.sources()
        self._facts = writer.facts()
        self._kept: set[str] = set()
        self._chunks = 0
        self.changes: Counter[Change] = Counter()

    def save(
        self,
        batch: list[tuple[CollectionRecord, str]],
        started: float,
        progress: Progress | None,
    ) -> None:
        """Store the new and changed records of a batch in one transaction."""
        if not batch:
            return
        with self._writer.transaction():
            for record, sha256 in batch:
                self._kept.add(record.id_)
                row = self._known.get(_path(record.id_))
                facts = self._facts.get(record.id_)
                if (
                    row is not None
                    and row.source_sha256 == sha256
                    and facts is not None
                    and (facts.parser, facts.chunking) == (self._parser, self._chunking.digest)
                ):
                    self.changes["unchanged"] += 1
                    continue
                self._save_one(self._assembled(record, sha256), sha256)
                is_changed = row is not None and row.source_sha256 != sha256
                change: Change = (
                    "added" if row is None else "changed" if is_changed else "unchanged"
                )
                self.changes[change] += 1
        if progress is not None:
            step = IngestProgress(
                files_done=len(self._kept),
                files_total=0,
                path=_path(batch[-1][0].id_),
                pages=len(self._kept),
                chunks=self._chunks,
                seconds=time.monotonic() - started,
            )
            progress(step)

    def retire_rest(self) -> None:
        """Make history of the records that the collection no longer has."""
        with self._writer.transaction():
            for doc_id in sorted(self._facts.keys() - self._kept):
                self._writer.retire(doc_id, replaced_by=None, seen=self._seen)
                self._writer.forget_source(_path(doc_id), _uri(doc_id))
                self.changes["removed"] += 1

    @property
    def _parser(self) -> str:
        return f"{_PARSER}/{self._language}"

    def _assembled(self, record: CollectionRecord, sha256: str) -> Assembled:
        # A record with only a title (CACM has many) is found by its title or not at all.
        text, n_replaced = canonical_text(record.text or record.title)
        language = script_language(text) or self._language
        document = Document(
            doc_id=record.id_,
            uri=_uri(record.id_),
            title=" ".join(canonical_text(record.title).text.split()),
            text=text,
            text_sha256=hashlib.sha256(text.encode()).hexdigest(),
            source_sha256=sha256,
            media_type="text/plain",
            language=language,
            metadata={
                key: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
                for key, value in record.metadata.items()
                if key != "sentences"
            },
        )
        facts = Facts(
            doc_id=record.id_,
            parser=self._parser,
            chunking="",
            title_source="document",
            missing="",
            cut_spans="[]",
            pages=1,
            replaced=n_replaced,
            placement="",
            digest="",
        )
        sentences = record.metadata.get("sentences") if record.text else None
        segments = segment_record(text, sentences, doc_id=record.id_, language=language)
        return chunk_document(document, segments, facts, self._chunking)

    def _save_one(self, assembled: Assembled, sha256: str) -> None:
        document = assembled.document
        is_empty = not document.text.strip()
        row = SourceRow(
            path=_path(document.doc_id),
            source_sha256=sha256,
            size=len(document.text),
            mtime_ns=0,
            inode=0,
            state="empty" if is_empty else "ok",
            reason="no text in it" if is_empty else "",
            doc_id=document.doc_id,
            parser=self._parser,
        )
        self._writer.save_document(document, assembled.facts, seen=self._seen)
        self._writer.save_segments(document.doc_id, assembled.segments)
        self._writer.save_chunks(document.doc_id, assembled.chunks)
        self._writer.save_locations(
            document.doc_id,
            [Location(doc_id=document.doc_id, uri=document.uri, member_path=document.doc_id)],
        )
        self._writer.save_sources([row])
        self._chunks += len(assembled.chunks)


def _path(doc_id: str) -> str:
    return f"{CORPUS_FILE}!/{doc_id}"


def _uri(doc_id: str) -> str:
    return f"corpus:///{_path(doc_id)}"
