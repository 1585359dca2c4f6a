"""What an encoder would leave unread of a corpus: the reason for another one beside it."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpora.encoder_card import EncoderCard
from corpora.manifest import read_manifest
from index.analyzer import choose_analyzer
from index.catalogue import Catalogue
from index.errors import IndexingError


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """What lies beyond one encoder."""

    languages: tuple[str, ...]
    """Languages of the corpus that the encoder does not name."""
    cross_lingual: bool
    """``corpus.toml`` asks for questions in other languages than the documents'."""


def unread_by(card: EncoderCard, ingest_folder: Path) -> Unread:
    """What ``card`` alone would miss of an ingested corpus.

    Raises:
        IndexingError: nothing is ingested there.
    """
    languages = languages_of_corpus(ingest_folder)
    return Unread(
        languages=tuple(name for name in languages if name not in card.languages),
        cross_lingual=bool(_manifest(ingest_folder).get("cross_lingual", False)),
    )


def languages_of_corpus(ingest_folder: Path) -> tuple[str, ...]:
    """Languages that its chunks are analysed in, then others that ``corpus.toml`` names.

    Raises:
        IndexingError: nothing is ingested there.
    """
    named = named_languages(ingest_folder)
    catalogue = Catalogue(ingest_folder)
    try:
        counts = Counter(catalogue.chunk_languages())
    finally:
        catalogue.close()
    return tuple(dict.fromkeys((*choose_analyzer(counts, named=named).languages, *named)))


def named_languages(ingest_folder: Path) -> tuple[str, ...]:
    """Languages that ``corpus.toml`` says the corpus holds."""
    return tuple(_manifest(ingest_folder).get("languages", ()))  # earlier versions noted none


def _manifest(ingest_folder: Path) -> dict[str, Any]:
    manifest = read_manifest(ingest_folder)
    if manifest is None:
        message = f"{str(ingest_folder)!r} has no finished ingestion; run `make ingest`"
        raise IndexingError(message)
    return manifest
