"""Target: one binary file of the demo corpus, as ``demo_sources/targets.toml`` describes it.

Why not front matter in each source: the source's text is the document's text, and tests look for
gold quotes in it.
"""

import datetime
import tomllib
from pathlib import Path, PurePosixPath
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from corpora.errors import MalformedRecord
from corpora.first_fault import first_fault

SOURCES = Path(__file__).parents[1] / "demo_sources"
TARGETS_FILE = "targets.toml"


class Target(BaseModel):
    """A file to make, and what its properties say of it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: PurePosixPath
    """Below the corpus folder; the suffix names the format."""
    source: str = Field(pattern=r"^[\w-]+\.md$")
    """File beside ``targets.toml``."""
    written: datetime.date
    author: str = Field(min_length=1)
    language: Literal["de", "en", "zh"]
    layout: Literal["plain", "two-column", "scanned"] = "plain"
    """Of a PDF."""

    @property
    def time(self) -> datetime.datetime:
        """Noon of the day, UTC, without a zone, as the writing libraries want it."""
        return datetime.datetime.combine(self.written, datetime.time(12))

    @field_validator("path")
    @classmethod
    def _stay_below_the_corpus(cls, path: PurePosixPath) -> PurePosixPath:
        if path.is_absolute() or ".." in path.parts:
            message = f"{str(path)!r} leaves the corpus folder; write it relative, without '..'"
            raise ValueError(message)
        return path

    @model_validator(mode="after")
    def _a_pdf_has_layouts_but_no_chinese_font(self) -> Self:
        is_pdf = self.path.suffix == ".pdf"
        if self.layout != "plain" and not is_pdf:
            message = f"layout {self.layout!r} is for .pdf files; leave it out"
            raise ValueError(message)
        if self.language == "zh" and is_pdf:
            message = "no Chinese font is bundled; make it .docx, .pptx or .xlsx"
            raise ValueError(message)
        return self


def load_targets(sources: Path = SOURCES) -> dict[str, Target]:
    """Path in the corpus → target, in the order of ``targets.toml``.

    Raises:
        MalformedRecord: the file is no TOML, or an entry has an unknown key or a wrong value.
    """
    file = sources / TARGETS_FILE
    try:
        entries = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        message = f"{file.name!r} is no TOML: {error}"
        raise MalformedRecord(message) from error
    targets = {}
    for path, entry in entries.items():
        try:
            targets[path] = Target.model_validate({"path": path} | entry)
        except (ValidationError, TypeError) as error:
            raise MalformedRecord(_explain(path, error)) from error
    return targets


def _explain(path: str, error: ValidationError | TypeError) -> str:
    fault = first_fault(error) if isinstance(error, ValidationError) else "expected a table"
    allowed = ", ".join(key for key in Target.model_fields if key != "path")
    return f"{TARGETS_FILE!r}: [{path!r}]: {fault}; allowed keys are {allowed}"
