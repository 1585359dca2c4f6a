"""A workbench in a temporary folder, with the test encoder."""

from pathlib import Path

import pytest

from corpora.encoder_card import EncoderCard
from tests.ingest.workbench import Workbench


@pytest.fixture
def encoder() -> EncoderCard:
    return EncoderCard(
        kind="hash", name="hash", folder=Path(), sha256="0" * 64, dimension=64, max_tokens=256
    )


@pytest.fixture
def bench(tmp_path: Path, encoder: EncoderCard) -> Workbench:
    source = tmp_path / "corpus"
    source.mkdir()
    return Workbench(source=source, build=tmp_path / "build" / "ingest", encoder=encoder)
