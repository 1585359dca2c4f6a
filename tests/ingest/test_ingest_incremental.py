"""The second ingest: only the work that is new, and the same result as a first one."""

import os
import stat
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from corpora.card import CorpusCard, LabelRule
from corpora.manifest import read_manifest
from ingest import IngestBusy, IngestConfig, IngestError, IngestProgress, ingest_corpus
from ingest.lock import locked
from tests.ingest.capabilities import file_modes_respected
from tests.ingest.workbench import Workbench


def nonzero(counts: Mapping[str, int]) -> dict[str, int]:
    return {name: n for name, n in counts.items() if n}


def test_the_report_counts_states_and_changes(bench: Workbench) -> None:
    bench.write("a.md", "# A\n\nAlpha is here.")
    bench.write("b/a.md", "# A\n\nAlpha is here.")
    bench.write("empty.txt", "")
    bench.write("image.gif", b"GIF89a" + b"\x00" * 50)

    report = bench.ingest()

    assert nonzero(report.documents) == {"ok": 1, "duplicate": 1, "empty": 1, "unsupported": 1}
    assert nonzero(report.changes) == {"added": 4}
    assert [(p.path, p.reason) for p in report.problems] == [
        ("empty.txt", "zero bytes"),
        ("image.gif", "GIF image: no reader for it"),
    ]
    keys = "schema documents changes segments chunks problems duplicates seconds fingerprint"
    assert list(report.model_dump(by_alias=True)) == keys.split()
    assert len(report.documents) == 12


def test_equal_bytes_are_one_document_in_two_places(bench: Workbench) -> None:
    bench.write("a.md", "Alpha.")
    bench.write("b/a.md", "Alpha.")

    bench.ingest()

    document = bench.document("a.md")
    uris = [location.uri for location in bench.store().locations(document.doc_id)]
    assert uris == ["corpus:///a.md", "corpus:///b/a.md"]
    assert document.doc_id == "d_" + document.source_sha256[:16]


def test_an_unchanged_second_run_rewrites_nothing(bench: Workbench) -> None:
    bench.write("a.md", "Alpha.")
    bench.write("bad.pdf", b"%PDF-1.4 nonsense")
    first = bench.ingest()
    before = {p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in bench.build.glob("*.json*")}

    second = bench.ingest()

    assert nonzero(second.changes) == {"unchanged": 2}
    assert second.fingerprint == first.fingerprint
    after = {p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in bench.build.glob("*.json*")}
    assert after == before
    assert set(before) == {"manifest.json", "near_duplicates.jsonl", "problems.jsonl"}


def test_a_changed_file_makes_history_of_its_document(bench: Workbench) -> None:
    bench.write("a.md", "Old words.")
    bench.write("b.md", "Other words.")
    bench.ingest()
    old = bench.document("a.md")
    bench.write("a.md", "New words stand here.")

    report = bench.ingest()

    assert nonzero(report.changes) == {"changed": 1, "unchanged": 1}
    new = bench.document("a.md")
    store = bench.store()
    assert store.standing(old.doc_id) == (False, new.doc_id)
    assert store.document(old.doc_id) == old
    assert old.doc_id not in {chunk.doc_id for chunk in store.chunks()}
    assert store.segments(old.doc_id)


def test_a_deleted_file_keeps_its_text_but_not_its_chunks_or_places(bench: Workbench) -> None:
    bench.write("a.md", "Old words.")
    bench.write("b.md", "Other words.")
    bench.ingest()
    old = bench.document("a.md")
    (bench.source / "a.md").unlink()

    report = bench.ingest()

    assert nonzero(report.changes) == {"removed": 1, "unchanged": 1}
    store = bench.store()
    assert store.standing(old.doc_id) == (False, None)
    assert store.locations(old.doc_id) == []
    assert store.document(old.doc_id) is not None


def test_a_deleted_file_that_comes_back_is_current_again(bench: Workbench) -> None:
    file = bench.write("a.md", "Old words.")
    bench.write("b.md", "Other words.")
    first = bench.ingest()
    file.unlink()
    bench.ingest()
    bench.write("a.md", "Old words.")

    report = bench.ingest()

    assert nonzero(report.changes) == {"added": 1, "unchanged": 1}
    assert report.fingerprint == first.fingerprint
    assert bench.store().standing(bench.document("a.md").doc_id) == (True, None)


def test_a_renamed_file_keeps_its_document_and_takes_the_new_names_title(bench: Workbench) -> None:
    file = bench.write("draft.txt", "Words of the report.")
    bench.ingest()
    before = bench.document("draft.txt")
    (bench.source / "sub").mkdir()
    file.rename(bench.source / "sub" / "final.txt")

    report = bench.ingest()

    assert nonzero(report.changes) == {"renamed": 1}
    after = bench.document("sub/final.txt")
    assert (after.doc_id, after.title) == (before.doc_id, "final")
    (chunk,) = bench.store().chunks()
    assert chunk.header == "final"


