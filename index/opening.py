"""Opening an index: every check that must pass before it may answer."""

from collections.abc import Sequence
from pathlib import Path

from corpora.encoder_card import EncoderCard
from corpora.manifest import read_manifest
from corpora.store import DocumentStore
from index.catalogue import Catalogue
from index.chunk_table import ChunkTable
from index.config import IndexConfig
from index.dense import DenseIndex
from index.document_postings import open_document_postings
from index.errors import EmbedderMismatch, EmptyIndex, IndexCorrupt, IndexStale
from index.generations import Generations
from index.hybrid import HybridSearcher
from index.lexical import LexicalIndex
from index.manifest import (
    DenseRecord,
    IndexManifest,
    check_files,
    fingerprint_of,
    load_index_manifest,
)
from index.mentions import Mentions


def open_index(
    build_folder: Path,
    *,
    encoders: Sequence[EncoderCard] = (),
    config: IndexConfig | None = None,
    admit_stale: bool = False,
) -> HybridSearcher:
    """A searcher over the current generation; nothing is written, files are memory-mapped.

    Without ``encoders`` only the lexical leg answers. ``config`` replaces the stored settings; the
    searcher's fingerprint is then that of the settings given. Those of the dense leg's recall acted
    at the build and have no effect here.

    With ``admit_stale`` an index that other documents have been ingested after answers all the
    same, as of its own (the store keeps them), and its ``is_stale`` says so.

    Raises:
        IndexMissing, IndexStale, IndexCorrupt, EmptyIndex, EmbedderMismatch: see ``errors.py``.
    """
    generations = Generations(build_folder / "index")
    folder = generations.path(generations.current())
    manifest = load_index_manifest(folder)
    is_stale = not _is_fresh(build_folder, manifest)
    if is_stale and not admit_stale:
        message = (
            f"the index of {build_folder.name!r} is not of the documents now ingested;"
            " run `make index`"
        )
        raise IndexStale(message)
    check_files(folder, manifest)
    if manifest.counts.chunks == 0:
        message = f"the index of {build_folder.name!r} holds no chunk; ingest documents first"
        raise EmptyIndex(message)
    settings = config or manifest.config
    lexical = LexicalIndex(folder / "lexical", analyzer=manifest.lexical.analyzer, config=settings)
    table = ChunkTable(folder / "chunks")
    _check_leg(folder / "lexical", manifest, "lexical", lexical.n_chunks, len(table))
    dense: list[DenseIndex] = []
    for record in manifest.dense:
        card = next((card for card in encoders if card.name == record.name), None)
        if card is not None:
            _check_encoder(card, record)
            compared = None if record.search.index_type == "flat" else record.search.compared
            leg = DenseIndex(folder / "dense" / record.name, card, compared=compared)
            _check_leg(
                folder / "dense" / record.name, manifest, record.name, leg.n_chunks, len(table)
            )
            dense.append(leg)
    _check_all_known(encoders, manifest)
    hashes = {record.name: record.sha256 for record in manifest.dense}
    return HybridSearcher(
        corpus=build_folder.name,
        fingerprint=fingerprint_of(manifest.ingest_fingerprint, settings, hashes),
        store=DocumentStore(build_folder / "ingest"),
        catalogue=Catalogue(build_folder / "ingest"),
        table=table,
        lexical=lexical,
        dense=dense,
        mentions=Mentions(folder / "mentions"),
        documents=open_document_postings(build_folder, manifest, settings),
        config=settings,
        is_stale=is_stale,
    )


def _is_fresh(build_folder: Path, manifest: IndexManifest) -> bool:
    ingest = read_manifest(build_folder / "ingest")
    return ingest is not None and ingest.get("fingerprint") == manifest.ingest_fingerprint


def _check_leg(
    folder: Path, manifest: IndexManifest, leg: str, n_in_leg: int, n_in_table: int
) -> None:
    """The leg holds the same chunks in the same order as the table, or ids would shift."""
    sealed = read_manifest(folder) or {}
    counts = {manifest.counts.chunks, n_in_table, n_in_leg, sealed.get("count")}
    if len(counts) != 1 or sealed.get("chunk_ids_sha256") != manifest.chunk_ids_sha256:
        message = (
            f"leg {leg!r} holds {n_in_leg} chunks, the index {n_in_table}, or not the same ones;"
            " run `make index`"
        )
        raise IndexCorrupt(message)


def _check_encoder(card: EncoderCard, record: DenseRecord) -> None:
    if (card.sha256, card.dimension) != (record.sha256, record.dimension):
        message = (
            f"encoder {card.name!r} has sha256 {card.sha256[:12]} and {card.dimension} dimensions,"
            f" the index was built with {record.sha256[:12]} and {record.dimension};"
            " restore that model or run `make index`"
        )
        raise EmbedderMismatch(message)


def _check_all_known(encoders: Sequence[EncoderCard], manifest: IndexManifest) -> None:
    built = [record.name for record in manifest.dense]
    for card in encoders:
        if card.name not in built:
            message = (
                f"the index has no vectors of encoder {card.name!r}, only of {built};"
                " run `make index` with it"
            )
            raise EmbedderMismatch(message)
