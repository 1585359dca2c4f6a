"""The small real model, loaded once; tests that need it are skipped where it was not fetched."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from search_agent.model.llama import LlamaModel

SMALL = Path(__file__).parents[3] / "models" / "smollm2-135m.gguf"


@pytest.fixture(scope="session")
def small_model() -> Iterator[LlamaModel]:
    if not SMALL.is_file():
        pytest.skip("models/smollm2-135m.gguf is absent; run: deepsearch models fetch smollm2-135m")
    with LlamaModel(SMALL, name="smollm2-135m", n_ctx=1024, n_threads=2, n_batch=64) as model:
        yield model
