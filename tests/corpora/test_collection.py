"""The registry of test collections."""

import hashlib
from pathlib import Path

from corpora.collection import Collection, identify_collection, registered_collections


def test_every_entry_counts_something_and_pins_three_files() -> None:
    assert len(registered_collections()) == len({c.id for c in registered_collections()}) == 9
    for collection in registered_collections():
        assert min(collection.documents, collection.queries, collection.judgements) > 0
        assert set(collection.sha256) == {"corpus.jsonl.gz", "queries.jsonl", "qrels/test.tsv"}
        assert all(len(bytes.fromhex(value)) == 32 for value in collection.sha256.values())


def test_a_folder_is_a_collection_by_its_bytes_and_not_by_its_name(tmp_path: Path) -> None:
    folder = tmp_path / "scifact"
    (folder / "qrels").mkdir(parents=True)
    for name in ("corpus.jsonl.gz", "queries.jsonl", "qrels/test.tsv"):
        (folder / name).write_bytes(b"anything")
    assert identify_collection(folder) is None
    assert identify_collection(tmp_path / "absent") is None


def test_equal_bytes_are_found(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x")
    known = Collection(
        id="mine", title="", language="en", licence="", documents=1, queries=1, judgements=1,
        sha256={"a": hashlib.sha256(b"x").hexdigest()},
    )  # fmt: skip
    assert identify_collection(tmp_path, [known]) == known
