"""Files → Document → Segment → Chunk, stored under ``build/<corpus>/ingest``."""

from ingest.collection import ingest_collection, is_collection
from ingest.config import IngestConfig
from ingest.corpus import ingest_corpus
from ingest.errors import ExtractionFailed, IngestBusy, IngestError, UnsupportedFormat
from ingest.preview import IngestPreview, preview_corpus
from ingest.report import IngestProgress, IngestReport, NearDuplicate, Problem
from ingest.watch import watch_folder

__all__ = [
    "ExtractionFailed",
    "IngestBusy",
    "IngestConfig",
    "IngestError",
    "IngestPreview",
    "IngestProgress",
    "IngestReport",
    "NearDuplicate",
    "Problem",
    "UnsupportedFormat",
    "ingest_collection",
    "ingest_corpus",
    "is_collection",
    "preview_corpus",
    "watch_folder",
]
