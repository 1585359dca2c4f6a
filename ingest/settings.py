"""Settings: what of card and configuration shapes every file's rows, kept in the store.

Not in the manifest, which a killed ingest does not write: what vouches for rows lies beside them.
"""

from typing import NamedTuple

from corpora.card import CorpusCard
from ingest.config import IngestConfig
from ingest.digest import digest_of


class Settings(NamedTuple):
    """Digests; all empty: not known, as of a store whose last ingest did not end."""

    languages: str = ""
    """Of those expected: they decide a text's language, and so its sentences."""
    ocr_languages: str = ""
    """Of those that scans are read in."""
    exclude: str = ""
    """Of the globs that members of containers were passed over by, without a row."""


def settings_of(card: CorpusCard, config: IngestConfig) -> Settings:
    """The settings of an ingest."""
    return Settings(
        languages=digest_of(card.languages),
        ocr_languages=digest_of(config.ocr_languages or card.languages),
        exclude=digest_of(card.exclude),
    )
