"""Writing the lexical leg with as little analysis as the generation in use allows.

A chunk whose language, header and text an old chunk had has its terms already: its postings are
taken over under its new row. Only the others are analysed. The files are those of a build from
nothing, so statistics are always those of the chunks there are.
"""

import platform
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from index.analyzer import Analyzer, Terms
from index.chunk_table import ChunkTable, IndexedChunk
from index.errors import IndexCorrupt, IndexMissing
from index.generations import Generations
from index.lexical import LEXICAL_PARTS, write_lexical
from index.manifest import hash_file, load_index_manifest
from index.merge_postings import Source, merge_postings
from index.postings import Postings
from index.progress import IndexProgress, Report

_KEYS_FILE = "chunks/terms_keys.npy"


@dataclass(frozen=True, slots=True, kw_only=True)
class OldLexical:
    """The leg of a generation whose analyzer is that of the new one."""

    folder: Path
    terms_keys: NDArray[np.uint8]
    """Of its rows, (n, 16)."""


class LexicalUpdate(NamedTuple):
    """What was done."""

    analysed: int
    reused: int


def update_lexical(
    folder: Path,
    chunks: Iterable[IndexedChunk],
    *,
    terms_keys: NDArray[np.uint8],
    analyzer: Analyzer,
    old: OldLexical | None,
    report: Report,
) -> LexicalUpdate:
    """Write the leg for ``chunks``, whose keys are ``terms_keys``, in row order."""
    n_chunks = len(terms_keys)
    if old is None:
        new_rows = np.zeros(0, dtype=np.int64)
    else:
        new_rows = match_rows(old.terms_keys, terms_keys)
    is_added = np.ones(n_chunks, dtype=np.bool_)
    is_added[new_rows[new_rows >= 0]] = False
    n_added = int(is_added.sum())

    def added_terms() -> Iterator[Terms]:
        added = (indexed for indexed, wanted in zip(chunks, is_added, strict=True) if wanted)
        for done, indexed in enumerate(added, start=1):
            yield analyzer.document_terms(indexed.indexed_text, indexed.chunk.language)
            if done % 1000 == 0:
                tell(done)

    def tell(done: int) -> None:
        reused = n_chunks - n_added
        report(IndexProgress(stage="lexical", done=done, total=n_added, reused=reused))

    if old is None or n_added == n_chunks:
        write_lexical(folder, added_terms())
        tell(n_added)
        return LexicalUpdate(n_added, 0)
    added = folder / "added"
    write_lexical(added, added_terms())
    for part in LEXICAL_PARTS:
        sources = [
            Source(postings=Postings(old.folder / part), new_rows=new_rows),
            Source(postings=Postings(added / part), new_rows=np.flatnonzero(is_added)),
        ]
        merge_postings(folder / part, sources, n_documents=n_chunks)
    shutil.rmtree(added)
    tell(n_added)
    return LexicalUpdate(n_added, n_chunks - n_added)


def old_lexical(
    generations: Generations, analyzer: Analyzer, versions: Mapping[str, str]
) -> OldLexical | None:
    """The leg of the generation in use, if it was analysed alike and its bytes are as written."""
    try:
        folder = generations.path(generations.current())
        manifest = load_index_manifest(folder)
        used = {
            name: record
            for name, record in manifest.files.items()
            if name.startswith("lexical/") or name == _KEYS_FILE
        }
        is_alike = manifest.lexical.analyzer == analyzer and versions.items() <= (
            manifest.versions.items()
        )
        if not is_alike or any(hash_file(folder / name) != used[name] for name in used):
            return None
        keys = ChunkTable(folder / "chunks").terms_keys
    except (IndexMissing, IndexCorrupt, OSError):
        return None  # everything is analysed anew
    return OldLexical(folder=folder / "lexical", terms_keys=keys)


def term_versions() -> dict[str, str]:
    """Versions of what makes terms beside our own code: Unicode's tables and the stemmers."""
    return {"python": platform.python_version(), "PyStemmer": version("PyStemmer")}


def match_rows(old_keys: NDArray[np.uint8], new_keys: NDArray[np.uint8]) -> NDArray[np.int64]:
    """New row of each old row, -1 without one; of equal keys the n-th old is the n-th new."""
    keys = np.concatenate((old_keys, new_keys)).view("S16").ravel()
    _, numbers = np.unique(keys, return_inverse=True)
    old, new = _each_once(numbers[: len(old_keys)]), _each_once(numbers[len(old_keys) :])
    _, old_rows, new_rows = np.intersect1d(old, new, assume_unique=True, return_indices=True)
    matched = np.full(len(old_keys), -1, dtype=np.int64)
    matched[old_rows] = new_rows
    return matched


def _each_once(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Number and count of the same number before, as one: equal for no two entries."""
    order = np.argsort(numbers, kind="stable")
    ascending = numbers[order]
    count_before = np.empty_like(numbers)
    count_before[order] = np.arange(len(numbers)) - ascending.searchsorted(ascending)
    return numbers << 32 | count_before
