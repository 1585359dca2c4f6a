"""The dense leg, exact and in clusters, against a plain matrix product."""

import sys
import threading
import time
from pathlib import Path

import faiss
import numpy as np
import pytest
from numpy.typing import NDArray

from index.arrange import arrange_vectors
from index.config import IndexConfig
from index.dense import DenseIndex, stored_vectors
from index.errors import IndexCorrupt
from index.hash_encoder import HashEncoder, hash_card
from index.inner_products import faiss_threads, inner_products
from index.manifest import DenseSearch
from index.vectors_by_key import VectorsByKey

Vectors = NDArray[np.float32]
N = 3000
CLUSTERED = IndexConfig(exact_up_to=0, depth=200)
TYPES = {"flat": IndexConfig(), "clusters": CLUSTERED}


def unit(vectors: NDArray[np.float64]) -> Vectors:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def make_vectors() -> Vectors:
    """3000 unit vectors near a surface of five dimensions, the last hundred equal to the first."""
    random = np.random.default_rng(7)
    surface = random.normal(size=(N - 100, 5)) @ random.normal(size=(5, 64))
    vectors = unit(surface + 0.5 * random.normal(size=(N - 100, 64)))
    return np.vstack((vectors, vectors[:100]))


def make_queries(n: int, seed: int = 3) -> Vectors:
    """Vectors of cosine about .9 to one of the stored."""
    random = np.random.default_rng(seed)
    noise = 0.5 * unit(random.normal(size=(n, 64)))
    return unit((VECTORS[random.integers(N, size=n)] + noise).astype(np.float64))


VECTORS = make_vectors()


def key(row: int) -> bytes:
    return row.to_bytes(32, "little")


def write(folder: Path, vectors: Vectors, config: IndexConfig) -> DenseSearch:
    keys = np.frombuffer(b"".join(map(key, range(len(vectors)))), dtype=np.uint8).reshape(-1, 32)
    VectorsByKey(folder, keys, vectors.shape[1]).take(keys, vectors)
    return arrange_vectors(
        folder, queries=lambda: make_queries(100), config=config, tell=lambda _: None
    )


def open_written(folder: Path, search: DenseSearch) -> DenseIndex:
    compared = None if search.index_type == "flat" else search.compared
    return DenseIndex(folder, hash_card(), compared=compared)


