"""The dense leg against a plain matrix product."""

from pathlib import Path

import numpy as np
import pytest

from index.dense import DenseIndex, stored_vectors, write_dense
from index.errors import IndexCorrupt
from index.hash_encoder import HashEncoder, hash_card

RANDOM = np.random.default_rng(7)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """400 unit vectors, the last hundred equal to the first."""
    vectors = RANDOM.normal(size=(300, 512)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors = np.vstack((vectors, vectors[:100]))
    write_dense(tmp_path / "d", keys=[bytes([i % 256]) * 32 for i in range(400)], vectors=vectors)
    return tmp_path / "d"


@pytest.mark.parametrize("share", [1.0, 0.5, 0.02])
def test_hits_are_those_of_the_matrix_product(folder: Path, share: float) -> None:
    index = DenseIndex(folder, hash_card())
    vectors = np.array([vector for _, vector in stored_vectors(folder)])
    admitted = RANDOM.random(400) < share
    query = vectors[5] + 0.1 * vectors[50]
    exact = np.where(admitted, vectors @ query, -np.inf)
    expected = np.argsort(-exact, kind="stable")[: min(20, admitted.sum())]
    found = index.search_vector(query, k=20, admitted=admitted)
    assert [hit.score for hit in found] == pytest.approx(exact[expected], abs=1e-5)
    assert all(admitted[hit.row] for hit in found)


def test_equal_vectors_stand_in_row_order_wherever_the_cut_falls(tmp_path: Path) -> None:
    same = np.tile(np.eye(512, dtype=np.float32)[0], (100, 1))
    write_dense(tmp_path / "d", keys=[b"k" * 32] * 100, vectors=same)
    index = DenseIndex(tmp_path / "d", hash_card())
    for k in (1, 7, 60, 100, 200):
        assert [hit.row for hit in index.search_vector(same[0], k=k)] == [*range(min(k, 100))]


def test_no_admitted_row_is_no_hit(folder: Path) -> None:
    nothing = np.zeros(400, dtype=np.bool_)
    assert DenseIndex(folder, hash_card()).search("storm", k=3, admitted=nothing) == []


def test_a_damaged_file_is_refused_by_name(folder: Path) -> None:
    (folder / "vectors.faiss").write_bytes(b"IxFI")
    with pytest.raises(IndexCorrupt, match=r"vectors\.faiss"):
        DenseIndex(folder, hash_card())


def test_the_hash_encoder_brings_shared_words_near() -> None:
    encoder = HashEncoder(hash_card())
    storm, storms, zebra, empty = encoder.encode_passages(["a storm", "storms", "zebra", ""])
    assert np.linalg.norm(storm) == pytest.approx(1)
    assert storm @ storms == pytest.approx(1)
    assert abs(storm @ zebra) < 0.3
    assert not empty.any()
