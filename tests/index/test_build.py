"""Building generations: what is written, reused, refused, and what a kill leaves."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from corpora.hit import Hit
from index import (
    EmbedderMismatch,
    EmptyIndex,
    IndexBusy,
    IndexConfig,
    IndexCorrupt,
    IndexingError,
    IndexMissing,
    IndexProgress,
    IndexStale,
    build_index,
    hash_card,
    index_stats,
    open_index,
    verify_index,
)
from index.generations import Generations
from tests.index.small_ingest import CHINESE, HARBOUR, LIGHTHOUSE, Source, WriteIngest

CARD = hash_card()
QUAY = Source(doc_id="d_9", text="A quay.")
QUERIES = ["storm lamp", "HK-204/B", "三峡水库的库容", "Bremen harbour 1897", "the"]


def hits(build_folder: Path) -> list[list[Hit]]:
    searcher = open_index(build_folder, encoders=[CARD])
    found = searcher.search(QUERIES, k=10)
    searcher.close()
    return found


def test_the_manifest_counts_what_was_written(three_documents: Path) -> None:
    manifest = build_index(three_documents, encoders=[CARD])
    assert (manifest.counts.documents, manifest.counts.chunks, manifest.written) == (3, 4, 4)
    assert [(leg.name, leg.count, leg.embedded, leg.reused) for leg in manifest.dense] == [
        ("hash", 4, 4, 0)
    ]
    assert (manifest.self_query.documents, manifest.self_query.found) == (3, 3)
    assert verify_index(three_documents) == len(manifest.files)
    assert set(index_stats(three_documents).bytes_by_part) == {
        "chunks",
        "lexical",
        "mentions",
        "dense/hash",
    }


def test_a_build_of_the_same_does_nothing(three_documents: Path) -> None:
    first = build_index(three_documents, encoders=[CARD])
    again = build_index(three_documents, encoders=[CARD])
    assert (again.generation, again.written) == (first.generation, 0)


@pytest.mark.parametrize(
    ("encoders", "config"),
    [([], None), ([CARD], IndexConfig(k1=0.9, b=0.4)), ([hash_card(dimension=64)], None)],
)
def test_another_encoder_or_setting_makes_a_new_generation(
    three_documents: Path, encoders: list, config: IndexConfig | None
) -> None:
    first = build_index(three_documents, encoders=[CARD])
    second = build_index(three_documents, encoders=encoders, config=config)
    assert second.generation == first.generation + 1
    assert second.fingerprint != first.fingerprint


def test_vectors_of_unchanged_chunks_are_not_made_again(write_ingest: WriteIngest) -> None:
    folder = write_ingest([HARBOUR, LIGHTHOUSE])
    build_index(folder, encoders=[CARD])
    write_ingest([replace(HARBOUR, text=HARBOUR.text + "\nA new quay."), LIGHTHOUSE, CHINESE])
    (leg,) = build_index(folder, encoders=[CARD]).dense
    assert (leg.count, leg.embedded, leg.reused) == (5, 2, 3)
    updated = hits(folder)
    for generation in (folder / "index" / "generations").iterdir():
        for file in [*generation.rglob("*")][::-1]:
            file.rmdir() if file.is_dir() else file.unlink()
    assert build_index(folder, encoders=[CARD]).dense[0].reused == 0
    assert hits(folder) == updated


def test_vectors_survive_a_change_of_the_index_format(three_documents: Path) -> None:
    build_index(three_documents, encoders=[CARD])
    manifest = three_documents / "index" / "generations" / "1" / "manifest.json"
    content = json.loads(manifest.read_text())
    content["format"] = 0
    del content["counts"]
    manifest.write_text(json.dumps(content))
    (leg,) = build_index(three_documents, encoders=[CARD]).dense
    assert (leg.embedded, leg.reused) == (0, 4)


def test_the_generation_before_is_kept_and_older_ones_removed(write_ingest: WriteIngest) -> None:
    for sources in ([HARBOUR], [LIGHTHOUSE], [CHINESE]):
        folder = write_ingest(sources)
        build_index(folder, encoders=[])
    assert sorted(p.name for p in (folder / "index" / "generations").iterdir()) == ["2", "3"]
    assert (folder / "index" / "CURRENT").read_text() == "3\n"


def test_two_builds_write_the_same_bytes(three_documents: Path, tmp_path: Path) -> None:
    first = build_index(three_documents, encoders=[CARD])
    (three_documents / "index").rename(tmp_path / "elsewhere")
    assert build_index(three_documents, encoders=[CARD]).files == first.files


def test_folders_are_private(three_documents: Path) -> None:
    build_index(three_documents, encoders=[CARD])
    assert (three_documents / "index").stat().st_mode & 0o777 == 0o700


def test_progress_tells_stage_rate_and_time_left(three_documents: Path) -> None:
    reports: list[IndexProgress] = []
    build_index(three_documents, encoders=[CARD], progress=reports.append, shard_texts=2)
    embedding = [report for report in reports if report.stage == "embedding"]
    assert [(report.done, report.total) for report in embedding] == [
        (0, 4),  # what it will cost, before any of it is done
        (2, 4),
        (4, 4),
    ]
    assert embedding[0].eta_s is not None
    assert embedding[0].eta_s > 0
    assert embedding[-1].eta_s == 0
    assert all(report.rate_per_s is not None for report in embedding)


STALLED_BUILD = """
import sys, time
from pathlib import Path
from index import build_index, hash_card