@pytest.fixture(scope="module", params=TYPES)
def index(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> DenseIndex:
    folder = tmp_path_factory.mktemp("dense")
    search = write(folder, VECTORS, TYPES[request.param])
    assert search.index_type == request.param
    return open_written(folder, search)


def exact(query: Vectors, k: int, admitted: NDArray[np.bool_]) -> list[int]:
    scores = np.where(admitted, inner_products(query, VECTORS), -np.inf)
    return [*np.argsort(-scores, kind="stable")[: min(k, admitted.sum())]]


@pytest.mark.parametrize("share", [1.0, 0.5, 0.1, 0.02, 0.001])
def test_what_exact_search_finds_is_found_whatever_the_filter(
    index: DenseIndex, share: float
) -> None:
    """In clusters .95 is asked of each cut-off, flat finds all."""
    admitted = np.random.default_rng(5).random(N) < share
    everything = index._clusters is None or admitted.sum() < 0.05 * N
    for k in (10, 100):
        found = 0
        wanted = 0
        for query in make_queries(40, seed=11):
            rows = [hit.row for hit in index.search_vector(query, k=k, admitted=admitted)]
            assert len(rows) == len(set(rows)) == min(k, admitted.sum())
            assert admitted[rows].all()
            expected = exact(query, k, admitted)
            found += len({*rows} & {*expected})
            wanted += len(expected)
            assert not everything or rows == expected
        assert found >= 0.95 * wanted


def test_scores_are_the_exact_products_best_first(index: DenseIndex) -> None:
    for query in make_queries(10):
        hits = index.search_vector(query, k=200)
        scores = [hit.score for hit in hits]
        assert scores == sorted(scores, reverse=True)
        assert scores == [float(s) for s in inner_products(query, VECTORS)[[h.row for h in hits]]]
        assert scores == pytest.approx([*VECTORS[[hit.row for hit in hits]] @ query], abs=1e-6)


def test_a_ranking_is_the_head_of_a_deeper_one(index: DenseIndex) -> None:
    for query in make_queries(5):
        assert index.search_vector(query, k=200)[:7] == index.search_vector(query, k=7)


def test_more_than_a_search_would_compare_can_be_asked_for(index: DenseIndex) -> None:
    assert len(index.search_vector(VECTORS[0], k=N // 2)) == N // 2
    assert len(index.search_vector(VECTORS[0], k=10 * N)) == N


@pytest.mark.parametrize("kind", TYPES)
def test_equal_vectors_stand_in_row_order_wherever_the_cut_falls(kind: str, tmp_path: Path) -> None:
    """Rows 0, 7, 14, ... are the same vector."""
    vectors = VECTORS[:700].copy()
    vectors[::7] = vectors[0]
    index = open_written(tmp_path, write(tmp_path, vectors, TYPES[kind]))
    for k in (1, 7, 60, 100):
        assert [hit.row for hit in index.search_vector(vectors[0], k=k)] == [*range(0, 7 * k, 7)]


def test_no_admitted_row_is_no_hit(index: DenseIndex) -> None:
    assert index.search_vector(VECTORS[0], k=3, admitted=np.zeros(N, dtype=np.bool_)) == []


def test_a_filter_far_from_the_query_still_fills_the_ranking(index: DenseIndex) -> None:
    """Admitted are the tenth of the rows that are least like the query."""
    query = VECTORS[0]
    admitted = np.zeros(N, dtype=np.bool_)
    admitted[np.argsort(VECTORS @ query)[: N // 10]] = True
    assert len(index.search_vector(query, k=200, admitted=admitted)) == 200


def test_few_rows_are_searched_exactly_below_the_threshold_only(tmp_path: Path) -> None:
    at = write(tmp_path / "at", VECTORS, IndexConfig(exact_up_to=N, depth=200))
    above = write(tmp_path / "above", VECTORS, IndexConfig(exact_up_to=N - 1, depth=200))
    assert at == DenseSearch(index_type="flat", compared=N)
    assert (above.index_type, above.sample_queries) == ("clusters", 100)
    assert above.compared < N / 4


def test_the_recall_of_the_record_is_that_of_searches(tmp_path: Path) -> None:
    search = write(tmp_path, VECTORS, CLUSTERED)
    index = open_written(tmp_path, search)
    everything = np.ones(N, dtype=np.bool_)
    for k, recorded in ((10, search.recall_at_10), (100, search.recall_at_100)):
        found = [
            len({hit.row for hit in index.search_vector(q, k=k)} & {*exact(q, k, everything)}) / k
            for q in make_queries(100)
        ]
        assert float(np.mean(found)) == pytest.approx(recorded, abs=1e-4)


@pytest.mark.parametrize(("at_10", "at_100"), [(0.9, 0.5), (0.5, 0.9), (0.99, 0.99)])
def test_as_many_rows_are_compared_as_the_floors_of_recall_take(
    tmp_path: Path, at_10: float, at_100: float
) -> None:
    floors = IndexConfig(exact_up_to=0, depth=1, recall_at_10=at_10, recall_at_100=at_100)
    search = write(tmp_path, VECTORS, floors)
    assert search.recall_at_10 >= at_10
    assert search.recall_at_100 >= at_100
    assert search.recall_at_100 < at_100 + 0.05 or search.recall_at_10 < at_10 + 0.05


def test_where_clusters_do_not_pay_search_is_exact_and_says_so(tmp_path: Path) -> None:
    """Vectors without any structure: every cluster is as near as any other."""
    noise = unit(np.random.default_rng(1).normal(size=(N, 64)))
    search = write(tmp_path, noise, CLUSTERED)
    assert (search.index_type, search.compared) == ("flat", N)
    assert search.note.startswith("since clusters would compare ")
    query = make_queries(1)[0]
    expected = np.argsort(-inner_products(query, noise), kind="stable")[:50]
    hits = open_written(tmp_path, search).search_vector(query, k=50)
    assert [hit.row for hit in hits] == [*expected]


@pytest.mark.parametrize("kind", TYPES)
def test_two_builds_write_the_same_bytes(kind: str, tmp_path: Path) -> None:
    assert write(tmp_path / "a", VECTORS, TYPES[kind]) == write(
        tmp_path / "b", VECTORS, TYPES[kind]
    )
    files = sorted(path.name for path in (tmp_path / "a").iterdir())
    clusters = ["centroids.npy", "rows.npy", "starts.npy"] if kind == "clusters" else []
    assert files == sorted(["keys.npy", "vectors.npy", *clusters])
    for name in files:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


@pytest.mark.parametrize("kind", TYPES)
def test_stored_vectors_keep_their_keys(kind: str, tmp_path: Path) -> None:
    write(tmp_path, VECTORS, TYPES[kind])
    found = {
        bytes(name): vector
        for names, vectors in stored_vectors(tmp_path)
        for name, vector in zip(names, vectors, strict=True)
    }
    assert len(found) == N
    for row in range(0, N, 50):
        assert (found[key(row)] == VECTORS[row]).all()


@pytest.mark.parametrize(
    "name", ["vectors.npy", "keys.npy", "centroids.npy", "starts.npy", "rows.npy"]
)
@pytest.mark.parametrize("damage", ["cut short", "absent", "of another leg"])
def test_a_damaged_file_is_refused_by_name(tmp_path: Path, name: str, damage: str) -> None:
    search = write(tmp_path, VECTORS, CLUSTERED)
    path = tmp_path / name
    match damage:
        case "cut short":
            path.write_bytes(path.read_bytes()[:-1])
        case "absent":
            path.unlink()
        case _:
            write(tmp_path / "other", VECTORS[: N - 500], CLUSTERED)
            (tmp_path / "other" / name).replace(path)
    with pytest.raises(IndexCorrupt, match=r"\.npy") as caught:
        open_written(tmp_path, search)
    assert "\n" not in str(caught.value)


def test_other_threads_go_on_while_a_query_is_compared() -> None:
    """Where a call keeps the interpreter's lock, another thread counts to 4 at most meanwhile."""
    vectors = np.ones((400_000, 64), dtype=np.float32)
    stop = threading.Event()
    counted = 0

    def count() -> None:
        nonlocal counted
        while not stop.is_set():
            counted += 1
            time.sleep(0)

    def counts_during_a_call() -> int:
        before = counted
        inner_products(vectors[0], vectors)
        return counted - before

    interval = sys.getswitchinterval()
    thread = threading.Thread(target=count)
    thread.start()
    try:
        sys.setswitchinterval(60)  # the lock changes hands only where it is given up
        assert max(counts_during_a_call() for _ in range(10)) > 50
    finally:
        sys.setswitchinterval(interval)
        stop.set()
        thread.join()


def test_the_number_of_threads_is_set_for_one_call_only() -> None:
    before = faiss.omp_get_max_threads()
    with faiss_threads(before + 1):
        assert faiss.omp_get_max_threads() == before + 1
        inner_products(VECTORS[0], VECTORS)
        assert faiss.omp_get_max_threads() == before + 1
    assert faiss.omp_get_max_threads() == before


def test_the_hash_encoder_brings_shared_words_near() -> None:
    encoder = HashEncoder(hash_card())
    storm, storms, zebra, empty = encoder.encode_passages(["a storm", "storms", "zebra", ""])
    assert np.linalg.norm(storm) == pytest.approx(1)
    assert storm @ storms == pytest.approx(1)
    assert abs(storm @ zebra) < 0.3
    assert not empty.any()
