"""Options that several commands share, so that they read and behave alike everywhere."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from corpora.card import find_corpus
from search_agent.cli.build_layout import RUN_ID

DEFAULT_CORPUS = "demo"
DEFAULT_ENCODER = "all-MiniLM-L6-v2"
DEFAULT_PROFILE = "standard"
DEFAULT_BUILD_FOLDER = Path("build")
DEFAULT_MODELS_FOLDER = Path("models")

JsonFlag = Annotated[bool, typer.Option("--json", help="Print exactly one JSON object on stdout.")]
QuietFlag = Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")]
BuildFolder = Annotated[
    Path, typer.Option("--build-folder", help="Where ingested documents, indexes and runs lie.")
]
ModelsFolder = Annotated[
    Path, typer.Option("--models-folder", help="Where model files and models.toml lie.")
]


def build_name(value: str) -> str:
    """The build that ``--corpus`` names: itself, or that of the folder it points to.

    Raises:
        CorpusNotFound: neither a name nor a folder.
    """
    return value if RUN_ID.fullmatch(value) else find_corpus(value).name


CorpusOption = Annotated[
    str,
    typer.Option(
        "--corpus",
        help="A shipped corpus, a folder that was ingested, or the name ingest was told.",
        callback=build_name,
    ),
]
EncoderOption = Annotated[
    str,
    typer.Option(
        "--encoder", help="Registry name of the embedding model; `hash` needs no files (tests)."
    ),
]
ProfileOption = Annotated[
    str, typer.Option("--profile", help="quick, standard, thorough, reference, or a TOML file.")
]
ModelOption = Annotated[
    str, typer.Option("--model", help="Registry name or path of a GGUF file; empty: the profile's.")
]
SeedOption = Annotated[
    int, typer.Option("--seed", min=0, help="Seed of every draw and every sample.")
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Override one setting (dotted key, TOML value); repeatable.",
    ),
]


class StrategyName(StrEnum):
    """How a question is worked on."""

    STATE_SPACE = "state-space"
    REACT = "react"
    SINGLE_SHOT = "single-shot"


class ModeName(StrEnum):
    """Which legs of the index are asked."""

    HYBRID = "hybrid"
    DENSE = "dense"
    SPARSE = "sparse"


class LegName(StrEnum):
    """Which rankings of documents are measured."""

    SPARSE = "sparse"
    DENSE = "dense"
    HYBRID = "hybrid"
    BRIDGED = "bridged"
