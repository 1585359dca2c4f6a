"""Which encoder: a name from the command line, or those an index was built with."""

from pathlib import Path
from typing import TYPE_CHECKING

from corpora.errors import CorpusNotFound
from corpora.manifest import read_manifest
from search_agent.cli.build_layout import CorpusBuild, builds_in
from search_agent.cli.options import DEFAULT_MODELS_FOLDER

if TYPE_CHECKING:
    from corpora.encoder_card import EncoderCard
    from index.searcher import Searcher

HASH_ENCODER = "hash"


def encoder_of_name(name: str, models_folder: Path = DEFAULT_MODELS_FOLDER) -> "EncoderCard":
    """The card of a registered encoder, or of the test encoder that needs no files.

    Raises:
        ModelUnavailable: not registered, or its folder is absent.
    """
    if name == HASH_ENCODER:
        from index import hash_card

        return hash_card()
    from search_agent.model.registry import encoder_card

    return encoder_card(name, models_folder)


def encoder_of_ingest(build: CorpusBuild) -> str:
    """Name of the encoder whose tokenizer cut the corpus' chunks.

    Raises:
        CorpusNotFound: the corpus has not been ingested.
    """
    manifest = read_manifest(build.ingest)
    if manifest is None:
        message = f"corpus {build.name!r} is not ingested; run `deepsearch ingest {build.name}`"
        raise CorpusNotFound(message)
    return str(manifest["encoder"])


def encoders_of_index(build: CorpusBuild) -> tuple[str, ...]:
    """Names of the encoders that the corpus' index has vectors of; none where there is no index.

    Raises:
        IndexingError: the index is damaged.
    """
    from index.errors import IndexMissing
    from index.generations import Generations
    from index.manifest import load_index_manifest

    generations = Generations(build.index)
    try:
        folder = generations.path(generations.current())
    except IndexMissing:
        return ()
    return tuple(record.name for record in load_index_manifest(folder).dense)


def open_searcher(build: CorpusBuild) -> "Searcher":
    """The corpus' index, opened with the encoders its manifest names.

    Raises:
        IndexingError: nothing built, stale, damaged.
        ModelUnavailable: an encoder of the index is not on this machine.
    """
    from index import open_index
    from index.generations import Generations
    from index.manifest import load_index_manifest

    if not build.ingest.is_dir():
        known = ", ".join(known.name for known in builds_in(build.build_folder)) or "none"
        message = (
            f"corpus {build.name!r} is not ingested (ingested here: {known});"
            f" run `deepsearch ingest … --corpus {build.name}` and `deepsearch index build`"
        )
        raise CorpusNotFound(message)
    generations = Generations(build.index)
    manifest = load_index_manifest(generations.path(generations.current()))
    encoders = tuple(encoder_of_name(record.name) for record in manifest.dense)
    return open_index(build.folder, encoders=encoders)
