"""Whatever has happened to a folder, its store is that of a first ingest of what lies there now."""

import io
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from ingest import IngestProgress
from tests.ingest.store_dump import dump
from tests.ingest.test_ingest_members import mail_with
from tests.ingest.workbench import Workbench


def zipped(**files: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name), text)
    return packed.getvalue()


def fresh(bench: Workbench, tmp_path: Path) -> Workbench:
    return replace(bench, build=tmp_path / "fresh")


def test_members_of_a_container_in_a_folder_whose_name_ends_like_one_are_kept(
    bench: Workbench, tmp_path: Path
) -> None:
    bench.write("Urgent!/a.eml", mail_with(**{"b.txt": "The seal costs 4 EUR.\n"}).as_bytes())
    bench.write("Urgent!/box.zip", zipped(**{"c.txt": "The pump is green.\n"}))
    bench.ingest()

    second = bench.ingest()

    assert second.changes["unchanged"] == 4
    fresh(bench, tmp_path).ingest()
    assert dump(bench) == dump(fresh(bench, tmp_path))


def test_a_member_shows_again_when_the_file_that_had_its_path_is_gone(
    bench: Workbench, tmp_path: Path
) -> None:
    bench.write("box.zip", zipped(**{"c.txt": "The packed pump is green.\n"}))
    file = bench.write("box.zip!/c.txt", "The other pump is blue.\n")
    bench.ingest()
    file.unlink()

    bench.ingest()

    assert bench.document("box.zip!/c.txt").text == "The packed pump is green.\n"


@pytest.mark.parametrize("n_done", [1, 2, 3, 4])
def test_members_not_stored_before_a_kill_are_stored_after_it(
    bench: Workbench, tmp_path: Path, n_done: int
) -> None:
    bench.write("a.eml", mail_with(**{"b.txt": "Alpha.\n", "c.txt": "Beta.\n"}).as_bytes())
    bench.write("box.zip", zipped(**{"d.txt": "Gamma.\n", "e.txt": "Delta.\n"}))

    def die(progress: IngestProgress) -> None:
        if progress.files_done == n_done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bench.ingest(progress=die)

    bench.ingest()

    fresh(bench, tmp_path).ingest()
    assert dump(bench) == dump(fresh(bench, tmp_path))


def test_members_are_found_once_they_are_excluded_no_more(bench: Workbench, tmp_path: Path) -> None:
    bench.write("box.zip", zipped(**{"c.txt": "Gamma.\n", "d.csv": "part,price\nseal,4\n"}))
    bench.ingest(exclude=("**/*.csv",))

    bench.ingest()

    fresh(bench, tmp_path).ingest()
    assert dump(bench) == dump(fresh(bench, tmp_path))
    assert bench.document("box.zip!/d.csv").text == "part | price\nseal | 4"


def test_languages_named_later_reach_texts_that_were_read_before(
    bench: Workbench, tmp_path: Path
) -> None:
    bench.write("a.txt", "Die Pumpe ist dicht.")
    bench.write("box.zip", zipped(**{"c.txt": "Die Dichtung ist neu.\n"}))
    bench.ingest()
    assert bench.document("a.txt").language == "en"

    report = bench.ingest(languages=("de",))

    assert bench.document("a.txt").language == "de"
    fresh(bench, tmp_path).ingest(languages=("de",))
    assert dump(bench) == dump(fresh(bench, tmp_path))
    assert report.changes["unchanged"] == 1  # the container


def test_new_settings_hold_for_all_files_after_a_kill(bench: Workbench, tmp_path: Path) -> None:
    bench.write("a.txt", "Die Pumpe ist dicht.")
    bench.write("b.txt", "Die Dichtung ist neu.")
    bench.ingest()

    def die(progress: IngestProgress) -> None:
        raise KeyboardInterrupt(progress.path)

    with pytest.raises(KeyboardInterrupt):
        bench.ingest(progress=die, languages=("de",))
    bench.ingest(languages=("de",))

    fresh(bench, tmp_path).ingest(languages=("de",))
    assert dump(bench) == dump(fresh(bench, tmp_path))