def stall(progress):
    if progress.stage == "embedding" and progress.done >= 2:
        print("stalled", flush=True)
        time.sleep(60)

build_index(Path(sys.argv[1]), encoders=[hash_card()], progress=stall, shard_texts=2)
"""


def stalled_build(folder: Path) -> "subprocess.Popen[str]":
    """A build in another process that stops after its first shard, holding the lock."""
    root = Path(__file__).parents[2]
    process = subprocess.Popen(
        [sys.executable, "-c", STALLED_BUILD, str(folder)],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "stalled\n"
    return process


def test_a_killed_build_leaves_the_old_index_and_its_vectors(write_ingest: WriteIngest) -> None:
    folder = write_ingest([HARBOUR])
    build_index(folder, encoders=[CARD])
    old = Generations(folder / "index").current()
    write_ingest([HARBOUR, LIGHTHOUSE, CHINESE, QUAY])
    process = stalled_build(folder)
    with pytest.raises(IndexBusy, match="another process"):
        build_index(folder, encoders=[CARD])
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert Generations(folder / "index").current() == old
    write_ingest([HARBOUR])
    assert hits(folder)[3][0].doc_id == "d_1"
    write_ingest([HARBOUR, LIGHTHOUSE, CHINESE, QUAY])
    (leg,) = build_index(folder, encoders=[CARD]).dense
    assert (leg.embedded, leg.reused) == (1, 4)
    assert not (folder / "index" / "partial").exists()


def test_a_full_disk_is_one_line_and_the_old_index_stays(write_ingest: WriteIngest) -> None:
    folder = write_ingest([HARBOUR])
    build_index(folder, encoders=[CARD])
    write_ingest([replace(HARBOUR, text="storm " * 2000)])
    limited = """
import resource, sys
from pathlib import Path
from index import IndexingError, build_index, hash_card
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    build_index(Path(sys.argv[1]), encoders=[hash_card()])
except IndexingError as error:
    print(error)
