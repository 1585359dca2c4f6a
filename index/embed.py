"""Embedding that can be killed: vectors are written in shards, and known ones are never made again.

A vector is known by its key, the hash of the text it was made from and of the encoder. Known ones
come from the generation before and from the shards of a build that did not finish. Shards hold
texts of similar length, shortest first, so that batches carry little padding.
"""

import hashlib
import time
from collections.abc import Callable, Mapping
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpora.encoder_card import EncoderCard
from index.array_file import load_array, save_array
from index.encoder import Encoder, load_encoder
from index.errors import EncoderOverflow, IndexCorrupt
from index.progress import IndexProgress, Report
from index.sync import sync_path

KEY_BYTES = 32
_PROBE_TEXTS = 16
"""Texts of all lengths embedded once more, to tell the cost of a long build before it begins."""


class Embedded(NamedTuple):
    """Vectors by key, and how many of them were made just now."""

    vectors: dict[bytes, NDArray[np.float32]]
    embedded: int


def vector_key(card: EncoderCard, text: str) -> bytes:
    """SHA-256 over the encoder's hash, its prefix and the text."""
    return hashlib.sha256(f"{card.sha256}\0{card.passage_prefix}{text}".encode()).digest()


def embed_texts(
    card: EncoderCard,
    texts: Mapping[bytes, str],
    *,
    known: Mapping[bytes, NDArray[np.float32]],
    shards: Path,
    shard_texts: int,
    report: Report,
    chunk_name: Callable[[bytes], str],
) -> Embedded:
    """The vector of every text, keyed as ``texts`` is; a model with nothing to do is not loaded.

    Raises:
        EncoderOverflow: a text is longer than the encoder reads; raised before any is embedded.
    """
    shards.mkdir(parents=True, exist_ok=True, mode=0o700)
    vectors = {key: known[key] for key in texts if key in known}
    for key, vector in _read_shards(shards, card.dimension):
        if key in texts:
            vectors.setdefault(key, vector)
    missing = sorted(texts.keys() - vectors.keys(), key=lambda key: (len(texts[key]), key))
    if not missing:
        return Embedded(vectors, 0)
    encoder = load_encoder(card)
    overlong = encoder.overlong([texts[key] for key in missing])
    if overlong is not None:
        position, n_tokens = overlong
        message = (
            f"chunk {chunk_name(missing[position])!r} has {n_tokens} tokens for encoder"
            f" {card.name!r}, which reads {card.max_tokens};"
            " run `deepsearch ingest --rechunk` with this encoder"
        )
        raise EncoderOverflow(message)
    clock = _Clock(encoder, [len(texts[key]) for key in missing], report)
    if len(missing) > shard_texts:
        clock.predict([texts[key] for key in missing[:: -(-len(missing) // _PROBE_TEXTS)]])
    n_shards = len(list(shards.glob("*.npy")))
    for start in range(0, len(missing), shard_texts):
        keys = missing[start : start + shard_texts]
        made = encoder.encode_passages([texts[key] for key in keys])
        _write_shard(shards / f"{n_shards:06d}.npy", keys, made)
        n_shards += 1
        vectors.update(zip(keys, made, strict=True))
        clock.tell(start + len(keys))
    return Embedded(vectors, len(missing))


class _Clock:
    """Tells how far the embedding is, reckoned by characters, since the longest texts come last."""

    def __init__(self, encoder: Encoder, lengths: list[int], report: Report) -> None:
        self._encoder = encoder
        self._characters = [0, *accumulate(length + 1 for length in lengths)]
        self._report = report
        self._begun = time.monotonic()

    def predict(self, probe: list[str]) -> None:
        """Tell the cost of it all before any of it is done, from a sample that is embedded."""
        self._encoder.encode_passages(probe[:1])  # the first call also sets up what others share
        begun = time.monotonic()
        self._encoder.encode_passages(probe)
        seconds_per_character = (time.monotonic() - begun) / sum(len(text) + 1 for text in probe)
        total = seconds_per_character * self._characters[-1]
        self._tell(0, rate=(len(self._characters) - 1) / max(total, 1e-9), eta_s=total)
        self._begun = time.monotonic()

    def tell(self, done: int) -> None:
        """``done`` texts have their vectors."""
        seconds = max(time.monotonic() - self._begun, 1e-9)
        share_left = self._characters[-1] / self._characters[done] - 1
        self._tell(done, rate=done / seconds, eta_s=seconds * share_left)

    def _tell(self, done: int, *, rate: float, eta_s: float) -> None:
        self._report(
            IndexProgress(
                stage="embedding",
                done=done,
                total=len(self._characters) - 1,
                encoder=self._encoder.card.name,
                rate_per_s=rate,
                eta_s=eta_s,
            )
        )


def _write_shard(path: Path, keys: list[bytes], vectors: NDArray[np.float32]) -> None:
    """Keys and vectors side by side in one file, so that they are there together or not at all."""
    key_bytes = np.frombuffer(b"".join(keys), dtype=np.uint8).reshape(-1, KEY_BYTES)
    temporary = path.with_suffix(".tmp")
    save_array(temporary, np.hstack((key_bytes, vectors.view(np.uint8))))
    sync_path(temporary)  # shards have no manifest: the name alone says that the bytes are there
    temporary.replace(path)


def _read_shards(folder: Path, dimension: int) -> list[tuple[bytes, NDArray[np.float32]]]:
    found: list[tuple[bytes, NDArray[np.float32]]] = []
    for path in sorted(folder.glob("*.npy")):
        try:
            rows = load_array(path, dtype=np.uint8)
        except IndexCorrupt:
            path.unlink()  # only a cache: what it held is embedded again
            continue
        if rows.shape[1] != KEY_BYTES + 4 * dimension:
            continue
        vectors = np.ascontiguousarray(rows[:, KEY_BYTES:]).view(np.float32)
        found += zip((row[:KEY_BYTES].tobytes() for row in rows), vectors, strict=True)
    return found
