"""Looking at an index without searching it: is it whole, and how big is it."""

from dataclasses import dataclass
from pathlib import Path

from index.chunk_table import ChunkTable
from index.errors import IndexCorrupt
from index.generations import Generations
from index.manifest import IndexManifest, hash_file, load_index_manifest
from index.opening import open_index
from index.postings import Postings


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexStats:
    """Sizes of the current generation."""

    manifest: IndexManifest
    terms: int
    postings: int
    bytes_by_part: dict[str, int]
    """Bytes of ``chunks``, ``lexical`` and each ``dense/<encoder>``."""


def verify_index(build_folder: Path) -> int:
    """Number of files, after reading all of them and comparing hashes and chunk ids.

    Raises:
        IndexCorrupt: names the first file whose bytes are not those that were written.
        IndexMissing, IndexStale, EmptyIndex: as ``open_index``.
    """
    open_index(build_folder).close()
    folder, manifest = _current(build_folder)
    for name, record in manifest.files.items():
        if hash_file(folder / name) != record:
            message = f"{name!r} of the index is not as it was written; run `make index`"
            raise IndexCorrupt(message)
    if ChunkTable(folder / "chunks").chunk_ids_sha256() != manifest.chunk_ids_sha256:
        message = "the chunk ids of the index are not those of its manifest; run `make index`"
        raise IndexCorrupt(message)
    return len(manifest.files)


def index_stats(build_folder: Path) -> IndexStats:
    """Sizes of the current generation, also of a stale one.

    Raises:
        IndexMissing, IndexCorrupt: as ``open_index``.
    """
    folder, manifest = _current(build_folder)
    content = Postings(folder / "lexical" / "content")
    sizes: dict[str, int] = {}
    for name, record in manifest.files.items():
        parts = name.split("/")
        part = "/".join(parts[:2]) if parts[0] == "dense" else parts[0]
        sizes[part] = sizes.get(part, 0) + record.bytes
    return IndexStats(
        manifest=manifest,
        terms=len(content.terms),
        postings=int(content.document_frequencies().sum()),
        bytes_by_part=sizes,
    )


def _current(build_folder: Path) -> tuple[Path, IndexManifest]:
    generations = Generations(build_folder / "index")
    folder = generations.path(generations.current())
    return folder, load_index_manifest(folder)
