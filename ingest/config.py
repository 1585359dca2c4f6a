"""IngestConfig: what may be set about reading and chunking; written into the manifest."""

from pydantic import BaseModel, ConfigDict, Field


class IngestConfig(BaseModel):
    """Limits of reading and the sizes of chunks."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    max_file_bytes: int = Field(default=256 * 2**20, gt=0)
    """Larger files are ``refused`` unread."""
    max_text_chars: int = Field(default=50_000_000, gt=0)
    """A file whose canonical text would be longer is ``refused``."""
    max_cells: int = Field(default=5_000_000, gt=0)
    """A sheet that declares more cells is ``refused`` (some files declare the whole grid)."""
    max_zip_entries: int = Field(default=10_000, gt=0)
    """Members allowed in one zip container."""
    max_zip_bytes: int = Field(default=2**30, gt=0)
    """Inflated size allowed for all members of one container together."""
    max_zip_ratio: int = Field(default=200, gt=0)
    """Inflated over packed size allowed for one member larger than 10 MB."""
    chunk_tokens: int = Field(default=0, ge=0)
    """Tokens of text in one chunk at most; 0: all that the encoder reads besides the header."""
    header_tokens: int = Field(default=32, ge=0)
    """Tokens of ``title > heading path`` at most; 0: no header."""
    overlap_sentences: int = Field(default=1, ge=0, le=1)
    """Sentences a chunk repeats from the one before it, inside a section; 0: none."""
    ocr_languages: tuple[str, ...] = ()
    """Languages of scans, as ISO 639-1 codes or tesseract's own; empty: those of the corpus."""
    ocr_page_seconds: int = Field(default=120, ge=0)
    """Recognition of one page is stopped after these; 0: no OCR."""
    rehash: bool = False
    """Hash every file again, even where size, time and inode are unchanged."""
    retry_problems: bool = False
    """Read again the unchanged files that failed before."""