def test_a_rename_that_changes_the_format_reads_again(bench: Workbench) -> None:
    file = bench.write("a.txt", "# Not a heading in plain text\n")
    bench.ingest()
    file.rename(bench.source / "a.md")

    bench.ingest()

    assert bench.segment("a.md", "Not a heading in plain text").kind == "heading"


def test_the_first_place_going_leaves_the_second(bench: Workbench) -> None:
    bench.write("a.txt", "The words.")
    bench.write("b.txt", "The words.")
    bench.ingest()
    (bench.source / "a.txt").unlink()

    report = bench.ingest()

    assert nonzero(report.documents) == {"ok": 1}
    assert bench.document("b.txt").title == "b"


def test_any_history_leads_to_the_fingerprint_of_a_first_ingest(
    bench: Workbench, tmp_path: Path
) -> None:
    bench.write("a.txt", "One thing.")
    bench.write("c.txt", "Three things.")
    bench.ingest()
    bench.write("b.txt", "One thing.")
    bench.write("c.txt", "Now four things.")
    (bench.source / "a.txt").unlink()
    grown = bench.ingest()

    fresh = replace(bench, build=tmp_path / "fresh").ingest()

    assert grown.fingerprint == fresh.fingerprint


def test_a_touched_file_is_unchanged(bench: Workbench) -> None:
    file = bench.write("a.md", "Alpha.")
    first = bench.ingest()
    os.utime(file, (1, 1))

    second = bench.ingest()

    assert nonzero(second.changes) == {"unchanged": 1}
    assert second.fingerprint == first.fingerprint


def test_work_done_before_a_kill_is_kept(bench: Workbench) -> None:
    for n in range(6):
        bench.write(f"{n}.txt", f"File number {n}.")

    def die_at_three(progress: IngestProgress) -> None:
        if progress.files_done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bench.ingest(progress=die_at_three)
    assert read_manifest(bench.build) is None
    assert bench.store().counts()["documents"] == 3

    report = bench.ingest()

    assert nonzero(report.changes) == {"unchanged": 3, "added": 3}
    assert report.chunks == 6


def test_progress_is_told_after_each_file(bench: Workbench) -> None:
    bench.write("a.txt", "Alpha.")
    bench.write("b.txt", "Beta.")
    told: list[IngestProgress] = []

    bench.ingest(progress=told.append)

    assert [(p.files_done, p.files_total, p.path, p.chunks) for p in told] == [
        (1, 2, "a.txt", 1),
        (2, 2, "b.txt", 2),
    ]