"""
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", limited, str(folder)],
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "File too large; free space and run `make index` again" in done.stdout
    assert len(done.stdout.splitlines()) == 1
    write_ingest([HARBOUR])
    assert hits(folder)[3][0].doc_id == "d_1"
    assert [p.name for p in (folder / "index" / "generations").iterdir()] == ["1"]


def test_an_interrupted_listener_removes_the_unfinished_generation(three_documents: Path) -> None:
    def interrupt(_: IndexProgress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_index(three_documents, encoders=[CARD], progress=interrupt)
    assert list((three_documents / "index" / "generations").iterdir()) == []
    with pytest.raises(IndexMissing, match="make index"):
        open_index(three_documents)


def test_nothing_to_index_is_refused(write_ingest: WriteIngest) -> None:
    with pytest.raises(EmptyIndex, match="no chunk"):
        build_index(write_ingest([]), encoders=[])


@pytest.mark.parametrize("texts", [["?!"], ["storm"], ["storm", "storm"], ["the"]])
def test_tiny_corpora_can_be_built_and_searched(
    write_ingest: WriteIngest, texts: list[str]
) -> None:
    folder = write_ingest([Source(doc_id=f"d_{i}", text=text) for i, text in enumerate(texts)])
    build_index(folder, encoders=[CARD])
    for found in hits(folder):
        assert all(hit.score == hit.score for hit in found)


def test_documents_must_be_ingested_first(tmp_path: Path) -> None:
    with pytest.raises(IndexingError, match="make ingest"):
        build_index(tmp_path, encoders=[])


@pytest.mark.parametrize("name", ["", "../evil", "a/b", ".hidden"])
def test_encoder_names_must_be_folder_names(three_documents: Path, name: str) -> None:
    with pytest.raises(IndexingError, match="encoder name"):
        build_index(three_documents, encoders=[hash_card(name=name)])


def test_an_index_of_other_documents_is_stale(write_ingest: WriteIngest) -> None:
    folder = write_ingest([HARBOUR])
    build_index(folder, encoders=[])
    write_ingest([HARBOUR, LIGHTHOUSE])
    with pytest.raises(IndexStale, match="make index"):
        open_index(folder)


def test_a_stale_index_still_answers_who_admits_that(write_ingest: WriteIngest) -> None:
    folder = write_ingest([HARBOUR])
    build_index(folder, encoders=[])
    with closing(open_index(folder, admit_stale=True)) as searcher:
        assert not searcher.is_stale
        wanted = searcher.search(["harbour"], k=3)
    write_ingest([HARBOUR, LIGHTHOUSE])
    with closing(open_index(folder, admit_stale=True)) as searcher:
        assert searcher.is_stale
        assert searcher.search(["harbour"], k=3) == wanted != [[]]


@pytest.mark.parametrize(
    "name",
    [
        "chunks/records.blob.npy",
        "chunks/document.npy",
        "lexical/content/documents.npy",
        "lexical/stop/terms.offsets.npy",
        "dense/hash/vectors.npy",
    ],
)
@pytest.mark.parametrize("damage", ["truncated", "absent"])
def test_a_short_or_absent_file_is_refused_by_name_and_built_anew(
    three_documents: Path, name: str, damage: str
) -> None:
    build_index(three_documents, encoders=[CARD])
    path = three_documents / "index" / "generations" / "1" / name
    if damage == "absent":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(IndexCorrupt, match=name):
        open_index(three_documents)
    assert build_index(three_documents, encoders=[CARD]).generation == 2
    assert hits(three_documents)


def test_verify_reads_every_byte(three_documents: Path) -> None:
    build_index(three_documents, encoders=[CARD])
    path = three_documents / "index" / "generations" / "1" / "lexical" / "content" / "lengths.npy"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    open_index(three_documents).close()
    with pytest.raises(IndexCorrupt, match=r"lexical/content/lengths\.npy"):
        verify_index(three_documents)


def test_legs_of_other_chunks_are_refused(write_ingest: WriteIngest) -> None:
    """A sidecar of another index whose files have the right sizes: rows would shift."""
    folder = write_ingest([HARBOUR])
    build_index(folder, encoders=[CARD])
    other = (folder / "index" / "generations" / "1" / "dense" / "hash").rename(folder / "kept")
    write_ingest([replace(HARBOUR, doc_id="d_7")])
    build_index(folder, encoders=[CARD])
    current = folder / "index" / "generations" / "2" / "dense" / "hash"
    for file in other.iterdir():
        (current / file.name).write_bytes(file.read_bytes())
    with pytest.raises(IndexCorrupt, match="'hash'"):
        open_index(folder, encoders=[CARD])


def test_another_encoder_than_that_of_the_build_is_refused(three_documents: Path) -> None:
    build_index(three_documents, encoders=[CARD])
    with pytest.raises(EmbedderMismatch, match=r"^\[200029\] encoder 'hash' has sha256"):
        open_index(three_documents, encoders=[replace(CARD, sha256="0" * 64)])
    with pytest.raises(EmbedderMismatch, match="no vectors of encoder 'other'"):
        open_index(three_documents, encoders=[hash_card(name="other")])


@pytest.mark.parametrize(
    ("text", "message"),
    [("7\n", "generation '7'"), ("x", "generation 'x'"), ("", "generation ''")],
)
def test_a_damaged_pointer_is_refused(three_documents: Path, text: str, message: str) -> None:
    build_index(three_documents, encoders=[])
    (three_documents / "index" / "CURRENT").write_text(text)
    with pytest.raises(IndexCorrupt, match=message):
        open_index(three_documents)


@pytest.mark.parametrize("text", ["{", "[]", '{"schema": 1, "format": 0}', '{"schema": 99}'])
def test_a_damaged_or_foreign_manifest_is_refused_and_built_anew(
    three_documents: Path, text: str
) -> None:
    build_index(three_documents, encoders=[])
    (three_documents / "index" / "generations" / "1" / "manifest.json").write_text(text)
    with pytest.raises(IndexCorrupt):
        open_index(three_documents)
    assert build_index(three_documents, encoders=[]).generation == 2


def test_opening_and_searching_write_nothing(three_documents: Path) -> None:
    build_index(three_documents, encoders=[CARD])

    def listing() -> dict[str, tuple[int, int]]:
        files = (three_documents / "index").rglob("*")
        return {str(f): (f.stat().st_mtime_ns, f.stat().st_size) for f in files}

    before = listing()
    time.sleep(0.01)
    hits(three_documents)
    assert listing() == before


def say_in_corpus_toml(folder: Path, search: dict[str, object]) -> None:
    manifest = folder / "ingest" / "manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"search": search}))


def test_a_corpus_may_have_settings_of_its_own(three_documents: Path) -> None:
    say_in_corpus_toml(three_documents, {"k1": 0.9, "bridges": {"sources": 0}})
    config = build_index(three_documents, encoders=[]).config
    assert (config.k1, config.bridges.sources, config.b) == (0.9, 0, IndexConfig().b)
    say_in_corpus_toml(three_documents, {})
    assert build_index(three_documents, encoders=[]).config == IndexConfig()


@pytest.mark.parametrize("search", [{"weight_dense": 2}, {"colour": "red"}, {"fusion": "sum"}])
def test_a_setting_that_cannot_be_is_named(three_documents: Path, search: dict) -> None:
    say_in_corpus_toml(three_documents, search)
    with pytest.raises(IndexingError, match=r"corpus.toml: \[search\] .*; keys are backend"):
        build_index(three_documents, encoders=[])
