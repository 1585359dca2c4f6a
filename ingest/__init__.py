"""Files → Document → Segment → Chunk, stored under ``build/<corpus>/ingest``."""

from ingest.collection import ingest_collection
from ingest.config import IngestConfig
from ingest.corpus import ingest_corpus
from ingest.errors import ExtractionFailed, IngestBusy, IngestError, UnsupportedFormat
from ingest.report import IngestProgress, IngestReport, Problem

__all__ = [
    "ExtractionFailed",
    "IngestBusy",
    "IngestConfig",
    "IngestError",
    "IngestProgress",
    "IngestReport",
    "Problem",
    "UnsupportedFormat",
    "ingest_collection",
    "ingest_corpus",
]
