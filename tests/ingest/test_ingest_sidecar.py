"""Labels in files beside documents: they add to corpus.toml's, reach members, and fail closed."""

import io
import zipfile
from pathlib import Path

import pytest

from corpora.card import LabelRule
from ingest import IngestError
from tests.ingest.workbench import Workbench


def labels(bench: Workbench) -> dict[str, tuple[str, ...]]:
    store = bench.store()
    found = {doc.uri.removeprefix("corpus:///"): doc.labels for doc in store.documents()}
    store.close()
    return found


def test_a_file_and_a_folder_are_labelled_by_what_lies_beside_and_in_them(
    bench: Workbench,
) -> None:
    bench.write("open.txt", "Open words.")
    bench.write("plan [1].txt", "Planned words.")
    bench.write("plan [1].txt.labels", "board  # since May\n\nlegal\n")
    bench.write("hr/a.txt", "Words of a.")
    bench.write("hr/pay/b.txt", "Words of b.")
    bench.write("hr/.labels", "hr\n")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("in.txt", "Words in the box.")
    bench.write("box.zip", packed.getvalue())
    bench.write("box.zip.labels", "board")

    bench.ingest(label_rules=(LabelRule(glob="hr/pay/*", labels=("pay",)),))

    assert labels(bench) == {
        "open.txt": (),
        "plan [1].txt": ("board", "legal"),
        "hr/a.txt": ("hr",),
        "hr/pay/b.txt": ("hr", "pay"),
        "box.zip!/in.txt": ("board",),
    }


def test_a_changed_sidecar_reaches_documents_that_are_not_read_again(bench: Workbench) -> None:
    bench.write("a.txt", "Alpha.")
    bench.write("a.txt.labels", "board")
    bench.ingest()
    bench.write("a.txt.labels", "board\nlegal")

    report = bench.ingest()

    assert labels(bench) == {"a.txt": ("board", "legal")}
    assert report.changes["unchanged"] == 1


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"# nothing", "holds no label"),
        (b"\xff\xfe\x00", "cannot be read"),
        (b"x" * 70_000, "larger than 65536 bytes"),
    ],
)
def test_what_cannot_be_told_stops_the_ingest_before_anything_is_stored(
    bench: Workbench, content: bytes, says: str
) -> None:
    bench.write("a.txt", "Alpha.")
    bench.write("a.txt.labels", content)

    with pytest.raises(IngestError, match=says):
        bench.ingest()
    assert not bench.build.exists()


def test_a_sidecar_that_is_a_link_is_not_followed(bench: Workbench, tmp_path: Path) -> None:
    bench.write("a.txt", "Alpha.")
    (tmp_path / "labels").write_text("board", encoding="utf-8")
    (bench.source / "a.txt.labels").symlink_to(tmp_path / "labels")

    with pytest.raises(IngestError, match="is no plain file"):
        bench.ingest()
