"""Stage manifests: replaced as a whole, and refused when a newer version wrote them."""

import json
from pathlib import Path

import pytest

from corpora.errors import MalformedRecord
from corpora.manifest import SCHEMA, read_manifest, write_atomically, write_manifest


def test_a_manifest_is_read_back_with_its_schema(tmp_path: Path):
    write_manifest(tmp_path, {"counts": {"read": 3}, "title": "雾"})

    assert read_manifest(tmp_path) == {"schema": SCHEMA, "counts": {"read": 3}, "title": "雾"}


def test_an_unfinished_stage_has_none(tmp_path: Path):
    assert read_manifest(tmp_path) is None


def test_writing_leaves_nothing_beside_the_file(tmp_path: Path):
    write_manifest(tmp_path, {"n": 1})
    write_manifest(tmp_path, {"n": 2})

    assert [path.name for path in tmp_path.iterdir()] == ["manifest.json"]
    assert read_manifest(tmp_path) == {"schema": SCHEMA, "n": 2}


def test_a_failed_write_keeps_the_old_file_whole(tmp_path: Path):
    path = tmp_path / "manifest.json"
    write_atomically(path, "old")

    with pytest.raises(UnicodeEncodeError):
        write_atomically(path, "new, but cut in the middle: \ud800")

    assert path.read_text(encoding="utf-8") == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["manifest.json"]


def test_what_json_cannot_hold_leaves_the_old_manifest(tmp_path: Path):
    write_manifest(tmp_path, {"n": 1})

    with pytest.raises(TypeError):
        write_manifest(tmp_path, {"n": {1, 2}})

    assert read_manifest(tmp_path) == {"schema": SCHEMA, "n": 1}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (
            json.dumps({"schema": SCHEMA + 1}),
            f"has schema {SCHEMA + 1}, this version reads up to {SCHEMA}",
        ),
        ('{"schema": 1', "is damaged"),
        ("[]", "is no manifest"),
        ('{"counts": {}}', "is no manifest"),
        ('{"schema": "1"}', "is no manifest"),
    ],
)
def test_a_manifest_that_cannot_be_trusted_is_refused(tmp_path: Path, content: str, says: str):
    (tmp_path / "manifest.json").write_text(content, encoding="utf-8")

    with pytest.raises(MalformedRecord, match=says):
        read_manifest(tmp_path)
