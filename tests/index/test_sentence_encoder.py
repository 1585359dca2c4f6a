"""Sentence-transformers folders: refused when they are none, and the real one where it is there."""

from pathlib import Path

import numpy as np
import pytest

from corpora.encoder_card import EncoderCard
from index import EncoderOverflow, IndexingError, build_index, open_index
from index.encoder import load_encoder
from tests.index.small_ingest import Source, WriteIngest

FOLDER = Path(__file__).parents[2] / "models" / "all-MiniLM-L6-v2"
MINILM = EncoderCard(
    name="all-MiniLM-L6-v2", folder=FOLDER, sha256="0" * 64, dimension=384, max_tokens=256
)


def test_a_hub_name_is_no_folder() -> None:
    card = EncoderCard(
        name="m", folder=Path("org/model"), sha256="0" * 64, dimension=3, max_tokens=8
    )
    with pytest.raises(IndexingError, match="no sentence-transformers folder"):
        load_encoder(card)


def test_an_unknown_kind_names_the_known_ones() -> None:
    card = EncoderCard(
        name="m", folder=Path(), sha256="0" * 64, dimension=3, max_tokens=8, kind="onnx"
    )
    with pytest.raises(IndexingError, match=r"\['hash', 'sentence-transformers', 'usem3'\]"):
        load_encoder(card)


@pytest.mark.model
@pytest.mark.slow
@pytest.mark.skipif(not FOLDER.is_dir(), reason="models/all-MiniLM-L6-v2 is absent: make models")
def test_the_real_encoder_finds_by_meaning_and_cuts_nothing(
    write_ingest: WriteIngest, capfd: pytest.CaptureFixture[str]
) -> None:
    encoder = load_encoder(MINILM)
    vectors = encoder.encode_passages(["cats purr", "the harbour is deep", "a port of deep water"])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1], abs=1e-5)
    assert vectors[1] @ vectors[2] > 0.5 > vectors[0] @ vectors[2]
    assert encoder.overlong(["short", "word " * 254, "word " * 255]) == (2, 257)
    assert np.linalg.norm(encoder.encode_query("word " * 900)) == pytest.approx(1, abs=1e-5)

    folder = write_ingest(
        [
            Source(doc_id="d_1", text="Cats purr when they are content."),
            Source(doc_id="d_2", text="The harbour was dredged."),
        ]
    )
    build_index(folder, encoders=[MINILM])
    (found,) = open_index(folder, encoders=[MINILM]).search(["feline noises"], k=1)
    assert (found[0].doc_id, found[0].legs) == ("d_1", {"sparse": None, "dense": 0})

    write_ingest([Source(doc_id="d_1", text="word " * 300)])
    with pytest.raises(EncoderOverflow, match=r"'d_1:0-1500' has 302 tokens .* reads 256"):
        build_index(folder, encoders=[MINILM])
    assert capfd.readouterr() == ("", "")  # no progress bars, no advice from the library
