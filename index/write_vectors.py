"""One encoder's part of a build: the chunks' vectors, old ones reused, written as a dense leg."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpora.encoder_card import EncoderCard
from index.chunk_table import IndexedChunk
from index.dense import INDEX_TYPE, stored_vectors, write_dense
from index.embed import embed_texts, vector_key
from index.errors import IndexCorrupt, IndexMissing
from index.generations import Generations
from index.manifest import DenseRecord, check_files, load_index_manifest
from index.progress import Report


def write_vectors(
    folder: Path,
    *,
    card: EncoderCard,
    chunks: list[IndexedChunk],
    generations: Generations,
    shard_texts: int,
    report: Report,
) -> DenseRecord:
    """Write the leg for ``chunks`` in their order; equal texts are embedded once.

    Raises:
        EncoderOverflow: the encoder would cut a chunk.
    """
    keys = [vector_key(card, indexed.indexed_text) for indexed in chunks]
    texts = {key: indexed.indexed_text for key, indexed in zip(keys, chunks, strict=True)}
    vectors, embedded = embed_texts(
        card,
        texts,
        known=_known_vectors(generations, card),
        shards=generations.partial / f"{card.name}-{card.sha256[:16]}",
        shard_texts=shard_texts,
        report=report,
        chunk_name=lambda key: chunks[keys.index(key)].chunk.chunk_id,
    )
    matrix = np.empty((len(keys), card.dimension), dtype=np.float32)
    for row, key in enumerate(keys):
        matrix[row] = vectors[key]
    write_dense(folder, keys=keys, vectors=matrix)
    return DenseRecord(
        name=card.name,
        sha256=card.sha256,
        dimension=card.dimension,
        count=len(keys),
        index_type=INDEX_TYPE,
        languages=card.languages,
        embedded=embedded,
        reused=len(texts) - embedded,
    )


def _known_vectors(generations: Generations, card: EncoderCard) -> dict[bytes, NDArray[np.float32]]:
    """Vectors of the generation in use, if the same encoder made them and its files are whole."""
    try:
        folder = generations.path(generations.current())
        manifest = load_index_manifest(folder)
        made_with = {(record.name, record.sha256) for record in manifest.dense}
        if (card.name, card.sha256) not in made_with:
            return {}
        check_files(folder, manifest)
        return dict(stored_vectors(folder / "dense" / card.name))
    except (IndexMissing, IndexCorrupt):
        return {}  # everything is embedded anew
