"""IndexManifest: what one generation holds, and how a reader tells that it is whole."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from corpora.errors import MalformedRecord
from corpora.first_fault import first_fault
from corpora.manifest import read_manifest, write_manifest
from index.analyzer import ANALYZER_VERSION, Analyzer
from index.config import IndexConfig
from index.errors import IndexCorrupt

FORMAT = 3
"""Version of the files' layout; a reader refuses any other."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FileRecord(_Record):
    """Size and hash of one file."""

    bytes: int
    sha256: str


class IndexCounts(_Record):
    """How much is indexed."""

    documents: int
    """Current documents with at least one chunk."""
    chunks: int


class DenseSearch(_Record):
    """How an encoder's vectors are searched, and how often that finds what exact search does."""

    index_type: Literal["flat", "clusters"]
    """``flat`` compares all admitted rows, ``clusters`` those near the query."""
    compared: int
    """Rows a query is compared with at least."""
    clusters: int = 0
    recall_at_10: float = 1.0
    recall_at_100: float = 1.0
    """Share of the exact 100 best that were found, over the sample."""
    sample_queries: int = 0
    """Queries the two were measured on; 0 where nothing can be missed."""
    note: str = ""
    """Why a leg of this size is searched exactly after all."""


class DenseRecord(_Record):
    """One encoder's vectors."""

    name: str
    sha256: str
    dimension: int
    count: int
    search: DenseSearch
    languages: tuple[str, ...]
    embedded: int
    """Distinct texts that this build embedded."""
    reused: int
    """Distinct texts whose vectors were taken from the generation before or a killed build."""


class LexicalRecord(_Record):
    """The lexical leg."""

    backend: str
    variant: str
    k1: float
    b: float
    analyzer: Analyzer
    count: int
    analysed: int
    """Chunks whose text this build analysed."""
    reused: int
    """Chunks whose postings were taken from the generation before."""


class SelfQuery(_Record):
    """How many sampled documents were found by a sentence of their own."""

    documents: int
    found: int
    missed: tuple[str, ...]
    """Ids of those that were not."""


class IndexManifest(_Record):
    """``manifest.json`` of a generation, written after everything else of it."""

    stage: str = "index"
    format: int = FORMAT
    generation: int
    ingest_fingerprint: str
    fingerprint: str
    config: IndexConfig
    counts: IndexCounts
    written: int
    """Chunks this build wrote; 0 in the answer of a build that had nothing to do."""
    languages: tuple[str, ...]
    chunk_ids_sha256: str
    lexical: LexicalRecord
    names: int
    """Names by which chunks lead to each other."""
    dense: tuple[DenseRecord, ...]
    self_query: SelfQuery
    files: dict[str, FileRecord]
    versions: dict[str, str]
    seconds: float


def fingerprint_of(
    ingest_fingerprint: str, config: IndexConfig, encoders: Mapping[str, str]
) -> str:
    """SHA-256 over all that decides what a search returns; ``encoders`` is name to sha256."""
    identity = {
        "analyzer": ANALYZER_VERSION,
        "config": config.model_dump(mode="json"),
        "encoders": list(encoders.items()),  # the first one is preferred, so order counts
        "format": FORMAT,
        "ingest": ingest_fingerprint,
    }
    return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()


def save_index_manifest(folder: Path, manifest: IndexManifest) -> None:
    """Write ``folder/manifest.json``."""
    write_manifest(folder, manifest.model_dump(mode="json"))


def load_index_manifest(folder: Path) -> IndexManifest:
    """The manifest of a generation.

    Raises:
        IndexCorrupt: it is absent, no JSON, of another format or not of the documented shape.
    """
    try:
        content: dict[str, Any] | None = read_manifest(folder)
    except MalformedRecord as error:
        raise IndexCorrupt(str(error)) from error
    if content is None:
        message = f"generation {folder.name} has no manifest; run `make index`"
        raise IndexCorrupt(message)
    if content.get("format") != FORMAT:
        message = (
            f"the index has format {content.get('format')!r}, this version reads {FORMAT};"
            " run `make index` to build it anew"
        )
        raise IndexCorrupt(message)
    content.pop("schema")
    try:
        return IndexManifest.model_validate(content)
    except ValidationError as error:
        message = f"manifest.json of the index: {first_fault(error)}; run `make index`"
        raise IndexCorrupt(message) from error


def hash_file(path: Path) -> FileRecord:
    """Size and SHA-256 of a file."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256")
    return FileRecord(bytes=path.stat().st_size, sha256=digest.hexdigest())


def check_files(folder: Path, manifest: IndexManifest) -> None:
    """Every file of the manifest is there with its size; ``verify_index`` also reads them.

    Raises:
        IndexCorrupt: names the first that is not.
    """
    for name, record in manifest.files.items():
        path = folder / name
        size = path.stat().st_size if path.is_file() else None
        if size != record.bytes:
            found = "absent" if size is None else f"{size} bytes long"
            message = f"{name!r} of the index is {found}, expected {record.bytes}; run `make index`"
            raise IndexCorrupt(message)
