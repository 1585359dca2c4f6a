"""StoredState: what the ingest before left in the store, and what of it still stands."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from corpora.errors import StoreCorrupt
from corpora.store import STORE_FILE
from ingest.config import IngestConfig
from ingest.plan import Content
from ingest.readers import current_parsers, is_ocr
from ingest.settings import Settings
from ingest.writer import Facts, SourceRow, facts_in, settings_in, sources_in, uris_in

_READ_STATES = {"ok", "partial", "duplicate"}


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredState:
    """Rows of the store, by path and by doc_id."""

    sources: Mapping[str, SourceRow] = field(default_factory=dict)
    facts: Mapping[str, Facts] = field(default_factory=dict)
    """Of current documents."""
    uris: Mapping[str, str] = field(default_factory=dict)
    """Of current documents."""
    settings: Settings = field(default_factory=Settings)

    def must_be_read(self, content: Content, config: IngestConfig, settings: Settings) -> bool:
        """Whether a content is new, or would read otherwise than before."""
        if content.holding is not None:
            return False
        if settings.languages != self.settings.languages:
            return True
        parsers = current_parsers(config)
        if settings.ocr_languages != self.settings.ocr_languages:
            parsers = frozenset(parser for parser in parsers if not is_ocr(parser))
        facts = self.facts.get(content.doc_id)
        if facts is not None:
            # A fresh read gives the same text: same parser, same kind of name.
            before = PurePosixPath(self.uris[content.doc_id]).suffix.lower()
            is_same_kind = before == PurePosixPath(content.files[0].path).suffix.lower()
            is_again = config.retry_problems and bool(facts.missing)
            return is_again or not is_same_kind or facts.parser not in parsers
        row = self.sources.get(content.files[0].path)
        is_known_failure = (
            row is not None
            and row.source_sha256 == content.sha256
            and row.state not in _READ_STATES
            and not config.retry_problems
            and row.parser in parsers
        )
        return not is_known_failure


def peek_state(folder: Path) -> StoredState:
    """The state of a folder that nothing is written into; empty without a store.

    Raises:
        StoreCorrupt: the store is damaged.
    """
    path = folder / STORE_FILE
    if not path.is_file():
        return StoredState()
    # Even a reader makes files beside a store in WAL mode, unless it is told that none writes.
    is_idle = not path.with_name(STORE_FILE + "-wal").exists()
    address = path.resolve().as_uri() + ("?immutable=1" if is_idle else "?mode=ro")
    try:
        connection = sqlite3.connect(address, uri=True)
        try:
            return StoredState(
                sources=sources_in(connection),
                facts=facts_in(connection),
                uris=uris_in(connection),
                settings=settings_in(connection),
            )
        finally:
            connection.close()
    except sqlite3.DatabaseError as error:
        message = f"{str(path)!r} cannot be read ({error}); delete the folder and ingest again"
        raise StoreCorrupt(message) from error
