"""The root of the error tree; each package adds its branch in its own ``errors.py``.

ResearchError                     told to the user: one line, exit 2
├─ CorpusError                    (here)   CorpusNotFound · ChecksumMismatch · MalformedRecord
│                                          StoreCorrupt
├─ IngestError                    (ingest) ExtractionFailed · UnsupportedFormat · IngestBusy
├─ IndexingError                  (index)  IndexMissing · IndexStale · IndexCorrupt · EmptyIndex
│                                          EmbedderMismatch
└─ AgentError · ConfigError · …   (search_agent)

``ToolRejected`` (search_agent) is no ResearchError: the model sees it, the user does not.
"""


class ResearchError(Exception):
    """Anything a person can put right; printed as one line, without a traceback."""

    code: int | None = None

    def __str__(self) -> str:
        message = super().__str__()
        return f"[{self.code}] {message}" if self.code else message


class CorpusError(ResearchError):
    """A corpus, or one of its records, cannot be used."""


class CorpusNotFound(CorpusError):
    """The corpus is neither a shipped name nor a folder, or it has not been ingested yet."""


class ChecksumMismatch(CorpusError):
    """A file's bytes are not those its record names."""


class MalformedRecord(CorpusError):
    """A card, topic or manifest does not have the documented shape."""


class StoreCorrupt(CorpusError):
    """The document store cannot be read: damaged, or written by a newer version."""
