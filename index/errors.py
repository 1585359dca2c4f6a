"""Errors of the index, told to the user as one line.

IndexingError
├─ IndexMissing      nothing has been built yet
├─ IndexStale        the documents have changed since the build
├─ IndexCorrupt      a file is absent, short or does not fit the others
├─ EmptyIndex        there is no chunk to search
├─ EmbedderMismatch  the encoder is not the one the vectors were made with
├─ EncoderOverflow   the encoder would cut a chunk's text
├─ IndexBusy         another process is building
└─ UnknownDocument   no such document, or not one the caller may see
"""

from corpora.errors import ResearchError


class IndexingError(ResearchError):
    """The index cannot be built or used."""


class IndexMissing(IndexingError):
    """No finished generation exists."""


class IndexStale(IndexingError):
    """The ingest folder is not the one the index was built from."""


class IndexCorrupt(IndexingError):
    """A file of the index is absent, of another size, or disagrees with the others."""


class EmptyIndex(IndexingError):
    """The corpus has no chunk, so that every search would find nothing."""


class EmbedderMismatch(IndexingError):
    """The encoder given is not the one the index was built with."""

    code = 200029


class EncoderOverflow(IndexingError):
    """A chunk is longer than the encoder reads; embedding it would cut its end silently."""


class IndexBusy(IndexingError):
    """Another process holds the build lock."""


class UnknownDocument(IndexingError):
    """A document id or a span that does not exist, or that the filters do not admit."""
