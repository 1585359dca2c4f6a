"""Builds over a changed corpus: what is analysed again; the result is that of a rebuild."""

import random
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from index import IndexProgress, build_index
from index.manifest import IndexManifest
from index.update_lexical import match_rows
from tests.index.small_ingest import CHINESE, HARBOUR, LIGHTHOUSE, Source, WriteIngest

HARBOUR_LONGER = replace(HARBOUR, text=f"A new first line.\n{HARBOUR.text}")


def work(manifest: IndexManifest) -> tuple[int, int]:
    return manifest.lexical.analysed, manifest.lexical.reused


def rebuilt(build_folder: Path) -> IndexManifest:
    shutil.rmtree(build_folder / "index")
    return build_index(build_folder, encoders=[])


@pytest.mark.parametrize(
    ("after", "analysed", "reused"),
    [
        ([HARBOUR], 0, 2),
        ([HARBOUR, LIGHTHOUSE, Source(doc_id="d_9", text="A quay.")], 1, 3),
        ([HARBOUR_LONGER, LIGHTHOUSE], 1, 3),  # spans moved, texts did not
        ([replace(HARBOUR, doc_id="d_7"), LIGHTHOUSE], 0, 3),  # behind the other one now
        ([replace(HARBOUR, title="Report"), LIGHTHOUSE], 2, 1),  # the header is indexed
        ([replace(HARBOUR, labels=("secret",)), LIGHTHOUSE], 0, 3),
        ([LIGHTHOUSE, replace(LIGHTHOUSE, doc_id="d_8", uri="corpus:///a.md")], 1, 1),
        ([Source(doc_id="d_9", text="A quay.")], 1, 0),
    ],
)
def test_only_texts_that_are_new_are_analysed(
    write_ingest: WriteIngest, after: list[Source], analysed: int, reused: int
) -> None:
    build_index(write_ingest([HARBOUR, LIGHTHOUSE]), encoders=[])
    updated = build_index(write_ingest(after), encoders=[])
    assert work(updated) == (analysed, reused)
    assert rebuilt(write_ingest(after)).files == updated.files


def test_a_language_more_changes_the_analyzer_and_all_is_analysed(
    write_ingest: WriteIngest,
) -> None:
    build_index(write_ingest([HARBOUR, LIGHTHOUSE]), encoders=[])
    heard: list[IndexProgress] = []
    folder = write_ingest([HARBOUR, LIGHTHOUSE, CHINESE])
    assert work(build_index(folder, encoders=[], progress=heard.append)) == (4, 0)
    lexical = [report for report in heard if report.stage == "lexical"]
    assert [(report.done, report.total, report.reused) for report in lexical] == [(4, 4, 0)]


@pytest.mark.parametrize("name", ["chunks/terms_keys.npy", "lexical/content/impacts.npy"])
def test_postings_that_are_not_as_written_are_not_taken_over(
    write_ingest: WriteIngest, name: str
) -> None:
    folder = write_ingest([HARBOUR, LIGHTHOUSE])
    build_index(folder, encoders=[])
    path = folder / "index" / "generations" / "1" / name
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    updated = build_index(write_ingest([LIGHTHOUSE, HARBOUR_LONGER]), encoders=[])
    assert work(updated) == (4, 0)
    assert rebuilt(folder).files == updated.files


def test_random_changes_give_the_files_of_a_rebuild(write_ingest: WriteIngest) -> None:
    chance = random.Random(3)
    words = ["storm", "lamp", "HK-204/B", "the", "of", "库容", "quay", "Bremen"]
    corpus: dict[str, Source] = {}
    for _ in range(12):
        for _ in range(8):
            doc_id = f"d_{chance.randrange(30)}"
            if corpus.pop(doc_id, None) is None or chance.random() < 0.5:
                lines = [" ".join(chance.choices(words, k=5)) for _ in range(chance.randrange(4))]
                corpus[doc_id] = Source(doc_id=doc_id, text="\n".join(["the", *lines]), title="t")
        folder = write_ingest([*corpus.values()])
        updated = build_index(folder, encoders=[])
    assert updated.lexical.reused > updated.lexical.analysed > 0
    assert rebuilt(folder).files == updated.files


def test_equal_keys_are_matched_in_their_order() -> None:
    old = np.array([[7] * 16, [0] * 16, [7] * 16, [5] * 16, [7] * 16], dtype=np.uint8)
    new = np.array([[7] * 16, [9] * 16, [5] * 16, [7] * 16, [0] * 16], dtype=np.uint8)
    assert match_rows(old, new).tolist() == [0, 4, 3, 2, -1]
    assert match_rows(old[:0], new).tolist() == []
    assert match_rows(old, new[:0]).tolist() == [-1] * 5
