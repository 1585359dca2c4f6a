"""``deepsearch ingest``: what it prints while it works, at its end, and of a dry run."""

import gzip
import json
from pathlib import Path

import pytest

from ingest.preview import IngestPreview, Rename
from ingest.report import IngestProgress, IngestReport, NearDuplicate, Problem
from search_agent.cli.ingest_command import ingest_teller, render_preview, render_report
from search_agent.cli.main import main
from search_agent.cli.wiring import Wiring


class Told:
    """A progress that keeps what it is told."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def line(self, text: str) -> None:
        self.notes.append(text)

    def count(self, what: str, done: int, total: int, note: str = "") -> None:
        self.notes.append(f"{what} {done}/{total} {note}")


def test_progress_says_rates_and_what_is_left_by_the_bytes_that_are_left() -> None:
    told = Told()
    tell = ingest_teller(told)
    start = IngestProgress(
        files_done=1, files_total=9, path="a.txt", pages=0, chunks=0, seconds=3.0
    )
    half = IngestProgress(
        files_done=5,
        files_total=9,
        path="b.pdf",
        pages=80,
        chunks=400,
        seconds=43.0,
        reading_s=40.0,
        bytes_done=1_000_000,
        bytes_total=4_000_000,
    )

    tell(start)
    tell(half)

    assert told.notes == [
        "files 1/9 0 chunks, a.txt",
        "files 5/9 400 chunks, 2.0 pages/s, 10.0 chunks/s, 2 min left, b.pdf",
    ]
    assert half.left_s == 40.0 * 3_000_000 / 1_000_000


def test_a_report_ends_with_a_table_by_state_and_the_first_problems() -> None:
    report = IngestReport(
        documents={"ok": 120, "partial": 0, "corrupt": 21},
        changes={"added": 141, "unchanged": 0},
        segments=5_000,
        chunks=700,
        problems=[
            Problem(path=f"{n:02}.pdf", state="corrupt", reason="not a readable PDF")
            for n in range(21)
        ],
        duplicates=[
            NearDuplicate(path="b.txt", survivor="a.txt", similarity=0.93, reason="it is longer")
        ],
        seconds=12.34,
        fingerprint="0" * 64,
    )

    lines = render_report("contracts", report).splitlines()

    assert lines[:5] == [
        "contracts: 141 added",
        "  ok               120",
        "  corrupt           21",
        "  files            141",
        "5000 segments, 700 chunks, 12.3 s",
    ]
    assert lines[5] == "  corrupt: 00.pdf: not a readable PDF"
    assert lines[-2:] == [
        "  and 1 more problems; problems.jsonl lists all",
        "  near-duplicate: b.txt of a.txt (0.93); it is longer",
    ]


def test_a_preview_names_what_is_new_changed_renamed_and_gone() -> None:
    preview = IngestPreview(
        added=["new.txt"],
        changed=[],
        renamed=[Rename(before="a.txt", now="b.txt")],
        removed=["gone.txt"],
        unchanged=7,
        problems=[Problem(path="pipe", state="refused", reason="not a regular file")],
        to_read=1,
        to_read_bytes=10,
        seconds=0.1,
    )

    assert render_preview("contracts", preview).splitlines() == [
        "contracts: 1 added, 1 renamed, 1 removed, 7 unchanged (dry run, nothing was written)",
        "1 to read, 10 bytes",
        "  added: new.txt",
        "  renamed: a.txt -> b.txt",
        "  removed: gone.txt",
        "  refused: pipe: not a regular file",
    ]


def run(*arguments: str) -> int:
    wiring = Wiring(forbid_connections=lambda: None)
    return main(("ingest", *arguments, "--encoder", "hash", "--quiet"), wiring=wiring)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    source = tmp_path / "contracts"
    source.mkdir()
    (source / "a.txt").write_text("Alpha is here.", encoding="utf-8")
    return source


def test_a_dry_run_prints_a_preview_and_makes_no_build(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build = tmp_path / "build"

    assert run(str(folder), "--dry-run", "--json", "--build-folder", str(build)) == 0

    printed = json.loads(capsys.readouterr().out)
    assert (printed["schema"], printed["added"], printed["to_read"]) == (1, ["a.txt"], 1)
    assert not build.exists()


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (("--dry-run", "--watch"), "--dry-run writes nothing and ends"),
        (("--collection", "--watch"), "are for folders, not for a test collection"),
        (("--watch", "second"), "--watch watches one source, 2 were given"),
    ],
)
def test_flags_that_exclude_each_other_are_told(
    folder: Path, flags: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(str(folder), *flags) == 2
    assert says in capsys.readouterr().err


def test_a_folder_with_records_and_queries_is_a_test_collection(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = b'{"_id": "7", "text": "A record."}\n{"_id": "8", "text": "Another."}\n'
    (folder / "corpus.jsonl.gz").write_bytes(gzip.compress(records))
    (folder / "queries.jsonl").write_text('{"_id": "q", "text": "?"}\n', encoding="utf-8")

    assert run(str(folder), "--build-folder", str(tmp_path / "build")) == 0

    assert "contracts: 2 added" in capsys.readouterr().out  # the records; a.txt is no part of it
    assert run(str(folder), "--dry-run") == 2
    assert "not for a test collection" in capsys.readouterr().err


def test_workers_zero_reads_in_this_process(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "page.html").write_text("<p>Words of a page.</p>", encoding="utf-8")

    code = run(str(folder), "--workers", "0", "--build-folder", str(tmp_path / "build"))

    assert code == 0
    assert capsys.readouterr().out.splitlines()[:3] == [
        "contracts: 2 added",
        "  ok                 2",
        "  files              2",
    ]


@pytest.mark.parametrize(
    ("assignment", "says"),
    [
        ("max_reader_wall_s=0", "--set max_reader_wall_s=0: Input should be greater than 0"),
        ("wall=5", "--set wall=5: Extra inputs are not permitted; keys are max_file_bytes"),
        ("wall", "--set 'wall' is not KEY=VALUE"),
    ],
)
def test_a_setting_that_there_is_not_or_that_is_out_of_range_is_one_line(
    folder: Path, assignment: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(str(folder), "--set", assignment) == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1


def test_a_setting_counts(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build = ("--build-folder", str(tmp_path / "build"))
    (folder / "long.txt").write_text("Words. " * 100, encoding="utf-8")

    assert run(str(folder), "--set", "max_file_bytes=100", *build) == 0
    assert "refused: long.txt" in capsys.readouterr().out
