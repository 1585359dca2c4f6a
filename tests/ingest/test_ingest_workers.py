"""Files are read in worker processes: one that kills, blocks or fills its worker costs one row."""

import hashlib
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from corpora.card import CorpusCard
from ingest import ExtractionFailed, IngestConfig, IngestError, IngestReport
from ingest.assemble import Assembled
from ingest.errors import WorkersUnusable
from ingest.job import JobSetup, ReadJob
from ingest.job_desk import are_gentle
from ingest.plan import Content
from ingest.scan import ScannedFile
from ingest.worker_pool import WorkerPool
from tests.ingest.hostile_parser import HOOK
from tests.ingest.workbench import Workbench

HOSTILE = IngestConfig(parser=HOOK, workers=2, max_reader_memory_bytes=900 * 2**20)


def outcomes(report: IngestReport) -> dict[str, tuple[str, str]]:
    return {problem.path: (problem.state, problem.reason) for problem in report.problems}


def dump(bench: Workbench) -> list[object]:
    """All that is stored, in order, but for times of ingests."""
    store = bench.store()
    found: list[object] = [*store.documents(), *store.chunks()]
    for document in store.documents():
        found += [*store.segments(document.doc_id), *store.locations(document.doc_id)]
    store.close()
    return found


def test_whatever_a_file_does_to_its_worker_is_one_row_and_the_others_are_read(
    bench: Workbench,
) -> None:
    bench.write("a.txt", "Alpha is here.")
    bench.write("b-exit.txt", "EXIT now")
    bench.write("c-segfault.txt", "SEGFAULT now")
    bench.write("d-killed.txt", "KILLED by the system")
    bench.write("e-eat.txt", "EAT everything")
    bench.write("f-raise.txt", "RAISE a fault")
    bench.write("g-chat.txt", "CHAT loudly")
    bench.write("z.txt", "Omega is here.")

    found = outcomes(bench.ingest(HOSTILE))

    state, reason = found.pop("f-raise.txt")
    assert state == "crashed"
    assert re.fullmatch(r"hook: KeyError at hostile_parser.py:\d+: 'a'", reason)
    memory = "out of memory; max_reader_memory_bytes allows 943718400"
    assert found == {
        "b-exit.txt": ("crashed", "hook: the process left with code 3"),
        "c-segfault.txt": ("crashed", "hook: the process was ended by SIGSEGV"),
        "d-killed.txt": (
            "crashed",
            "hook: the process was killed, most likely as memory ran out",
        ),
        "e-eat.txt": ("crashed", f"hook: {memory}"),
    }
    assert [bench.document(name).text for name in ("a.txt", "g-chat.txt", "z.txt")] == [
        "Alpha is here.",
        "CHAT loudly",
        "Omega is here.",
    ]


def test_a_file_that_takes_too_long_is_a_timeout_by_the_clock_and_by_the_cpu(
    bench: Workbench,
) -> None:
    bench.write("a.txt", "Alpha is here.")
    bench.ingest(HOSTILE)
    bench.write("sleep.txt", "SLEEP for an hour")
    by_clock = HOSTILE.model_copy(update={"max_reader_wall_s": 1.0})

    assert outcomes(bench.ingest(by_clock)) == {
        "sleep.txt": ("timeout", "hook: not read after 1 s (max_reader_wall_s)")
    }

    (bench.source / "sleep.txt").unlink()
    bench.write("spin.txt", "SPIN for ever")
    by_cpu = HOSTILE.model_copy(update={"max_reader_cpu_s": 1})

    assert outcomes(bench.ingest(by_cpu)) == {
        "spin.txt": ("timeout", "hook: not read after 1 s of CPU (max_reader_cpu_s)")
    }
    assert bench.document("a.txt").text == "Alpha is here."


def test_what_is_stored_does_not_depend_on_where_files_are_read(
    bench: Workbench, tmp_path: Path
) -> None:
    for n in range(9):
        bench.write(f"{n}.md", f"# Part {n}\n\n{f'Sentence {n} of it. ' * (1 + n % 7)}\n")
    bench.write("5.html", "<h1>Page</h1><p>Words of a page.</p>")
    bench.write("7.docx", b"PK\x03\x04 broken")
    seen = []
    for workers in (0, 2):
        told: list[str] = []
        place = replace(bench, build=tmp_path / str(workers))
        report = place.ingest(
            IngestConfig(workers=workers, recycle_after_files=8),
            progress=lambda step, told=told: told.append(step.path),
        )
        assert outcomes(report).keys() == {"7.docx"}
        assert told == sorted(told)
        seen.append((report.fingerprint, report.problems, dump(place)))

    assert seen[0] == seen[1]


def test_results_come_in_the_order_of_jobs_however_many_workers_do_them(bench: Workbench) -> None:
    contents = ["DELAY 0.8 for the first", "EXIT now", *(f"File number {n}." for n in range(9))]
    jobs = []
    for n, text in enumerate(contents):
        file = ScannedFile(path=f"{n}.txt", file=bench.write(f"{n}.txt", text), size=len(text))
        sha256 = hashlib.sha256(text.encode()).hexdigest()
        jobs.append(ReadJob(content=Content(sha256=sha256, files=(file,))))
    card = CorpusCard(name="bench", root=bench.source)
    setup = JobSetup(card=card, encoder=bench.encoder, config=HOSTILE, folder=bench.build)
    with closing(WorkerPool(setup)) as pool:
        results = list(pool.results(jobs, n_workers=3))

    died = results.pop(1)
    assert isinstance(died, ExtractionFailed)
    assert [result.document.text for result in results if isinstance(result, Assembled)] == [
        contents[0],
        *contents[2:],
    ]


