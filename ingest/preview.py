"""preview_corpus: what an ingest would find new, told without writing anything."""

import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from corpora.card import CorpusCard
from corpora.encoder_card import EncoderCard
from ingest.changes import ChangeLog
from ingest.config import IngestConfig
from ingest.job import JobSetup
from ingest.job_desk import JobDesk
from ingest.members import with_members
from ingest.plan import group_contents
from ingest.report import Problem
from ingest.scan import scan_corpus
from ingest.settings import settings_of
from ingest.sidecar import card_with_sidecars
from ingest.stage import limits_changed
from ingest.stored_state import peek_state


class Rename(BaseModel):
    """A content that is at another path than before."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    before: str
    now: str


class IngestPreview(BaseModel):
    """What ``ingest --dry-run --json`` prints; paths are relative to the corpus folder."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, populate_by_name=True, serialize_by_alias=True
    )

    schema_: int = Field(default=1, alias="schema")
    added: list[str]
    changed: list[str]
    renamed: list[Rename]
    removed: list[str]
    unchanged: int
    problems: list[Problem]
    """Files that would not be opened; what reading the others will meet is not known yet."""
    to_read: int
    """Different contents that would be read."""
    to_read_bytes: int
    seconds: float


def preview_corpus(
    card: CorpusCard, folder: Path, *, encoder: EncoderCard, config: IngestConfig | None = None
) -> IngestPreview:
    """What ``ingest_corpus`` would do; files are hashed and containers listed, none is read.

    Raises:
        IngestError: a sidecar cannot be read.
        StoreCorrupt: the store in ``folder`` is damaged.
        WorkersUnusable: no worker process can be started.
    """
    started = time.monotonic()
    config = config or IngestConfig()
    card = card_with_sidecars(card)
    if limits_changed(folder, config):
        config = config.model_copy(update={"retry_problems": True})
    before = peek_state(folder)
    settings = settings_of(card, config)
    scanned = scan_corpus(card, max_file_bytes=config.max_file_bytes)
    with closing(
        JobDesk(JobSetup(card=card, encoder=encoder, config=config, folder=folder))
    ) as desk:
        files = with_members(
            scanned,
            before.sources,
            card,
            config,
            lists_again=settings.exclude != before.settings.exclude,
            do=desk.results,
        )
    openable = [file for file in files if not file.refusal]
    contents, unreadable = group_contents(openable, before.sources, rehash=config.rehash)
    hashes: Mapping[str, str] = {
        file.path: content.sha256 for content in contents for file in content.files
    }
    changes = ChangeLog(before.sources, (file.path for file in files))
    noted: dict[str, list[str]] = {"added": [], "changed": [], "unchanged": [], "renamed": []}
    renamed: list[Rename] = []
    # Contents first by path, as in an ingest, so that the same paths count as renamed.
    for file in sorted(files, key=lambda file: file.path):
        change, left = changes.note(file.path, hashes.get(file.path), is_new=False)
        noted[change].append(file.path)
        if left is not None:
            renamed.append(Rename(before=left, now=file.path))
    problems = [
        Problem(path=file.path, state=file.refusal_state, reason=file.refusal)
        for file in files
        if file.refusal
    ]
    problems += [
        Problem(path=file.path, state="unreadable", reason=reason) for file, reason in unreadable
    ]
    to_read = [content for content in contents if before.must_be_read(content, config, settings)]
    return IngestPreview(
        added=noted["added"],
        changed=noted["changed"],
        renamed=renamed,
        removed=changes.note_removed(),
        unchanged=len(noted["unchanged"]),
        problems=sorted(problems, key=lambda problem: problem.path),
        to_read=len(to_read),
        to_read_bytes=sum(content.files[0].size for content in to_read),
        seconds=round(time.monotonic() - started, 3),
    )
