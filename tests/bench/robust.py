"""``make bench-robust``: mutants are ingested in batches; none may break a run or an address.

The figures go to ``build/bench-robust.json``.
"""

import argparse
import json
import resource
import sys
import tempfile
import time
import unicodedata
from dataclasses import asdict, dataclass, field
from itertools import groupby
from pathlib import Path

from corpora.card import CorpusCard
from corpora.document import Document, Segment
from corpora.encoder_card import EncoderCard
from corpora.store import DocumentStore
from ingest import IngestConfig, ingest_corpus
from ingest.scan import MEMBER_MARK
from search_agent.bench.machine import current_commit, this_machine
from tests.bench.mutated_files import Mutant, mutants

BATCH = 500
WALL_S = 5.0
CONTROL = "a control file.md"
CONTROL_TEXT = "# Pumps\n\nThe first pump runs.\n"
CONFIG = IngestConfig(
    workers=2,
    max_reader_wall_s=WALL_S,
    max_reader_memory_bytes=2**30,
    ocr_page_seconds=0,
    near_duplicates=0,
)
ENCODER = EncoderCard(
    kind="hash", name="hash", folder=Path(), sha256="0" * 64, dimension=64, max_tokens=256
)


@dataclass(slots=True)
class Robustness:
    """What became of the mutants."""

    n: int = 0
    states: dict[str, int] = field(default_factory=dict)
    violations: list[str] = field(default_factory=list)
    """Addresses that do not hold, files without a state, control files that changed."""
    crashed: list[str] = field(default_factory=list)
    """Files whose reader ended in a fault of ours, each with the reason."""
    slowest_s: float = 0.0
    """The longest that one file was waited for, by the progress told."""
    slowest: str = ""
    reader_peak_mb: float = 0.0
    """The most resident memory of one worker process so far."""


def ingest_mutants(batch: list[Mutant], folder: Path, found: Robustness) -> None:
    """One batch beside a good file, ingested by two workers into a fresh store, and looked over."""
    source = folder / "corpus"
    source.mkdir()
    (source / CONTROL).write_text(CONTROL_TEXT, encoding="utf-8")
    for mutant in batch:
        (source / mutant.path).write_bytes(mutant.content)
    last = time.monotonic()
    path = ""

    def watch(step: object) -> None:
        nonlocal last, path
        now = time.monotonic()
        if now - last > found.slowest_s:
            found.slowest_s, found.slowest = round(now - last, 2), path
        last, path = now, str(getattr(step, "path", ""))

    report = ingest_corpus(
        CorpusCard(name="mutants", root=source),
        folder / "build",
        encoder=ENCODER,
        config=CONFIG,
        progress=watch,
    )
    found.n += len(batch)
    for state, n in report.documents.items():
        if n:
            found.states[state] = found.states.get(state, 0) + n
    found.crashed += [f"{p.path}: {p.reason}" for p in report.problems if p.state == "crashed"]
    named = {problem.path for problem in report.problems}
    store = DocumentStore(folder / "build")
    try:
        for document in store.documents():
            for place in store.locations(document.doc_id):
                named.add(place.uri.removeprefix("corpus:///"))
            found.violations += _violations(document, store.segments(document.doc_id))
        found.violations += _chunk_violations(store)
        control = store.document_at(f"corpus:///{CONTROL}")
        if control is None or control.text != CONTROL_TEXT:
            found.violations.append(f"{CONTROL}: changed")
    finally:
        store.close()
    named |= {
        path.partition(MEMBER_MARK)[0] for path in named
    }  # damaged documents may be plain ZIPs
    found.violations += [f"{m.path}: no state" for m in batch if m.path not in named]
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    found.reader_peak_mb = round(max(found.reader_peak_mb, peak), 1)


def _violations(document: Document, segments: list[Segment]) -> list[str]:
    text = document.text
    faults = [] if unicodedata.is_normalized("NFC", text) else ["text is not NFC"]
    end = 0
    for segment in segments:
        if not end <= segment.start < segment.end <= len(text):
            faults.append(f"segment {segment.start}-{segment.end} after {end} of {len(text)}")
        elif not text[segment.start : segment.end].strip():
            faults.append(f"segment {segment.start}-{segment.end} is blank")
        end = segment.end
    return [f"{document.uri}: {fault}" for fault in faults]


def _chunk_violations(store: DocumentStore) -> list[str]:
    """Chunks that do not begin and end where segments of their document do."""
    faults = []
    for doc_id, chunks in groupby(store.chunks(), key=lambda chunk: chunk.doc_id):
        segments = store.segments(doc_id)
        starts = {segment.start for segment in segments}
        ends = {segment.end for segment in segments}
        faults += [
            f"{chunk.chunk_id}: no bounds of segments"
            for chunk in chunks
            if chunk.start not in starts or chunk.end not in ends
        ]
    return faults


def main(words: list[str] | None = None) -> int:
    """0 if nothing was violated, else 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("build/bench-robust.json"))
    given = parser.parse_args(words)
    print(f"seed {given.seed}, {given.n} mutants, {WALL_S:g} s each at most", flush=True)
    found = Robustness()
    started = time.monotonic()
    batch: list[Mutant] = []
    for number, mutant in enumerate(mutants(given.n, seed=given.seed), start=1):
        batch.append(mutant)
        if len(batch) == BATCH or number == given.n:
            with tempfile.TemporaryDirectory() as folder:
                ingest_mutants(batch, Path(folder), found)
            batch = []
            seconds = time.monotonic() - started
            print(f"{found.n}/{given.n} {seconds:.0f} s {found.states}", flush=True)
    figures = {
        **asdict(found),
        "seed": given.seed,
        "seconds": round(time.monotonic() - started, 1),
        "commit": current_commit(Path()),
        "machine": this_machine().model_dump(),
    }
    print(*found.crashed[:20], *found.violations[:20], sep="\n")
    given.out.parent.mkdir(parents=True, exist_ok=True)
    given.out.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 1 if found.violations else 0


if __name__ == "__main__":
    sys.exit(main())