def test_a_known_failure_is_read_again_only_on_demand(bench: Workbench) -> None:
    bench.write("good.txt", "Fine.")
    bad = bench.write("bad.csv", "x," + "y" * 200_000)
    first = bench.ingest()
    assert [p.state for p in first.problems] == ["corrupt"]
    # The same stat with other bytes: only a run that reads the file can notice.
    status = bad.stat()
    bad.write_text("x," + "y," * 100_000, encoding="utf-8")
    os.utime(bad, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert bad.stat().st_size == status.st_size

    again = bench.ingest()
    retried = bench.ingest(IngestConfig(rehash=True))

    assert [p.state for p in again.problems] == ["corrupt"]
    assert retried.problems == []


def test_one_bad_file_among_good_ones_stops_nothing(bench: Workbench) -> None:
    bench.write("a.txt", "Alpha.")
    bench.write("bad.docx", b"PK\x03\x04 broken")
    bench.write("bad.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "Workbook".encode("utf-16-le"))
    bench.write("program", b"\x7fELF" + bytes(range(256)))
    os.mkfifo(bench.source / "pipe")
    (bench.source / "loop").symlink_to(bench.source / "loop")
    (bench.source / "out").symlink_to("/etc/hostname")
    bench.write("big.txt", "x" * 5000)
    bench.write("z.txt", "Omega.")

    report = bench.ingest(IngestConfig(max_file_bytes=4000))

    states = {problem.path: problem.state for problem in report.problems}
    assert states == {
        "bad.docx": "corrupt",
        "bad.xlsx": "corrupt",
        "big.txt": "refused",
        "loop": "refused",
        "out": "refused",
        "pipe": "refused",
        "program": "unsupported",
    }
    assert report.documents["ok"] == 2


def test_a_file_without_permission_is_unreadable(bench: Workbench) -> None:
    bench.write("a.txt", "Alpha.")
    bench.write("b.txt", "Beta.").chmod(0)

    with file_modes_respected():
        report = bench.ingest()

    assert [(p.path, p.state) for p in report.problems] == [("b.txt", "unreadable")]


def test_a_file_name_that_is_no_utf8_is_refused(bench: Workbench) -> None:
    bench.write("a.txt", "Alpha.")
    (bench.source / os.fsdecode(b"caf\xe9.txt")).write_text("Beta.", encoding="utf-8")

    report = bench.ingest()

    assert [(p.path, p.state) for p in report.problems] == [("caf\\xe9.txt", "refused")]


def test_globs_choose_files_and_labels(bench: Workbench) -> None:
    bench.write("open/a.txt", "Alpha.")
    bench.write("hr/pay/b.txt", "Beta.")
    bench.write("hr/skip.log", "Gamma.")
    bench.write(".git/config", "Delta.")

    bench.ingest(
        exclude=("**/.*", "**/.*/**", "**/*.log"),
        label_rules=(LabelRule(glob="hr/**", labels=("restricted",)),),
    )

    store = bench.store()
    assert {doc.uri: doc.labels for doc in store.documents()} == {
        "corpus:///open/a.txt": (),
        "corpus:///hr/pay/b.txt": ("restricted",),
    }
    assert sorted(chunk.labels for chunk in store.chunks()) == [(), ("restricted",)]


def test_new_labels_reach_documents_that_are_not_read_again(bench: Workbench) -> None:
    bench.write("a.txt", "Alpha.")
    bench.ingest()

    bench.ingest(label_rules=(LabelRule(glob="*.txt", labels=("restricted",)),))

    assert [chunk.labels for chunk in bench.store().chunks()] == [("restricted",)]


def test_another_chunk_size_rechunks_from_stored_segments(bench: Workbench) -> None:
    bench.write("a.txt", " ".join(f"Sentence number {n} stands here." for n in range(60)))
    large = bench.ingest()

    small = bench.ingest(IngestConfig(chunk_tokens=40))

    assert small.chunks > large.chunks
    assert small.segments == large.segments
    assert nonzero(small.changes) == {"unchanged": 1}


def test_what_supersedes_what_is_kept_with_the_newer(bench: Workbench) -> None:
    bench.write("v1.txt", "Old rule.")
    bench.write("v2.txt", "New rule.")

    bench.ingest(supersedes={"v2.txt": "v1.txt"})

    assert bench.document("v2.txt").metadata == {"supersedes": "corpus:///v1.txt"}


def test_a_second_ingest_at_the_same_time_is_told_so(bench: Workbench) -> None:
    bench.write("a.txt", "Alpha.")
    bench.ingest()

    with locked(bench.build), pytest.raises(IngestBusy, match="another ingest is writing"):
        bench.ingest()


def test_a_folder_of_another_corpus_is_refused(bench: Workbench, tmp_path: Path) -> None:
    bench.write("a.txt", "Alpha.")
    bench.ingest()
    other = tmp_path / "other"
    other.mkdir()
    (other / "b.txt").write_text("Beta.", encoding="utf-8")

    with pytest.raises(IngestError, match="of another folder"):
        ingest_corpus(CorpusCard(name="other", root=other), bench.build, encoder=bench.encoder)
    assert str(tmp_path) not in (bench.build / "manifest.json").read_text(encoding="utf-8")


def test_an_empty_folder_changes_nothing(bench: Workbench) -> None:
    file = bench.write("a.txt", "Alpha.")
    bench.ingest()
    file.unlink()

    with pytest.raises(IngestError, match="no file in"):
        bench.ingest()
    assert bench.document("a.txt").text == "Alpha."


def test_a_folder_without_text_is_an_error_that_names_the_states(bench: Workbench) -> None:
    bench.write("a.txt", "")
    bench.write("b.txt", "   \n")

    with pytest.raises(IngestError, match=r"no text found in 2 files \(2 empty\)"):
        bench.ingest()
    assert read_manifest(bench.build) is None


def test_the_folder_is_for_its_owner_alone(bench: Workbench) -> None:
    bench.write("a.txt", "Alpha.")

    bench.ingest()

    assert stat.S_IMODE(bench.build.stat().st_mode) == 0o700


def test_the_manifest_says_how_chunks_were_made(bench: Workbench) -> None:
    bench.write("a.txt", "Alpha.")
    bench.write("b.txt", "")

    report = bench.ingest()

    manifest = read_manifest(bench.build)
    assert manifest is not None
    assert manifest["fingerprint"] == report.fingerprint
    assert (manifest["chunking"]["max_tokens"], manifest["chunking"]["header"]) == (256, 32)
    counts = manifest["counts"]
    assert (counts["read"], counts["written"]) == (2, 1)
    assert counts["skipped"] == {"empty": {"files": 1, "reasons": {"zero bytes": 1}}}
