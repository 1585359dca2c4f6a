"""A dataset's index made ready to rank its documents: ingested, built, opened."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from search_agent.cli.build_layout import CorpusBuild, remember_source
from search_agent.cli.encoders import (
    encoder_of_name,
    encoders_of_index,
    with_second_encoder,
)
from search_agent.cli.index_commands import index_teller
from search_agent.cli.ingest_command import ingest_teller
from search_agent.cli.options import DEFAULT_ENCODER
from search_agent.cli.progress import Progress
from search_agent.cli.settings import validate_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from index import HybridSearcher, IndexConfig, IndexManifest
    from search_agent.bench.prepare import Dataset
    from search_agent.bench.rank_topics import RankProgress


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedIndex:
    """An open index that can rank whole documents."""

    searcher: "HybridSearcher"
    manifest: "IndexManifest"
    config: "IndexConfig"
    """Of the search: the stored one with the settings on top."""
    folder: Path


@contextmanager
def open_ranked_index(
    dataset: "Dataset",
    *,
    build_folder: Path,
    encoders: "Sequence[str] | None",
    settings: "Mapping[str, object]",
    progress: Progress,
) -> Iterator[RankedIndex]:
    """The dataset's index, ingested and built where it is not fresh; closed at the end.

    ``encoders`` join those that the index has already, whose vectors must not be lost; the first is
    the one whose tokens chunks are measured in. None: those that the corpus needs.

    Raises:
        ConfigError: a setting is unknown or out of range.
    """
    from index import IndexConfig, build_index, open_index, write_document_postings
    from search_agent.bench.prepare import ingest_dataset

    build = CorpusBuild(build_folder=build_folder, name=f"bench-{dataset.name}")
    first = encoder_of_name(encoders[0] if encoders else DEFAULT_ENCODER)
    ingest_dataset(
        dataset,
        build.folder,
        encoder=first,
        on_ingest=ingest_teller(progress),
    )
    remember_source(build, dataset.card.root)
    if encoders is None:
        cards = with_second_encoder(first, build.ingest, tell=progress.line)
    else:
        cards = tuple(map(encoder_of_name, encoders))
    built = [encoder_of_name(name) for name in encoders_of_index(build)]
    cards = tuple({card.name: card for card in (*built, *cards)}.values())
    manifest = build_index(build.folder, encoders=cards, progress=index_teller(progress))
    write_document_postings(build.folder)
    config = validate_settings(IndexConfig, {**manifest.config.model_dump(), **settings})
    searcher = open_index(build.folder, encoders=cards, config=config)
    try:
        yield RankedIndex(searcher=searcher, manifest=manifest, config=config, folder=build.folder)
    finally:
        searcher.close()


def rank_teller(progress: Progress, dataset: str) -> "Callable[[RankProgress], None]":
    """Tell how many of a dataset's queries are ranked."""

    def tell(step: "RankProgress") -> None:
        progress.count(f"{dataset} queries", step.done, step.total, step.query_id)

    return tell
