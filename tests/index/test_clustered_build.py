"""An index large enough for clusters, by a threshold small enough for a test."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from corpora.hit import Filters
from index import IndexConfig, IndexProgress, build_index, hash_card, open_index, verify_index
from search_agent.cli.index_commands import render_manifest
from tests.index.small_ingest import Source, WriteIngest

CARD = hash_card()
CLUSTERED = IndexConfig(exact_up_to=599, depth=20, recall_at_100=0.9)
EXACT = IndexConfig(depth=20)


def make_sources() -> list[Source]:
    """600 one-sentence documents: 6 topics of six words each, and a number of their own."""
    random = np.random.default_rng(4)
    letters = [*"bcdfghjklmnpqrstvw"]
    words = [["a".join(random.choice(letters, 4)) for _ in range(6)] for _ in range(6)]
    return [
        Source(
            doc_id=f"d_{i:03}",
            text=f"{' '.join(random.permutation(words[i % 6])[:4])} {i:03}.",
            labels=("even",) if i % 2 == 0 else ("odd",),
        )
        for i in range(600)
    ]


SOURCES = make_sources()
QUERIES = [source.text.removesuffix(".") for source in SOURCES[::41]]


@pytest.fixture
def clustered(write_ingest: WriteIngest) -> Path:
    folder = write_ingest(SOURCES)
    build_index(folder, encoders=[CARD], config=CLUSTERED)
    return folder


def ranked(folder: Path, k: int, filters: Filters | None = None) -> list[list[str]]:
    searcher = open_index(folder, encoders=[CARD])
    found = searcher.search(QUERIES, k=k, mode="dense", filters=filters)
    searcher.close()
    return [[hit.doc_id for hit in hits] for hits in found]


@pytest.mark.parametrize("filters", [None, Filters(labels_any=frozenset({"odd"}))])
def test_searches_find_what_exact_ones_find(
    clustered: Path, write_ingest: WriteIngest, filters: Filters | None
) -> None:
    found = ranked(clustered, 10, filters)
    build_index(clustered, encoders=[CARD], config=EXACT)
    expected = ranked(clustered, 10, filters)
    assert all(len(hits) == 10 for hits in found)
    shared = sum(len({*a} & {*b}) for a, b in zip(found, expected, strict=True))
    assert shared >= 0.95 * 10 * len(QUERIES)
    assert [hits[0] for hits in found] == [hits[0] for hits in expected]


def test_the_manifest_and_its_lines_say_how_much_is_found(clustered: Path) -> None:
    manifest = build_index(clustered, encoders=[CARD], config=CLUSTERED)
    search = manifest.dense[0].search
    assert search.index_type == "clusters"
    assert search.sample_queries == 200
    assert search.recall_at_10 >= CLUSTERED.recall_at_10
    assert search.recall_at_100 >= CLUSTERED.recall_at_100
    line = (
        f"hash ({search.clusters} clusters, {search.compared} rows compared;"
        f" recall@10 {search.recall_at_10:.3f}, recall@100 {search.recall_at_100:.3f}"
        " on 200 sample queries)"
    )
    assert line in render_manifest("demo", manifest)


def test_where_clusters_would_not_pay_the_leg_is_exact_and_says_so(
    write_ingest: WriteIngest,
) -> None:
    folder = write_ingest(SOURCES)
    deep = CLUSTERED.model_copy(update={"depth": 200})
    manifest = build_index(folder, encoders=[CARD], config=deep)
    assert manifest.dense[0].search.index_type == "flat"
    line = "hash (flat, since clusters would compare 200 of 600 rows)"
    assert line in render_manifest("demo", manifest)
    assert ranked(folder, 3)[0][0] == "d_000"


def test_vectors_are_reused_out_of_clusters_and_into_them(
    clustered: Path, write_ingest: WriteIngest
) -> None:
    write_ingest([replace(SOURCES[0], text="Something else."), *SOURCES[1:]])
    made = []
    for config in (CLUSTERED, EXACT, CLUSTERED):
        (leg,) = build_index(clustered, encoders=[CARD], config=config).dense
        made.append((leg.search.index_type, leg.embedded, leg.reused))
    assert made == [("clusters", 1, 599), ("flat", 0, 600), ("clusters", 0, 600)]


def test_two_builds_write_the_same_bytes(clustered: Path, tmp_path: Path) -> None:
    first = build_index(clustered, encoders=[CARD], config=CLUSTERED)
    (clustered / "index").rename(tmp_path / "elsewhere")
    assert build_index(clustered, encoders=[CARD], config=CLUSTERED).files == first.files
    assert verify_index(clustered) == len(first.files)


def test_clustering_is_reported_where_it_happens(write_ingest: WriteIngest) -> None:
    reports: list[IndexProgress] = []
    folder = write_ingest(SOURCES)
    for config in (CLUSTERED, EXACT):
        build_index(folder, encoders=[CARD], config=config, progress=reports.append)
    assert [(r.done, r.total) for r in reports if r.stage == "clustering"] == [(0, 600), (600, 600)]
