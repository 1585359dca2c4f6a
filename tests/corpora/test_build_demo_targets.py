"""``targets.toml``: what an entry may say, and what is answered where it says something else."""

import datetime
from pathlib import Path

import pytest

from corpora.build_demo import load_targets
from corpora.errors import MalformedRecord

ENTRY = """
["minutes/assembly.pdf"]
source = "assembly.md"
written = 2023-11-06
author = "Genossenschaft Nebelkamm"
language = "de"
layout = "two-column"
"""


def load(folder: Path, text: str):
    (folder / "targets.toml").write_text(text, encoding="utf-8")
    return load_targets(folder)


def test_an_entry_is_read(tmp_path: Path):
    target = load(tmp_path, ENTRY)["minutes/assembly.pdf"]

    assert target.path.as_posix() == "minutes/assembly.pdf"
    assert target.source == "assembly.md"
    assert target.time == datetime.datetime(2023, 11, 6, 12)
    assert (target.author, target.language) == ("Genossenschaft Nebelkamm", "de")
    assert target.layout == "two-column"


def test_the_layout_is_plain_unless_said_otherwise(tmp_path: Path):
    text = ENTRY.replace('layout = "two-column"\n', "")

    assert load(tmp_path, text)["minutes/assembly.pdf"].layout == "plain"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("layout", "format", "format: Extra inputs are not permitted; allowed keys are source, "),
        ("two-column", "three-column", "layout: Input should be 'plain', 'two-column' or 'scanned"),
        ("2023-11-06", '"last week"', "written: Input should be a valid date"),
        ('author = "Genossenschaft Nebelkamm"\n', "", "author: Field required"),
        ('"de"', '"fr"', "language: Input should be 'de', 'en' or 'zh'"),
        ("assembly.md", "../assembly.md", "source: String should match pattern"),
        ("minutes/", "../", r"'\.\./assembly.pdf' leaves the corpus folder"),
        (".pdf", ".docx", "layout 'two-column' is for .pdf files; leave it out"),
        ('"de"', '"zh"', "no Chinese font is bundled; make it .docx, .pptx or .xlsx"),
        ('["minutes/assembly.pdf"]', "", r"'targets.toml': \['source'\]: expected a table"),
        ("2023-11-06", "yesterday", "'targets.toml' is no TOML"),
    ],
)
def test_a_wrong_entry_is_refused_with_its_place_and_what_is_allowed(
    old: str, new: str, message: str, tmp_path: Path
):
    with pytest.raises(MalformedRecord, match=message):
        load(tmp_path, ENTRY.replace(old, new))


def test_a_path_is_given_once(tmp_path: Path):
    with pytest.raises(MalformedRecord, match="is no TOML: Cannot declare"):
        load(tmp_path, ENTRY + ENTRY)
