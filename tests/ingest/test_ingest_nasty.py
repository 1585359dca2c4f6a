"""25 kinds of nasty files, in one folder: each ends in its state, and the good ones are read.

``nasty_file``, ``nasty_pdf``, ``nasty_office``, ``nasty_text`` and ``nasty_folder`` say what they
are. They are read as in production: by workers, within limits (here small ones), but without OCR,
which not every machine has.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from corpora.encoder_card import EncoderCard
from ingest import IngestConfig, IngestReport
from tests.ingest.capabilities import file_modes_respected
from tests.ingest.nasty_file import Nasty
from tests.ingest.nasty_folder import GOOD, nasty_files, write_nasty_folder
from tests.ingest.workbench import Workbench

LIMITS = IngestConfig(
    workers=2,
    max_reader_memory_bytes=700 * 2**20,
    max_reader_cpu_s=6,
    max_file_bytes=32 * 2**20,
    ocr_page_seconds=0,
)


@dataclass(frozen=True)
class Outcome:
    """What one ingest of the folder gave."""

    report: IngestReport
    texts: dict[str, str]
    """Canonical text by path, of every place."""
    chunks: dict[str, list[str]]

    def state(self, path: str) -> str:
        states = {problem.path: problem.state for problem in self.report.problems}
        return states.get(path, "ok")

    def reason(self, path: str) -> str:
        return {problem.path: problem.reason for problem in self.report.problems}.get(path, "")


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outcome]:
    folder = tmp_path_factory.mktemp("nasty")
    encoder = EncoderCard(
        kind="hash", name="hash", folder=Path(), sha256="0" * 64, dimension=64, max_tokens=256
    )
    bench = Workbench(source=folder / "corpus", build=folder / "build", encoder=encoder)
    bench.source.mkdir()
    write_nasty_folder(bench.source)
    with file_modes_respected():
        report = bench.ingest(LIMITS)
    store = bench.store()
    texts: dict[str, str] = {}
    chunks: dict[str, list[str]] = {}
    by_document: dict[str, list[tuple[int, int]]] = {}
    for chunk in store.chunks():
        by_document.setdefault(chunk.doc_id, []).append((chunk.start, chunk.end))
    for document in store.documents():
        for place in store.locations(document.doc_id):
            path = place.uri.removeprefix("corpus:///")
            texts[path] = document.text
            spans = by_document.get(document.doc_id, [])
            chunks[path] = [document.text[start:end] for start, end in spans]
    store.close()
    yield Outcome(report, texts, chunks)
    (bench.source / "25 closed.txt").chmod(0o600)


@pytest.mark.slow
@pytest.mark.parametrize("nasty", nasty_files(), ids=lambda nasty: nasty.path)
def test_a_nasty_file_ends_in_its_state(outcome: Outcome, nasty: Nasty) -> None:
    state, reason = outcome.state(nasty.path), outcome.reason(nasty.path)
    assert state in nasty.ends.split("|"), reason
    assert nasty.says in reason
    assert "\n" not in reason
    assert nasty.holds in outcome.texts.get(nasty.path, "")
    shown = " ".join(outcome.chunks.get(nasty.path, []))
    assert not nasty.hides or nasty.hides not in shown


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "state", "says"),
    [
        ("25 pipe", "refused", "not a regular file"),
        ("25 loop", "refused", "symbolic link that leads nowhere or to itself"),
        ("25 up", "refused", "symbolic link to a folder is not followed"),
        ("25 out.txt", "refused", "symbolic link out of the corpus folder"),
        ("25 caf\\xe9.txt", "refused", "file name is not UTF-8"),
        ("25 closed.txt", "unreadable", "Permission denied"),
    ],
)
def test_what_is_no_plain_file_is_not_opened(
    outcome: Outcome, path: str, state: str, says: str
) -> None:
    assert outcome.state(path) == state
    assert says in outcome.reason(path)


@pytest.mark.slow
def test_the_good_files_among_them_are_read_as_if_alone(outcome: Outcome, bench: Workbench) -> None:
    for name, text in GOOD.items():
        bench.write(name, text)

    bench.ingest()

    for name in GOOD:
        assert outcome.state(name) == "ok"
        assert outcome.texts[name] == bench.document(name).text
        assert outcome.chunks[name] != []


@pytest.mark.slow
def test_every_file_is_counted_once(outcome: Outcome) -> None:
    n_files = len(GOOD) + len(nasty_files()) + 6
    members = [path for path in outcome.texts if "!/" in path]
    refused_members = [p for p in outcome.report.problems if "!/" in p.path]
    counted = sum(outcome.report.documents.values())
    assert counted == n_files + len(members) + len(refused_members)
