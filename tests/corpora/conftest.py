"""The shipped corpora, each ingested once in a session."""

from collections.abc import Callable, Iterator

import pytest

from tests.corpora.ingested_corpus import IngestedCorpus


@pytest.fixture(scope="session")
def ingest_shipped(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[[str], IngestedCorpus]]:
    """Name → the corpus of that name; shared, since reading it changes nothing."""
    corpora: dict[str, IngestedCorpus] = {}

    def ingested(name: str) -> IngestedCorpus:
        if name not in corpora:
            corpora[name] = IngestedCorpus(name, tmp_path_factory.mktemp(name))
        return corpora[name]

    yield ingested
    for corpus in corpora.values():
        corpus.store.close()


@pytest.fixture(scope="session")
def demo(ingest_shipped: Callable[[str], IngestedCorpus]) -> IngestedCorpus:
    return ingest_shipped("demo")
