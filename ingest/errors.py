"""Ingestion's branch of the error tree.

IngestError
├─ ExtractionFailed   one file cannot be read as what it is; recorded for it, never raised out
├─ UnsupportedFormat  one file is of a kind no reader knows; recorded likewise
├─ DiskFull           nothing more can be written
├─ WorkersUnusable    no worker process can be started
├─ IngestBusy         another ingest is writing into this folder
└─ ChunkTooLong       a chunk would not fit the encoder: a fault of ours, the file is not stored
"""

from corpora.document import DocumentState
from corpora.errors import ResearchError


class IngestError(ResearchError):
    """Ingestion as a whole cannot go on."""


class ExtractionFailed(IngestError):
    """One file has no readable text; ``state`` says which way it failed, the message why."""

    def __init__(self, reason: str, *, state: DocumentState = "corrupt") -> None:
        super().__init__(reason)
        self.state: DocumentState = state
        self.parser = ""
        """Id of the reader that failed; empty before one was chosen."""
        self.is_container = False
        """Whether the file is a container of others, so that no reader is to be asked."""


class UnsupportedFormat(ExtractionFailed):
    """No reader knows this kind of file."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, state="unsupported")


class DiskFull(IngestError):
    """Nothing more can be written where an ingest writes; no file is to blame."""


class WorkersUnusable(IngestError):
    """Worker processes do not start here."""


class IngestBusy(IngestError):
    """Another process holds the folder's lock."""


class ChunkTooLong(IngestError):
    """Header and text together exceed what the encoder reads."""
