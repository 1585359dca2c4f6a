"""Fixtures over a small ingest folder."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from index import HybridSearcher, build_index, hash_card, open_index
from tests.index.small_ingest import (
    CHINESE,
    HARBOUR,
    LIGHTHOUSE,
    Source,
    WriteIngest,
    write_ingest_folder,
)


@pytest.fixture
def write_ingest(tmp_path: Path) -> WriteIngest:
    """Write an ingest folder under ``build/demo`` and return ``build/demo``."""
    build_folder = tmp_path / "build" / "demo"

    def write(sources: Sequence[Source]) -> Path:
        write_ingest_folder(build_folder, sources)
        return build_folder

    return write


@pytest.fixture
def three_documents(write_ingest: WriteIngest) -> Path:
    """Two English documents, one Chinese; four chunks."""
    return write_ingest([HARBOUR, LIGHTHOUSE, CHINESE])


@pytest.fixture(scope="session")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HybridSearcher]:
    """Both legs over the three documents; shared, since searching changes nothing."""
    build_folder = tmp_path_factory.mktemp("build") / "demo"
    write_ingest_folder(build_folder, [HARBOUR, LIGHTHOUSE, CHINESE])
    build_index(build_folder, encoders=[hash_card()])
    opened = open_index(build_folder, encoders=[hash_card()])
    yield opened
    opened.close()
