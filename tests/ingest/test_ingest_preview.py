"""A dry run tells what an ingest would find new, and leaves everything as it is."""

import os
import zipfile
from pathlib import Path

import pytest

from corpora.card import CorpusCard
from ingest import IngestConfig, IngestPreview, preview_corpus, watch_folder
from tests.ingest.workbench import Workbench


def preview(bench: Workbench, config: IngestConfig | None = None) -> IngestPreview:
    card = CorpusCard(name="bench", root=bench.source)
    return preview_corpus(
        card, bench.build, encoder=bench.encoder, config=config or IngestConfig(workers=0)
    )


def snapshot(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {
        str(path.relative_to(folder)): (path.stat().st_mtime_ns, path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_before_the_first_ingest_everything_is_new_and_no_folder_is_made(
    bench: Workbench,
) -> None:
    bench.write("a.txt", "Alpha.")
    bench.write("copy.txt", "Alpha.")
    os.mkfifo(bench.source / "pipe")

    seen = preview(bench)

    assert (seen.added, seen.unchanged) == (["a.txt", "copy.txt", "pipe"], 0)
    assert (seen.to_read, seen.to_read_bytes) == (1, len("Alpha."))
    assert [(p.path, p.state) for p in seen.problems] == [("pipe", "refused")]
    assert not bench.build.exists()


def test_it_counts_as_the_ingest_after_it_does_and_writes_nothing(bench: Workbench) -> None:
    for name in ("same", "changed", "moved", "gone"):
        bench.write(f"{name}.txt", f"Words of {name}.")
    with zipfile.ZipFile(bench.source / "box.zip", "w") as archive:
        archive.writestr("in.txt", "In the box.")
    bench.ingest()
    bench.write("changed.txt", "Other words.")
    (bench.source / "moved.txt").rename(bench.source / "now.txt")
    (bench.source / "gone.txt").unlink()
    bench.write("new.txt", "New words.")
    before = snapshot(bench.build)

    seen = preview(bench)

    assert seen.added == ["new.txt"]
    assert seen.changed == ["changed.txt"]
    assert [(each.before, each.now) for each in seen.renamed] == [("moved.txt", "now.txt")]
    assert seen.removed == ["gone.txt"]
    assert seen.unchanged == 3  # same.txt, the ZIP and what is in it
    assert seen.to_read == 2
    assert snapshot(bench.build) == before

    changes = bench.ingest().changes

    assert changes == {"added": 1, "changed": 1, "renamed": 1, "removed": 1, "unchanged": 3}


def test_failures_would_be_read_again_when_that_is_asked_for(bench: Workbench) -> None:
    bench.write("a.txt", "Alpha.")
    bench.write("bad.docx", b"PK\x03\x04 broken")
    bench.ingest()

    assert preview(bench).to_read == 0
    assert preview(bench, IngestConfig(workers=0, retry_problems=True)).to_read == 1


@pytest.mark.parametrize("n_copied", [1, 3])
def test_a_watched_folder_is_told_of_once_when_it_has_come_to_rest(
    bench: Workbench, n_copied: int
) -> None:
    bench.write("a.txt", "Alpha.")
    looks = 0

    def wait() -> None:
        nonlocal looks
        looks += 1
        if looks <= n_copied:  # a copy that takes several looks
            bench.write(f"{looks}.txt", "Part.")

    changes = watch_folder(
        CorpusCard(name="bench", root=bench.source), max_file_bytes=1_000, wait=wait
    )

    next(changes)
    assert looks == n_copied + 1
    (bench.source / "a.txt").unlink()
    next(changes)
    assert looks == n_copied + 3
