"""Memory of ingestion as the folder grows: one process for each size, over files drawn by seed."""

import multiprocessing
import random
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from corpora.card import CorpusCard
from corpora.encoder_card import EncoderCard
from ingest import IngestConfig, ingest_corpus
from search_agent.bench.speed.memory import peak_resident_mb

_WORKERS = 2
_WORDS = 4_000
_SENTENCES = 12
_SENTENCE_WORDS = 14
_SUBFOLDER_FILES = 500


class IngestMemory(BaseModel):
    """One size."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    files: int
    seconds: float
    main_mb: float | None
    """Peak of the process that scans and writes, 1e6 bytes; None on systems without /proc."""
    worker_mb: float
    """Peak of the largest worker, 1e6 bytes."""


def measure_memory(
    sizes: Sequence[int],
    *,
    encoder: EncoderCard,
    seed: int = 0,
    tell: Callable[[str], None] = lambda _: None,
) -> tuple[IngestMemory, ...]:
    """Ingest folders of as many Markdown files with two workers; all of it in a temporary folder.

    Raises:
        BrokenProcessPool: a process was ended from outside, as for want of memory.
    """
    found = []
    for size in sizes:
        tell(f"memory, {size} files")
        with tempfile.TemporaryDirectory() as folder:
            corpus, build = Path(folder) / "corpus", Path(folder) / "build"
            _write(corpus, size, seed)
            context = multiprocessing.get_context("spawn")
            with ProcessPoolExecutor(max_workers=1, mp_context=context) as process:
                found.append(process.submit(_ingest, corpus, build, encoder, size).result())
    return tuple(found)


def _ingest(corpus: Path, build: Path, encoder: EncoderCard, size: int) -> IngestMemory:
    config = IngestConfig(ocr_page_seconds=0, workers=_WORKERS)
    started = time.perf_counter()
    ingest_corpus(CorpusCard(name="memory", root=corpus), build, encoder=encoder, config=config)
    return IngestMemory(
        files=size,
        seconds=round(time.perf_counter() - started, 1),
        main_mb=peak_resident_mb(),
        worker_mb=round(
            resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 / 1e6, 1
        ),  # kB on Linux
    )


def _write(corpus: Path, size: int, seed: int) -> None:
    draws = random.Random(seed)
    words = ["".join(draws.choices("aeioulnrst", k=draws.randint(3, 9))) for _ in range(_WORDS)]
    for number in range(size):
        file = corpus / f"part-{number // _SUBFOLDER_FILES}" / f"note-{number}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        text = " ".join(_sentences(draws, words))
        file.write_text(f"# Note {number}\n\n{text}\n", encoding="utf-8")


def _sentences(draws: random.Random, words: Sequence[str]) -> Iterator[str]:
    for _ in range(_SENTENCES):
        yield " ".join(draws.choices(words, k=_SENTENCE_WORDS)).capitalize() + "."
