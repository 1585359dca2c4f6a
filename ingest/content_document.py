"""The document of one content: read afresh, or brought up to date where its text stands."""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePosixPath

from corpora.card import CorpusCard
from corpora.document import Document
from ingest.assemble import Assembled, Chunking, Origin, assemble_document, with_supersession
from ingest.config import IngestConfig
from ingest.containers import Containers
from ingest.document_date import date_in_name
from ingest.errors import ExtractionFailed
from ingest.minhash import signature_of
from ingest.plan import Content, labels_of, placement_of, uri_of
from ingest.readers import read_content
from ingest.title import title_from_name
from ingest.writer import Facts


def read_document(
    content: Content,
    card: CorpusCard,
    chunking: Chunking,
    *,
    config: IngestConfig,
    containers: Containers,
    tell: Callable[[str], None],
) -> Assembled:
    """Everything of a content, read from its first file; ``tell`` hears which parser reads it.

    Raises:
        ExtractionFailed: with the state the content's files end in.
    """
    first = content.files[0]
    try:
        data = containers.read_bytes(first)
    except OSError as error:
        message = f"cannot be read: {error.strerror}"
        raise ExtractionFailed(message, state="unreadable") from error
    if hashlib.sha256(data).hexdigest() != content.sha256:
        message = "changed while it was read; run ingest again"
        raise ExtractionFailed(message, state="unreadable")
    if not config.ocr_languages:
        config = config.model_copy(update={"ocr_languages": card.languages})
    read = read_content(data, first.path, config, tell=tell)
    origin = Origin(
        doc_id=content.doc_id,
        source_sha256=content.sha256,
        path=first.path,
        name_path=name_path(content, card),
        uri=uri_of(first.path),
        labels=all_labels(content, card),
        placement=placement_of(content, card),
    )
    assembled = assemble_document(
        read.extract, origin, card, chunking, media_type=read.media_type, parser=read.parser
    )
    return replace(assembled, signature=signature_of(assembled.document.text))


def replaced_document(
    document: Document, facts: Facts, content: Content, card: CorpusCard
) -> Document:
    """``document`` with what follows from places and card: names, labels, date, supersession."""
    path = content.files[0].path
    name = name_path(content, card)
    is_dated_by_name = document.date_source in {None, "file name"}
    date = date_in_name(PurePosixPath(name).name) if is_dated_by_name else document.date
    source = ("file name" if date else None) if is_dated_by_name else document.date_source
    is_named_by_file = facts.title_source == "file name"
    return replace(
        document,
        uri=uri_of(path),
        title=title_from_name(name, document.text) if is_named_by_file else document.title,
        labels=all_labels(content, card),
        date=date,
        date_source=source,
        metadata=with_supersession(document.metadata, path, card),
    )


def all_labels(content: Content, card: CorpusCard) -> tuple[str, ...]:
    """Labels of all places together."""
    return tuple(sorted({label for file in content.files for label in labels_of(file, card)}))


def name_path(content: Content, card: CorpusCard) -> str:
    """The path whose name may be told to everyone who sees the content; empty if there is none.

    It may lie at several places; only where all have the same labels does each see all names.
    """
    labels = {labels_of(file, card) for file in content.files}
    return content.files[0].path if len(labels) == 1 else ""
