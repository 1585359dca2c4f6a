"""Whatever has happened to a folder, its store is that of a first ingest of what lies there now."""

import io
import os
import random
import zipfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from corpora.card import LabelRule
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


FOLDERS = ("", "a/", "hr/", "Urgent!/", "box.zip!/")
NAMES = ("plan", "Plan", "2024-03-01 note", "caf\u00e9", "cafe\u0301")
RULES = (LabelRule(glob="hr/**", labels=("hr",)), LabelRule(glob="**/*.zip!/d*", labels=("d",)))


def some_file(draws: random.Random) -> tuple[str, bytes]:
    """A suffix and bytes: of a few texts, so that equal ones meet, alone or in a container."""
    texts = [f"# Pump {n}\n\nPump {n} is green.\n" for n in range(6)]
    inner = {f"{name}.txt": draws.choice(texts) for name in draws.sample("abcd", 2)}
    return draws.choice(
        [
            (draws.choice((".txt", ".md", ".MD")), draws.choice(texts).encode()),
            (".pdf", b"%PDF-1.4 nonsense"),
            (".zip", zipped(**inner)),
            (".eml", mail_with(**inner).as_bytes()),
        ]
    )


def change(folder: Path, draws: random.Random) -> None:
    """Add, replace, remove, move, swap or touch a file, or label it."""
    suffix, content = some_file(draws)
    place = folder / f"{draws.choice(FOLDERS)}{draws.choice(NAMES)}{suffix}"
    place.parent.mkdir(parents=True, exist_ok=True)
    files = sorted(file for file in folder.rglob("*") if file.is_file() and file.name != "keep.md")
    one, other = (draws.choice(files), draws.choice(files)) if files else (place, place)
    match draws.choice(["add", "add", "replace", "remove", "move", "swap", "touch", "label"]):
        case "add":
            place.write_bytes(content)
        case "replace":
            one.write_bytes(content if one.suffix != ".labels" else b"other")
        case "remove":
            one.unlink(missing_ok=True)
        case "move" if one.exists():
            one.rename(place)
        case "swap" if one.suffix == other.suffix and one != other:
            one.rename(folder / "aside")
            other.rename(one)
            (folder / "aside").rename(other)
        case "touch" if one.exists():
            os.utime(one)
        case "label" if one.exists():
            one.with_name(one.name + ".labels").write_text("board", encoding="utf-8")


@pytest.mark.parametrize("seed", range(4))
def test_any_history_with_kills_in_between_ends_as_a_first_ingest(
    bench: Workbench, tmp_path: Path, seed: int
) -> None:
    draws = random.Random(seed)
    bench.write("keep.md", "# Kept\n\nWords.\n")
    for step in range(4):
        for _ in range(6):
            change(bench.source, draws)
        rules = draws.sample(RULES, draws.randrange(3))
        last = draws.randint(1, 12)

        def die(progress: IngestProgress, last: int = last) -> None:
            if progress.files_done >= last:
                raise KeyboardInterrupt

        with suppress(KeyboardInterrupt):
            bench.ingest(progress=die, label_rules=tuple(rules))
        change(bench.source, draws)
        bench.ingest(label_rules=tuple(rules))

        first = replace(bench, build=tmp_path / f"fresh{step}")
        first.ingest(label_rules=tuple(rules))
        assert dump(bench) == dump(first)
