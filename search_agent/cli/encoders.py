"""Which encoders: named on the command line, needed by a corpus, or those an index was built with.

A corpus is always embedded by the encoder that its chunks were cut for. Where that one does not
read all of its languages, or ``corpus.toml`` says ``cross_lingual``, every chunk is also embedded
by the multilingual one.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from corpora.errors import CorpusNotFound
from corpora.manifest import read_manifest
from search_agent.cli.build_layout import CorpusBuild, builds_in
from search_agent.cli.options import DEFAULT_MODELS_FOLDER

if TYPE_CHECKING:
    from corpora.encoder_card import EncoderCard
    from index.hybrid import HybridSearcher

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
    """Names of the encoders that the corpus' index has vectors of; none where no index can be read,
    which the next build replaces.
    """
    from index.errors import IndexCorrupt, IndexMissing
    from index.generations import Generations
    from index.manifest import load_index_manifest

    generations = Generations(build.index)
    try:
        manifest = load_index_manifest(generations.path(generations.current()))
    except (IndexMissing, IndexCorrupt):
        return ()
    return tuple(record.name for record in manifest.dense)


def encoders_of_build(
    build: CorpusBuild,
    names: Sequence[str] = (),
    *,
    tell: Callable[[str], None],
    models_folder: Path = DEFAULT_MODELS_FOLDER,
) -> "tuple[EncoderCard, ...]":
    """The encoders to build a corpus' index with; ``names``, where given, are taken as they are.

    A multilingual encoder that the corpus needs and that is not on this machine is told of, and
    the index is built without it.

    Raises:
        CorpusNotFound: the corpus has not been ingested.
        ModelUnavailable: a named encoder, or the one the chunks were cut for, is not here.
    """
    if names:
        return tuple(encoder_of_name(name, models_folder) for name in names)
    first = encoder_of_name(encoder_of_ingest(build), models_folder)
    return with_second_encoder(first, build.ingest, tell=tell, models_folder=models_folder)


def with_second_encoder(
    first: "EncoderCard",
    ingest_folder: Path,
    *,
    tell: Callable[[str], None],
    models_folder: Path = DEFAULT_MODELS_FOLDER,
) -> "tuple[EncoderCard, ...]":
    """``first``, and the multilingual encoder behind it where the corpus needs it."""
    from index.unread import unread_by
    from search_agent.model.registry import SECOND_ENCODER, is_present, read_registry

    if first.kind == HASH_ENCODER or first.name == SECOND_ENCODER:  # `hash` does without models
        return (first,)
    unread = unread_by(first, ingest_folder)
    known = read_registry()[SECOND_ENCODER].languages
    readable = [language for language in unread.languages if language in known]
    if not readable and not unread.cross_lingual:
        return (first,)
    reason = (
        f"the corpus holds {', '.join(readable)}, which {first.name} does not read"
        if readable
        else "the corpus is to be asked in other languages than its own"
    )
    if not is_present(SECOND_ENCODER, models_folder):
        tell(
            f"{reason}: such text is found by its words alone until you run"
            f" `deepsearch models fetch {SECOND_ENCODER}` and build the index again"
        )
        return (first,)
    tell(f"{reason}: every chunk is embedded by {SECOND_ENCODER} too")
    return first, encoder_of_name(SECOND_ENCODER, models_folder)


def open_searcher(build: CorpusBuild, *, admit_stale: bool = False) -> "HybridSearcher":
    """The corpus' index, opened with the encoders its manifest names.

    ``admit_stale`` as in ``open_index``.

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
    return open_index(build.folder, encoders=encoders, admit_stale=admit_stale)
