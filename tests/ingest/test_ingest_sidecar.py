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


def test_a_link_has_the_labels_of_what_it_leads_to(bench: Workbench) -> None:
    bench.write("hr/pay.txt", "Pay is 4 EUR.")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("board/in.txt", "Words in the box.")
    bench.write("hr/box.zip", packed.getvalue())
    (bench.source / "open.txt").symlink_to(bench.source / "hr" / "pay.txt")
    (bench.source / "open.zip").symlink_to(bench.source / "hr" / "box.zip")

    bench.ingest(
        label_rules=(
            LabelRule(glob="hr/**", labels=("hr",)),
            LabelRule(glob="hr/box.zip!/board/*", labels=("board",)),
        )
    )

    store = bench.store()
    places = [place for doc in store.documents() for place in store.locations(doc.doc_id)]
    store.close()
    assert {place.uri.removeprefix("corpus:///"): place.labels for place in places} == {
        "hr/pay.txt": ("hr",),
        "open.txt": ("hr",),
        "hr/box.zip!/board/in.txt": ("board", "hr"),
        "open.zip!/board/in.txt": ("board", "hr"),
    }


def test_a_link_brings_in_nothing_that_is_excluded(bench: Workbench) -> None:
    bench.write("a.txt", "Alpha.")
    bench.write("private/b.txt", "Beta.")
    (bench.source / "open.txt").symlink_to(bench.source / "private" / "b.txt")

    bench.ingest(exclude=("private/**",))

    assert labels(bench) == {"a.txt": ()}


@pytest.mark.parametrize("glob", ["Bu\u0308ro/**", "B\u00fcro/**", "B[\u00fc]ro/*"])
@pytest.mark.parametrize("folder", ["Bu\u0308ro", "B\u00fcro"])
def test_a_rule_holds_for_a_name_in_nfc_and_in_nfd(
    bench: Workbench, glob: str, folder: str
) -> None:
    bench.write(f"{folder}/a.txt", "Alpha.")

    bench.ingest(label_rules=(LabelRule(glob=glob, labels=("office",)),))

    assert labels(bench) == {f"{folder}/a.txt": ("office",)}


def test_a_sidecar_is_one_in_capitals_with_a_byte_order_mark_and_in_another_form(
    bench: Workbench,
) -> None:
    bench.write("a.txt", "Alpha.")
    bench.write("a.txt.LABELS", "board\r\n".encode("utf-8-sig"))
    bench.write("u\u0308.txt", "Beta.")
    bench.write("\u00fc.txt.labels", "legal")

    bench.ingest()

    assert labels(bench) == {"a.txt": ("board",), "u\u0308.txt": ("legal",)}


def test_what_is_labelled_inside_a_container_is_not_read(bench: Workbench) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("x.txt", "Words of x.")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.txt", "Words of a.")
        archive.writestr("a.txt.labels", "board")
        archive.writestr("hr/pay/b.txt", "Words of b.")
        archive.writestr("hr/.labels", "hr")
        archive.writestr("in.zip", inner.getvalue())
        archive.writestr("in.zip.Labels", "hr")
        archive.writestr("open.txt", "Open words.")
    bench.write("box.zip", packed.getvalue())

    for _ in range(2):  # first listed, then remembered
        report = bench.ingest()

        assert labels(bench) == {"box.zip!/open.txt": ()}
        assert {problem.path: problem.reason.partition(":")[0] for problem in report.problems} == {
            "box.zip!/a.txt": "labelled by 'a.txt.labels' in its container",
            "box.zip!/hr/pay/b.txt": "labelled by 'hr/.labels' in its container",
            "box.zip!/in.zip": "labelled by 'in.zip.Labels' in its container",
        }


def test_a_sidecar_that_moves_with_its_file_keeps_it_labelled(bench: Workbench) -> None:
    bench.write("a.txt", "Alpha.")
    bench.write("a.txt.labels", "board")
    bench.write("b.txt", "Beta.")
    bench.ingest()
    (bench.source / "a.txt").rename(bench.source / "c.txt")
    (bench.source / "a.txt.labels").rename(bench.source / "c.txt.labels")

    report = bench.ingest()

    assert labels(bench) == {"b.txt": (), "c.txt": ("board",)}
    assert (report.changes["renamed"], report.changes["unchanged"]) == (1, 1)

    (bench.source / "c.txt.labels").unlink()
    bench.ingest()

    assert labels(bench) == {"b.txt": (), "c.txt": ()}


def test_the_card_that_names_the_labels_is_never_a_document(bench: Workbench) -> None:
    bench.write("a.txt", "Alpha.")
    bench.write("corpus.toml", 'title = "Ours"\n')

    bench.ingest(exclude=("**/*.log",))

    assert labels(bench) == {"a.txt": ()}


def test_a_glob_that_is_none_is_told_to_the_user(bench: Workbench) -> None:
    bench.write("a.txt", "Alpha.")

    with pytest.raises(IngestError, match="is no glob"):
        bench.ingest(label_rules=(LabelRule(glob="[z-a].txt", labels=("x",)),))
