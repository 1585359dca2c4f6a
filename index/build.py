"""Building a generation: chunks of the ingest folder in, lexical and dense leg out.

A build that would write what is there already does nothing. A build that is killed leaves the
current generation as it was, and the vectors it had made for the next build to take up.
"""

import errno
import re
import shutil
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
from pydantic import ValidationError

from corpora.encoder_card import EncoderCard
from corpora.first_fault import first_fault
from corpora.manifest import read_manifest, write_manifest
from corpora.store import DocumentStore
from index.analyzer import Analyzer, choose_analyzer
from index.chunk_table import ChunkTable, ChunkTableWriter, IndexedChunk, WrittenChunks
from index.config import IndexConfig
from index.corpus_text import IndexedChunks
from index.errors import EmptyIndex, IndexCorrupt, IndexingError, IndexMissing
from index.generations import Generations
from index.lexical import LexicalIndex
from index.manifest import (
    IndexCounts,
    IndexManifest,
    LexicalRecord,
    SelfQuery,
    check_files,
    fingerprint_of,
    hash_file,
    load_index_manifest,
    save_index_manifest,
)
from index.mentions import write_mentions
from index.progress import BuildStage, IndexProgress, Report, ignore_progress
from index.self_query import query_itself
from index.sync import sync_tree
from index.unread import named_languages
from index.update_lexical import LexicalUpdate, old_lexical, term_versions, update_lexical
from index.write_vectors import write_vectors

SHARD_TEXTS = 512
"""Texts embedded between two writes to disk: what a kill may lose, about 15 s of work."""


def build_index(
    build_folder: Path,
    *,
    encoders: Sequence[EncoderCard],
    config: IndexConfig | None = None,
    progress: Callable[[IndexProgress], None] | None = None,
    shard_texts: int = SHARD_TEXTS,
) -> IndexManifest:
    """The manifest of the index of ``build_folder/ingest``, built now if it is not current.

    Without encoders only the lexical leg is built. The first encoder is the preferred one. Without
    ``config`` the defaults hold, with what the corpus' ``corpus.toml`` says under ``[search]``.

    Raises:
        IndexingError: the documents are not ingested, an encoder's name is unfit or doubled,
            ``[search]`` has an unknown key or a value out of range, or the disk is full; the
            generation in use stays as it was.
        EmptyIndex: there is no chunk.
        EncoderOverflow: an encoder would cut a chunk.
        IndexBusy: another process is building.
    """
    _check_names(encoders)
    ingest = read_manifest(build_folder / "ingest")
    if ingest is None:
        message = f"{str(build_folder / 'ingest')!r} has no finished ingestion; run `make ingest`"
        raise IndexingError(message)
    config = config or _config_of_corpus(ingest.get("search", {}))
    hashes = {card.name: card.sha256 for card in encoders}
    fingerprint = fingerprint_of(str(ingest["fingerprint"]), config, hashes)
    generations = Generations(build_folder / "index")
    current = _up_to_date(generations, fingerprint)
    if current is not None:
        return current
    try:
        with generations.building():
            current = _up_to_date(generations, fingerprint)  # the other builder may have done it
            if current is not None:
                return current
            build = _Build(
                build_folder=build_folder,
                encoders=encoders,
                config=config,
                report=progress or ignore_progress,
                shard_texts=shard_texts,
            )
            return build.run(str(ingest["fingerprint"]), fingerprint)
    except OSError as error:
        message = f"cannot write {str(build_folder / 'index')!r}: {error.strerror or error}"
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            message += "; free space and run `make index` again, the old index is untouched"
        raise IndexingError(message) from error