def test_what_earlier_files_left_in_a_worker_is_not_held_against_a_later_one(
    bench: Workbench,
) -> None:
    bench.write("a.txt", "LEAK half of the memory")
    bench.write("b.txt", "LEAK the other half")
    bench.write("c.txt", "LEAK what is not there")
    bench.write("d.txt", f"ONCE {bench.build / 'once'} it dies")

    report = bench.ingest(HOSTILE.model_copy(update={"workers": 1}))

    assert report.problems == []
    assert report.documents["ok"] == 4


def test_a_reader_cannot_write_files(bench: Workbench, tmp_path: Path) -> None:
    bench.write("a.txt", "Alpha.")
    bench.write("w.txt", f"WRITE {tmp_path / 'stolen'}")

    report = bench.ingest(HOSTILE)

    ((state, reason),) = outcomes(report).values()
    assert (state, "File too large" in reason) == ("crashed", True)
    assert (tmp_path / "stolen").read_bytes() == b""


def test_a_known_crash_is_not_tried_again_until_that_is_asked_for(bench: Workbench) -> None:
    bench.write("a.txt", "EXIT now")  # so that b meets a fresh worker, whose verdict stands
    bench.write("b.txt", f"ONCE {bench.build / 'once'} it dies")
    bench.write("c.txt", "Gamma.")
    one = HOSTILE.model_copy(update={"workers": 1})

    assert outcomes(bench.ingest(one)).keys() == {"a.txt", "b.txt"}
    assert outcomes(bench.ingest(one)).keys() == {"a.txt", "b.txt"}
    again = bench.ingest(one.model_copy(update={"retry_problems": True}))

    assert outcomes(again).keys() == {"a.txt"}


def test_few_small_texts_start_no_process_and_anything_a_library_opens_does(
    bench: Workbench,
) -> None:
    jobs = {}
    for name, content in (
        ("text.txt", b"Alpha."),
        ("notes.md", b"# Alpha"),
        ("page.txt", b"<html><p>Alpha.</p>"),
        ("paper.txt", b"%PDF-1.4"),
        ("office.txt", b"PK\x03\x04"),
        ("long.txt", b"Alpha. " * 10_000),
        ("image.png", b"\x89PNG"),
        ("data.bin", b"\x00\x01\x02"),
    ):
        file = bench.write(name, content)
        scanned = ScannedFile(path=name, file=file, size=len(content))
        jobs[name] = ReadJob(content=Content(sha256="", files=(scanned,)))

    gentle = {name for name, job in jobs.items() if are_gentle([job], IngestConfig())}

    assert gentle == {"text.txt", "notes.md", "data.bin"}
    assert are_gentle([jobs["text.txt"]] * 49, IngestConfig())
    assert not are_gentle([jobs["text.txt"]] * 50, IngestConfig())
    assert not are_gentle([jobs["text.txt"]], HOSTILE)


def test_workers_that_do_not_start_are_told_in_one_line(bench: Workbench, tmp_path: Path) -> None:
    bench.write("a.html", "<p>Alpha.</p>")
    (tmp_path / "sitecustomize.py").write_text("import os; os._exit(7)", encoding="utf-8")
    sys.path.insert(0, str(tmp_path))
    try:
        with pytest.raises(WorkersUnusable, match="ended with code 7 before its first file"):
            bench.ingest(IngestConfig(workers=1))
    finally:
        sys.path.remove(str(tmp_path))


def test_a_parser_that_does_not_exist_is_told_before_anything_is_read(bench: Workbench) -> None:
    bench.write("a.txt", "Alpha.")

    with pytest.raises(IngestError, match=r"parser 'tests.ingest:nothing' cannot be found"):
        bench.ingest(IngestConfig(parser="tests.ingest:nothing"))


SCRIPT = """
    import signal
    from pathlib import Path
    from corpora.card import CorpusCard
    from corpora.encoder_card import EncoderCard
    from ingest import IngestConfig, ingest_corpus
    signal.signal(signal.SIGINT, signal.default_int_handler)  # shells may have it ignored
    card = CorpusCard(name="bench", root=Path({source!r}))
    encoder = EncoderCard(kind="hash", name="hash", folder=Path(), sha256="0" * 64,
                          dimension=64, max_tokens=256)
    ingest_corpus(card, Path({build!r}), encoder=encoder,
                  config=IngestConfig(workers=2, parser={hook!r}),
                  progress=lambda step: print(step.path, flush=True))
"""


@pytest.mark.parametrize("blow", [signal.SIGINT, signal.SIGKILL])
def test_an_ingest_that_is_stopped_leaves_what_was_stored_and_no_process(
    bench: Workbench, tmp_path: Path, blow: signal.Signals
) -> None:
    for n in range(5):
        bench.write(f"{n}.txt", f"File number {n}.")
    bench.write("5.txt", "SLEEP for an hour")
    script = tmp_path / "unguarded.py"  # no `if __name__ == "__main__"`: it must not run twice
    text = SCRIPT.format(source=str(bench.source), build=str(bench.build), hook=HOOK)
    script.write_text(textwrap.dedent(text), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        start_new_session=True,
    ) as running:
        try:
            assert running.stdout is not None
            for _ in range(5):
                running.stdout.readline()
            os.killpg(running.pid, blow) if blow == signal.SIGINT else running.kill()
            code = running.wait(60)
            left = processes_of_group(running.pid)
        finally:
            running.kill()
    assert (code, left) == (-blow, [])
    assert bench.store().counts()["documents"] == 5
    (bench.source / "5.txt").unlink()

    report = bench.ingest(HOSTILE)

    assert report.changes["unchanged"] == 5
    assert report.documents["ok"] == 5


def processes_of_group(group: int) -> list[int]:
    time.sleep(0.5)
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group and fields[0] != "Z":
            found.append(int(status.parent.name))
    return found
