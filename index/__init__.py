"""Chunks of an ingest folder become an index on disk, and the index a ``Searcher``.

``build_index`` writes a generation (lexical BM25, dense FAISS), ``open_index`` gives a
``HybridSearcher`` over the current one; ``verify_index`` and ``index_stats`` look at it.
"""

from index.build import build_index
from index.config import IndexConfig
from index.document_postings import write_document_postings
from index.document_ranking import DocumentMode, ScoredDocument
from index.errors import (
    EmbedderMismatch,
    EmptyIndex,
    EncoderOverflow,
    IndexBusy,
    IndexCorrupt,
    IndexingError,
    IndexMissing,
    IndexStale,
    UnknownDocument,
)
from index.fuse_legs import fuse_legs
from index.hash_encoder import hash_card
from index.hybrid import HybridSearcher
from index.manifest import IndexManifest
from index.opening import open_index
from index.progress import IndexProgress
from index.ranking import Ranking, ScoredRow
from index.searcher import Passage, Searcher
from index.verify import IndexStats, index_stats, verify_index

__all__ = [
    "DocumentMode",
    "EmbedderMismatch",
    "EmptyIndex",
    "EncoderOverflow",
    "HybridSearcher",
    "IndexBusy",
    "IndexConfig",
    "IndexCorrupt",
    "IndexManifest",
    "IndexMissing",
    "IndexProgress",
    "IndexStale",
    "IndexStats",
    "IndexingError",
    "Passage",
    "Ranking",
    "ScoredDocument",
    "ScoredRow",
    "Searcher",
    "UnknownDocument",
    "build_index",
    "fuse_legs",
    "hash_card",
    "index_stats",
    "open_index",
    "verify_index",
    "write_document_postings",
]
