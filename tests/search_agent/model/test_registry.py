"""The registry and the lock: which models there are, and that each is the bytes it says."""

import hashlib

import pytest

from corpora.errors import ChecksumMismatch, MalformedRecord
from search_agent.errors import ModelUnavailable
from search_agent.model.registry import (
    DEFAULT_ENCODER,
    DEFAULT_MODEL,
    add,
    encoder_card,
    folder_sha256,
    list_models,
    load_model,
    read_lock,
    read_registry,
    verify,
)

GGUF = b"GGUF of nobody"


@pytest.fixture
def own_gguf(tmp_path):
    path = tmp_path / "own.gguf"
    path.write_bytes(GGUF)
    return path


def test_the_shipped_registry_names_five_models_with_hash_and_permissive_licence():
    registry = read_registry()
    assert set(registry) == {
        "qwen2.5-coder-1.5b",
        "qwen2.5-coder-0.5b",
        "smollm2-135m",
        "all-MiniLM-L6-v2",
        "use-multilingual-v3",
    }
    assert {DEFAULT_MODEL, DEFAULT_ENCODER} <= set(registry)
    for entry in registry.values():
        assert len(entry.sha256) == 64
        assert entry.licence == "Apache-2.0"


def test_a_model_of_ones_own_is_recorded_where_it_lies(tmp_path, own_gguf):
    models = tmp_path / "models"
    entry = add(own_gguf, "mine", models_folder=models, licence="MIT", context=2048)
    assert read_lock(models) == {"mine": entry}
    assert entry.path == str(own_gguf)
    assert entry.sha256 == hashlib.sha256(GGUF).hexdigest()
    assert verify("mine", models) == entry
    row = next(row for row in list_models(models) if row.name == "mine")
    assert (row.present, row.licence, row.context) == (True, "MIT", 2048)


def test_changed_bytes_do_not_verify(tmp_path, own_gguf):
    models = tmp_path / "models"
    add(own_gguf, "mine", models_folder=models)
    own_gguf.write_bytes(GGUF + b"!")
    with pytest.raises(ChecksumMismatch, match=hashlib.sha256(GGUF + b"!").hexdigest()):
        verify("mine", models)


def test_a_file_that_is_no_gguf_is_not_added(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("notes")
    with pytest.raises(ModelUnavailable, match="no GGUF"):
        add(path, "notes", models_folder=tmp_path)


def test_a_folder_that_is_no_encoder_is_not_added(tmp_path):
    with pytest.raises(ModelUnavailable, match="no sentence-transformers folder"):
        add(tmp_path, "folder", models_folder=tmp_path)


def test_an_encoder_folder_of_ones_own_tells_its_size(tmp_path):
    folder = tmp_path / "e5"
    folder.mkdir()
    (folder / "config.json").write_text('{"hidden_size": 384}')
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 512}')
    (folder / "tokenizer.json").write_text("{}")
    add(folder, "e5", models_folder=tmp_path / "models")
    card = encoder_card("e5", tmp_path / "models")
    assert (card.dimension, card.max_tokens, card.folder) == (384, 512, folder.resolve())
    assert card.sha256 == folder_sha256(folder)


def test_a_folders_hash_sees_names_and_bytes_but_no_byte_code(tmp_path):
    (tmp_path / "a").write_bytes(b"1")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c").write_bytes(b"2")
    assert folder_sha256(tmp_path) == hashlib.sha256(b"a1" + b"b/c2").hexdigest()
    before = folder_sha256(tmp_path)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "x.pyc").write_bytes(b"3")
    assert folder_sha256(tmp_path) == before


@pytest.mark.parametrize("name", ["Qwen/Qwen2.5-1.5B-Instruct", "no-such-model"])
def test_names_of_hubs_are_refused(tmp_path, name):
    with pytest.raises(ModelUnavailable, match="names of model hubs are not resolved"):
        load_model(name, models_folder=tmp_path)


def test_a_known_model_that_was_not_fetched_says_how_to_fetch_it(tmp_path):
    with pytest.raises(ModelUnavailable, match="deepsearch models fetch smollm2-135m"):
        load_model("smollm2-135m", models_folder=tmp_path)


def test_an_encoder_is_no_language_model_and_the_other_way_round(tmp_path, own_gguf):
    add(own_gguf, "mine", models_folder=tmp_path)
    with pytest.raises(ModelUnavailable, match="is a language model"):
        encoder_card("mine", tmp_path)


def test_a_damaged_lock_says_what_to_do(tmp_path):
    (tmp_path / "models.toml").write_text("[mine\n")
    with pytest.raises(MalformedRecord, match="delete it and run"):
        read_lock(tmp_path)
