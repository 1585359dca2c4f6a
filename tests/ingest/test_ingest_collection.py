"""Public collections: own ids, no deduplication, empty documents kept, given sentence bounds."""

import gzip
import json
from pathlib import Path

import pytest

from corpora.encoder_card import EncoderCard
from corpora.errors import MalformedRecord
from corpora.store import DocumentStore
from ingest import IngestReport, ingest_collection

RECORDS = [
    {"_id": "q/1", "title": "Pump", "text": "A pump, e.g. this. It runs.", "metadata": {}},
    {"_id": "2", "title": "", "text": "", "metadata": {}},
    {"_id": "3", "title": "Twin", "text": "A pump, e.g. this. It runs.", "metadata": {}},
    {"_id": "4", "title": "Only a title", "text": "", "metadata": {"bib": "x"}},
    {
        "_id": "5",
        "title": "Given",
        "text": "One. two. Three.",
        "metadata": {"sentences": ["One. two.", "Three."]},
    },
]


def write(folder: Path, records: list[dict[str, object]]) -> Path:
    folder.mkdir(exist_ok=True)
    lines = "".join(json.dumps(record) + "\n" for record in records)
    (folder / "corpus.jsonl.gz").write_bytes(gzip.compress(lines.encode(), mtime=0))
    return folder


@pytest.fixture
def report(tmp_path: Path, encoder: EncoderCard) -> IngestReport:
    return ingest_collection(write(tmp_path / "set", RECORDS), tmp_path / "build", encoder=encoder)


def test_every_record_is_a_document_under_its_own_id(report: IngestReport, tmp_path: Path) -> None:
    store = DocumentStore(tmp_path / "build")

    assert [doc.doc_id for doc in store.documents()] == ["2", "3", "4", "5", "q/1"]
    assert (report.documents["ok"], report.documents["empty"]) == (4, 1)
    assert report.documents["duplicate"] == 0


def test_given_sentences_bound_the_segments(report: IngestReport, tmp_path: Path) -> None:
    store = DocumentStore(tmp_path / "build")
    spans = {
        doc_id: [(s.start, s.end) for s in store.segments(doc_id)] for doc_id in ("5", "3", "2")
    }

    assert spans == {"5": [(0, 9), (10, 16)], "3": [(0, 18), (19, 27)], "2": []}


def test_a_record_of_only_a_title_is_found_by_it(report: IngestReport, tmp_path: Path) -> None:
    store = DocumentStore(tmp_path / "build")
    document = store.document("4")

    assert document is not None
    assert (document.text, document.metadata) == ("Only a title", {"bib": "x"})


def test_a_second_run_does_only_what_changed(
    report: IngestReport, tmp_path: Path, encoder: EncoderCard
) -> None:
    changed = [*RECORDS[:3], {"_id": "6", "title": "", "text": "New."}]
    write(tmp_path / "set", changed)

    again = ingest_collection(tmp_path / "set", tmp_path / "build", encoder=encoder)

    assert again.changes == {"added": 1, "changed": 0, "renamed": 0, "unchanged": 3, "removed": 2}
    assert DocumentStore(tmp_path / "build").standing("5") == (False, None)


def test_a_bad_line_is_named(tmp_path: Path, encoder: EncoderCard) -> None:
    folder = write(tmp_path / "set", [*RECORDS, {"_id": "q/1", "text": "again"}])

    with pytest.raises(MalformedRecord, match="line 6: id 'q/1' comes twice"):
        ingest_collection(folder, tmp_path / "build", encoder=encoder)