class _Build:
    """One build, under the lock."""

    def __init__(
        self,
        *,
        build_folder: Path,
        encoders: Sequence[EncoderCard],
        config: IndexConfig,
        report: Report,
        shard_texts: int,
    ) -> None:
        self._ingest = build_folder / "ingest"
        self._generations = Generations(build_folder / "index")
        self._encoders = encoders
        self._config = config
        self._report = report
        self._shard_texts = shard_texts

    def run(self, ingest_fingerprint: str, fingerprint: str) -> IndexManifest:
        """Write the next generation and make it the current one."""
        begun = time.monotonic()
        number, folder = self._generations.begin()
        try:
            stored = IndexedChunks(self._ingest)
            # Embedding sorts all texts by length, so with an encoder they are read once and kept.
            kept = list(stored) if self._encoders else []
            chunks = kept or stored
            table = self._write_table(folder / "chunks", chunks)
            analyzer = choose_analyzer(table.languages, named=named_languages(self._ingest))
            lexical = self._write_lexical(folder, chunks, analyzer, table)
            names = self._write_mentions(folder, chunks, table)
            dense = [
                write_vectors(
                    folder / "dense" / card.name,
                    card=card,
                    chunks=kept,
                    generations=self._generations,
                    config=self._config,
                    shard_texts=self._shard_texts,
                    report=self._report,
                )
                for card in self._encoders
            ]
            for record in dense:
                _seal_leg(folder / "dense" / record.name, table)
            self._tell("checking", table.chunks, table.chunks)
            manifest = IndexManifest(
                generation=number,
                ingest_fingerprint=ingest_fingerprint,
                fingerprint=fingerprint,
                config=self._config,
                counts=IndexCounts(documents=table.documents, chunks=table.chunks),
                written=table.chunks,
                languages=tuple(table.languages),
                chunk_ids_sha256=table.chunk_ids_sha256,
                lexical=LexicalRecord(
                    backend=self._config.backend,
                    variant=self._config.variant,
                    k1=self._config.k1,
                    b=self._config.b,
                    analyzer=analyzer,
                    count=table.chunks,
                    analysed=lexical.analysed,
                    reused=lexical.reused,
                ),
                names=names,
                dense=tuple(dense),
                self_query=self._query_itself(folder, analyzer),
                files={
                    str(path.relative_to(folder)): hash_file(path)
                    for path in sorted(folder.rglob("*"))
                    if path.is_file()
                },
                versions=_versions(),
                seconds=round(time.monotonic() - begun, 3),
            )
            sync_tree(folder)
            save_index_manifest(folder, manifest)
        except BaseException:
            shutil.rmtree(folder)  # also when interrupted; only a kill leaves it to the next build
            raise
        self._generations.publish(number)
        shutil.rmtree(self._generations.partial, ignore_errors=True)
        return manifest

    def _write_table(self, folder: Path, chunks: Iterable[IndexedChunk]) -> WrittenChunks:
        writer = ChunkTableWriter(folder)
        done = 0
        for done, indexed in enumerate(chunks, start=1):
            writer.add(indexed)
            if done % 1000 == 0:
                self._tell("reading", done, done)
        if not done:
            message = (
                f"{str(self._ingest)!r} holds no chunk, so there is nothing to index;"
                " `deepsearch ingest` lists why each file gave no text"
            )
            raise EmptyIndex(message)
        self._tell("reading", done, done)
        return writer.finish()

    def _write_lexical(
        self,
        folder: Path,
        chunks: Iterable[IndexedChunk],
        analyzer: Analyzer,
        table: WrittenChunks,
    ) -> LexicalUpdate:
        update = update_lexical(
            folder / "lexical",
            chunks,
            terms_keys=ChunkTable(folder / "chunks").terms_keys,
            analyzer=analyzer,
            old=old_lexical(self._generations, analyzer, term_versions()),
            report=self._report,
        )
        _seal_leg(folder / "lexical", table)
        return update

    def _write_mentions(
        self, folder: Path, chunks: Iterable[IndexedChunk], table: WrittenChunks
    ) -> int:
        document_of = ChunkTable(folder / "chunks").document_of
        written = write_mentions(folder / "mentions", chunks, document_of)
        self._tell("names", table.chunks, table.chunks)
        return written

    def _query_itself(self, folder: Path, analyzer: Analyzer) -> SelfQuery:
        store = DocumentStore(self._ingest)
        try:
            lexical = LexicalIndex(folder / "lexical", analyzer=analyzer, config=self._config)
            return query_itself(lexical, ChunkTable(folder / "chunks"), store)
        finally:
            store.close()

    def _tell(self, stage: BuildStage, done: int, total: int) -> None:
        self._report(IndexProgress(stage=stage, done=done, total=total))


def _up_to_date(generations: Generations, fingerprint: str) -> IndexManifest | None:
    """The current manifest, marked as nothing written, if it is whole and of this fingerprint."""
    try:
        folder = generations.path(generations.current())
        manifest = load_index_manifest(folder)
        if manifest.fingerprint != fingerprint:
            return None
        check_files(folder, manifest)
    except (IndexMissing, IndexCorrupt):
        return None
    return manifest.model_copy(update={"written": 0})


def _seal_leg(folder: Path, table: WrittenChunks) -> None:
    """Leave in a leg's folder which chunks it was made from, in which order."""
    write_manifest(folder, {"count": table.chunks, "chunk_ids_sha256": table.chunk_ids_sha256})


def _config_of_corpus(settings: dict[str, object]) -> IndexConfig:
    try:
        return IndexConfig.model_validate(settings)
    except ValidationError as error:
        known = ", ".join(IndexConfig.model_fields)
        message = f"corpus.toml: [search] {first_fault(error)}; keys are {known}"
        raise IndexingError(message) from error


def _check_names(encoders: Sequence[EncoderCard]) -> None:
    names = [card.name for card in encoders]
    for name in names:
        if not re.fullmatch(r"[A-Za-z0-9][\w.-]*", name) or names.count(name) > 1:
            message = (
                f"encoder name {name!r} cannot name a folder of its own;"
                " names are unique and made of letters, digits, '.', '_' and '-'"
            )
            raise IndexingError(message)


def _versions() -> dict[str, str]:
    import faiss

    return {**term_versions(), "numpy": np.__version__, "faiss": faiss.__version__}
