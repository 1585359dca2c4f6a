"""One encoder's part of a build: the chunks' vectors, old ones reused, written as a dense leg."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError

from corpora.encoder_card import EncoderCard
from corpora.errors import MalformedRecord
from corpora.manifest import read_manifest
from index.arrange import arrange_vectors
from index.chunk_table import IndexedChunk
from index.config import IndexConfig
from index.dense import stored_vectors
from index.embed import KEY_BYTES, embed_texts, read_shards, vector_key
from index.encoder import load_encoder
from index.errors import IndexCorrupt, IndexMissing
from index.generations import Generations
from index.manifest import DenseRecord
from index.progress import IndexProgress, Report
from index.sample_queries import sample_queries
from index.vectors_by_key import VectorsByKey


def write_vectors(
    folder: Path,
    *,
    card: EncoderCard,
    chunks: list[IndexedChunk],
    generations: Generations,
    config: IndexConfig,
    shard_texts: int,
    report: Report,
) -> DenseRecord:
    """Write the leg for ``chunks`` in their order; equal texts are embedded once.

    Raises:
        EncoderOverflow: the encoder would cut a chunk.
    """
    encoder = cache(lambda: load_encoder(card))  # a model with nothing to do is not loaded
    keys = [vector_key(card, indexed.indexed_text) for indexed in chunks]
    key_bytes = np.frombuffer(b"".join(keys), dtype=np.uint8).reshape(-1, KEY_BYTES)
    vectors = VectorsByKey(folder, key_bytes, card.dimension)
    shards = generations.partial / f"{card.name}-{card.sha256[:16]}"
    for known in _known_vectors(generations, card):
        vectors.take(*known)
    for known in read_shards(shards, card.dimension):
        vectors.take(*known)
    missing = {keys[row]: chunks[row].indexed_text for row in vectors.missing()}
    if missing:
        embed_texts(
            encoder(),
            missing,
            shards=shards,
            shard_texts=shard_texts,
            report=report,
            chunk_name=lambda key: chunks[keys.index(key)].chunk.chunk_id,
            take=vectors.take,
        )

    def tell(done: int) -> None:
        report(IndexProgress(stage="clustering", done=done, total=len(keys), encoder=card.name))

    search = arrange_vectors(
        folder, queries=lambda: sample_queries(encoder(), chunks), config=config, tell=tell
    )
    return DenseRecord(
        name=card.name,
        sha256=card.sha256,
        dimension=card.dimension,
        count=len(keys),
        search=search,
        languages=card.languages,
        embedded=len(missing),
        reused=len(set(keys)) - len(missing),
    )


def _known_vectors(
    generations: Generations, card: EncoderCard
) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.float32]]]:
    """Keys and vectors of the generation in use, if this encoder made them and they are whole.

    Its manifest may be of another format: hours of embedding must survive a new version, and of the
    manifest only the encoder's hash and the two files' sizes are read.
    """
    try:
        folder = generations.path(generations.current())
        manifest = _OlderManifest.model_validate(read_manifest(folder))
        if not any(
            (record.name, record.sha256) == (card.name, card.sha256) for record in manifest.dense
        ):
            return
        for name in ("vectors.npy", "keys.npy"):
            path = folder / "dense" / card.name / name
            if path.stat().st_size != manifest.files[str(path.relative_to(folder))].bytes:
                return
        yield from stored_vectors(folder / "dense" / card.name)
    except (IndexMissing, IndexCorrupt, MalformedRecord, ValidationError, KeyError, OSError):
        return  # everything is embedded anew


class _Loose(BaseModel):
    model_config = ConfigDict(extra="ignore")


class _OlderLeg(_Loose):
    name: str
    sha256: str


class _OlderFile(_Loose):
    bytes: int


class _OlderManifest(_Loose):
    """What manifests of all formats say of their vectors."""

    dense: tuple[_OlderLeg, ...] = ()
    files: dict[str, _OlderFile] = {}
