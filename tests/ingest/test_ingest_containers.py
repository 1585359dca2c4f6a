"""ZIP and TAR are folders of the corpus: members at ``a.zip!/dir/b.md``, within limits."""

import bz2
import gzip
import hashlib
import io
import lzma
import random
import struct
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from corpora.card import LabelRule
from ingest import IngestConfig, IngestReport
from ingest.container import entry_of, with_free_paths
from tests.ingest.test_ingest_mail import message
from tests.ingest.test_ingest_members import uris
from tests.ingest.workbench import Workbench


def zip_of(members: Mapping[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def tar_of(members: Mapping[str, str], mode: str = "w:") -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:  # type: ignore[call-overload]
        for name, text in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return buffer.getvalue()


def rows(report: IngestReport) -> dict[str, tuple[str, str]]:
    return {problem.path: (problem.state, problem.reason) for problem in report.problems}


def in_process(**limits: int) -> IngestConfig:
    return IngestConfig.model_validate({"workers": 0, **limits})


def test_members_of_a_zip_are_documents_and_the_zip_is_none(bench: Workbench) -> None:
    packed = zip_of({"dir/b.md": "# Seal\n\nIt costs 4 EUR.", "c.txt": "Gasket."})
    sha256 = hashlib.sha256(packed).hexdigest()
    bench.write("a.zip", packed)
    bench.write("c.txt", "Gasket.")

    report = bench.ingest(label_rules=(LabelRule(glob="a.zip", labels=("board",)),))

    assert uris(bench) == {"a.zip!/dir/b.md", "a.zip!/c.txt", "c.txt"}
    member = bench.document("a.zip!/dir/b.md")
    assert (member.title, member.labels) == ("Seal", ("board",))
    store = bench.store()
    (place,) = store.locations(member.doc_id)
    store.close()
    assert (place.parent_doc_id, place.member_path) == ("d_" + sha256[:16], "dir/b.md")
    assert (report.documents["ok"], report.documents["duplicate"]) == (3, 1)


@pytest.mark.parametrize("mode", ["w:", "w:gz", "w:bz2", "w:xz"])
def test_members_of_a_tar_are_documents_however_it_is_compressed(
    bench: Workbench, mode: str
) -> None:
    bench.write("a.tar", tar_of({"z.md": "Zulu.", "dir/a.md": "Alpha."}, mode))

    report = bench.ingest()

    assert uris(bench) == {"a.tar!/z.md", "a.tar!/dir/a.md"}
    assert report.problems == []
    assert [path.name for path in bench.build.iterdir() if "tmp" in path.name] == []


@pytest.mark.parametrize(
    ("suffix", "compress"), [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)]
)
def test_a_compressed_file_is_a_container_of_one_named_after_it(
    bench: Workbench, suffix: str, compress: Callable[[bytes], bytes]
) -> None:
    text = b"# Seal\n\nIt costs 4 EUR.\n"
    bench.write(f"dir/a.md.{suffix}", compress(text))
    bench.write("b.zip", zip_of({f"c.md.{suffix}": compress(b"The gasket.")}))

    report = bench.ingest(label_rules=(LabelRule(glob=f"dir/*.{suffix}", labels=("board",)),))

    assert uris(bench) == {f"dir/a.md.{suffix}!/a.md", f"b.zip!/c.md.{suffix}!/c.md"}
    assert bench.document(f"dir/a.md.{suffix}!/a.md").labels == ("board",)
    assert report.problems == []
    assert bench.ingest().changes["unchanged"] == 5  # two files, and what they hold


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress])
def test_a_compressed_file_cut_short_gives_what_comes_before(
    bench: Workbench, compress: Callable[[bytes], bytes]
) -> None:
    words = random.Random(1)
    text = "".join(f"Pump {words.randrange(10**9)} runs. " for _ in range(100_000)).encode()
    packed = compress(text)
    bench.write("a.txt.z", packed[: len(packed) * 3 // 4])
    bench.write("b.txt.z", packed[:20])

    report = bench.ingest(in_process())

    assert rows(report)["a.txt.z"][0] == "partial"
    assert text.decode().startswith(bench.document("a.txt.z!/a.txt.z").text[:500_000])
    assert rows(report)["b.txt.z"][0] == "corrupt"


def test_a_compressed_file_that_inflates_without_end_is_refused(bench: Workbench) -> None:
    bench.write("a.txt.gz", gzip.compress(bytes(30 * 2**20)))
    bench.write("b.txt", "Gasket.")
    report = bench.ingest(in_process(max_zip_ratio=10))
    assert rows(report)["a.txt.gz"][0] == "refused"
    assert "max_zip_ratio" in rows(report)["a.txt.gz"][1]


@pytest.mark.parametrize("mode", ["w:gz", "w:bz2", "w:xz"])
def test_a_compressed_tar_that_is_damaged_gives_the_members_before(
    bench: Workbench, mode: str
) -> None:
    words = random.Random(1)
    long = "".join(f"Pump {words.randrange(10**9)} runs. " for _ in range(100_000))
    packed = bytearray(tar_of({"a.md": "Alpha.", "b.md": long, "c.md": long[::-1]}, mode))
    middle = len(packed) * 3 // 4
    packed[middle : middle + 64] = bytes(64)
    bench.write("a.tar", bytes(packed))

    report = bench.ingest(in_process())

    assert "a.tar!/a.md" in uris(bench)
    assert rows(report)["a.tar"][0] in {"partial", "corrupt"}


def test_containers_in_containers_are_opened_three_deep(bench: Workbench) -> None:
    packed = zip_of({"deep.txt": "Too deep."})
    for level in (4, 3, 2):
        packed = zip_of({f"{level}.zip": packed, f"{level}.txt": f"Level {level}."})
    bench.write("1.zip", packed)

    report = bench.ingest()

    assert uris(bench) == {"1.zip!/2.txt", "1.zip!/2.zip!/3.txt", "1.zip!/2.zip!/3.zip!/4.txt"}
    assert rows(report) == {
        "1.zip!/2.zip!/3.zip!/4.zip": ("refused", "containers are opened 3 deep")
    }


def test_mail_in_a_zip_and_a_zip_in_a_mail(bench: Workbench) -> None:
    mail = message("Plans")
    mail.add_attachment(
        zip_of({"plan.txt": "The plan."}), maintype="application", subtype="zip", filename="p.zip"
    )
    bench.write("post.zip", zip_of({"in/a.eml": mail.as_bytes()}))

    bench.ingest()

    assert uris(bench) == {"post.zip!/in/a.eml", "post.zip!/in/a.eml!/p.zip!/plan.txt"}
    store = bench.store()
    child = bench.document("post.zip!/in/a.eml!/p.zip!/plan.txt")
    assert store.locations(child.doc_id)[0].member_path == "plan.txt"
    store.close()


def test_names_that_lead_out_links_and_encrypted_members_are_refused_one_by_one(
    bench: Workbench,
) -> None:
    buffer = io.BytesIO(zip_of({"../../up.txt": "Up.", "/root.txt": "Root.", "C:\\w.txt": "W."}))
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr("dir\\good.txt", "Good.")
        link = zipfile.ZipInfo("link")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    bench.write("a.zip", buffer.getvalue())
    secret = bytearray(zip_of({"s.txt": "Secret."}))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        struct.pack_into("<H", secret, secret.find(mark) + offset, 1)
    bench.write("s.zip", bytes(secret))
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for name, kind in (
            ("hard", tarfile.LNKTYPE),
            ("soft", tarfile.SYMTYPE),
            ("pipe", tarfile.FIFOTYPE),
        ):
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, "/etc/passwd"
            tar.addfile(member)
    bench.write("t.tar", buffer.getvalue())

    report = bench.ingest()

    out = ("refused", "its name leads out of the container")
    link_reason = ("refused", "a link; links in containers are not followed")
    assert rows(report) == {
        "a.zip!/__/__/up.txt": out,
        "a.zip!/root.txt": out,
        "a.zip!/C:/w.txt": out,
        "a.zip!/link": link_reason,
        "s.zip!/s.txt": ("encrypted", "encrypted"),
        "t.tar!/hard": link_reason,
        "t.tar!/soft": link_reason,
        "t.tar!/pipe": ("refused", "not a regular file (pipe or device)"),
    }
    assert uris(bench) == {"a.zip!/dir/good.txt"}


def test_a_member_without_a_name_is_read_under_one(bench: Workbench) -> None:
    content = zip_of({"no name": "The pump is green.", "b.txt": "The mill is red."})
    bench.write("a.zip", content.replace(b"no name", b"\0o name"))

    assert rows(bench.ingest()) == {}
    assert uris(bench) == {"a.zip!/member", "a.zip!/b.txt"}


def test_what_inflates_beyond_the_limits_is_refused_and_the_rest_is_read(
    bench: Workbench,
) -> None:
    zeros = b"\x00" * (11 * 2**20)
    bench.write("bomb.zip", zip_of({"a.txt": "Alpha.", "bomb.txt": zeros, "z.txt": "Zulu."}))
    bench.write("many.zip", zip_of({f"{n}.txt": f"Number {n}." for n in range(30)}))
    bench.write("bomb.tar.gz", tar_of({"zeros.txt": zeros.decode()}, "w:gz"))
    inner = zip_of({f"{n}.txt": f"Inner {n}." for n in range(8)})
    bench.write("spread.zip", zip_of({f"{n}.zip": inner for n in range(3)}))

    report = bench.ingest(in_process(max_zip_entries=20))

    found = rows(report)
    assert found["bomb.zip!/bomb.txt"] == (
        "refused",
        "member 'bomb.txt' inflates beyond 10485760 bytes",
    )
    assert found["many.zip"] == ("refused", "30 members; max_zip_entries allows 20")
    assert found["bomb.tar.gz"] == (
        "refused",
        "inflates beyond 10485760 bytes (max_zip_bytes, max_zip_ratio)",
    )
    spread = [path for path in found if path.startswith("spread.zip!/")]
    assert len(spread) == 3 + 3 * 8 - 20  # of 27 members in all, 20 are read
    assert {found[path][1] for path in spread} == {
        "its container holds more than 20 members (max_zip_entries)"
    }
    assert {"bomb.zip!/a.txt", "bomb.zip!/z.txt"} <= uris(bench)


def test_names_in_utf8_are_read_as_such_even_where_the_zip_does_not_say_so(
    bench: Workbench,
) -> None:
    said = zip_of({"Prüfung.txt": "Said."})
    raw = "Prüfung.txt".encode()
    unsaid = said.replace(b"Said.", b"Not..").replace(
        struct.pack("<H", 0x800), struct.pack("<H", 0)
    )
    assert raw in unsaid
    bench.write("said.zip", said)
    bench.write("unsaid.zip", zip_without_flag("Prüfung.txt".encode(), b"Unsaid."))
    bench.write("dos.zip", zip_without_flag("Prüfung.txt".encode("cp437"), b"Dos."))

    bench.ingest()

    assert uris(bench) == {f"{name}.zip!/Prüfung.txt" for name in ("said", "unsaid", "dos")}


def zip_without_flag(name: bytes, content: bytes) -> bytes:
    plain = "x" * len(name)
    packed = zip_of({plain: content})
    return packed.replace(plain.encode(), name)


def test_a_damaged_container_is_one_row_and_what_came_before_the_damage_is_read(
    bench: Workbench,
) -> None:
    whole = tar_of({"a.txt": "Alpha. " * 200, "b.txt": "Beta. " * 2_000})
    bench.write("cut.tar", whole[:3_000])
    bench.write("cut.zip", zip_of({"a.txt": "Alpha. " * 99})[:-30])
    bench.write("empty.zip", zip_of({}))
    bench.write("plain.gz", b"\x1f\x8b" + b"\x00" * 40)

    report = bench.ingest()

    found = rows(report)
    assert found["cut.zip"] == ("corrupt", "damaged container: File is not a zip file")
    assert found["empty.zip"] == ("empty", "no member in it")
    assert found["plain.gz"][0] == "corrupt"
    assert found["cut.tar"][0] == "partial"
    assert uris(bench) == {"cut.tar!/a.txt"}


def test_packages_that_are_one_document_are_no_folders(bench: Workbench) -> None:
    bench.write("drawing.vsdx", zip_of({"[Content_Types].xml": "<x/>", "visio/a.xml": "<x/>"}))
    bench.write("program.jar", zip_of({"META-INF/MANIFEST.MF": "x", "readme.txt": "Words."}))
    bench.write("a.txt", "Alpha.")

    report = bench.ingest()

    reason = ("unsupported", "zip package of a kind no reader knows")
    assert rows(report) == {"drawing.vsdx": reason, "program.jar": reason}


def test_an_unchanged_container_is_not_opened_and_a_changed_one_updates_its_members(
    bench: Workbench, tmp_path: Path
) -> None:
    file = bench.write("a.zip", zip_of({"b.txt": "Alpha.", "c.txt": "Beta.", "../d.txt": "Out."}))
    bench.write("copy.zip", file.read_bytes())
    first = bench.ingest()
    second = bench.ingest()

    assert second.fingerprint == first.fingerprint
    assert second.problems == first.problems
    assert second.changes["unchanged"] == 8  # two containers with three members each

    bench.write("a.zip", zip_of({"b.txt": "Alpha.", "c.txt": "Beta, changed."}))
    (bench.source / "copy.zip").unlink()
    third = bench.ingest()

    assert uris(bench) == {"a.zip!/b.txt", "a.zip!/c.txt"}
    assert (third.changes["changed"], third.changes["removed"]) == (2, 5)

    (bench.source / "a.zip").rename(bench.source / "z.zip")
    fourth = bench.ingest()

    assert uris(bench) == {"z.zip!/b.txt", "z.zip!/c.txt"}
    assert fourth.changes["renamed"] == 3
    assert fourth.fingerprint == third.fingerprint


def test_a_container_that_ends_its_worker_is_one_row_and_is_left_alone_afterwards(
    bench: Workbench,
) -> None:
    bench.write("a.txt", "Alpha.")
    bench.write("many.zip", zip_of({f"{n}.txt": "x" * 2**20 + str(n) for n in range(30)}))
    slow = IngestConfig(workers=1, max_reader_wall_s=0.01)

    first = bench.ingest(slow)
    second = bench.ingest(slow)

    assert rows(first)["many.zip"] == (
        "timeout",
        "container: not read after 0.01 s (max_reader_wall_s)",
    )
    assert rows(second) == rows(first)


@pytest.mark.parametrize("mode", ["w:gz", "w:xz"])
def test_what_came_before_the_cut_of_a_compressed_tar_is_read(bench: Workbench, mode: str) -> None:
    bench.write("keep.txt", "Kept.")
    texts = {
        f"{n}.txt": f"Number {n} is {random.Random(n).randbytes(20_000).hex()}." for n in (1, 2)
    }
    whole = tar_of(texts, mode)
    bench.write("a.tar", whole[: len(whole) * 3 // 4])

    report = bench.ingest()

    assert rows(report)["a.tar"][0] == "partial"
    assert "a.tar!/1.txt" in uris(bench)


def test_many_members_of_one_name_are_told_apart_in_one_pass() -> None:
    entries = [entry_of("a.txt", size=0, number=n) for n in range(30_000)]

    free = with_free_paths([*entries, entry_of("a (2).txt", size=0, number=30_000)])

    paths = [entry.path for entry in free]
    assert paths[:3] == ["a.txt", "a (2).txt", "a (3).txt"]
    assert paths[-2:] == ["a (30000).txt", "a (2) (2).txt"]


def test_members_that_are_said_to_lie_before_the_file_are_damaged_one_by_one(
    bench: Workbench,
) -> None:
    bench.write("keep.txt", "Kept.")
    packed = bytearray(zip_of({"a.txt": "Alpha.", "b.txt": "Beta."}))
    packed[packed.rfind(b"PK\x05\x06") + 16] += 9  # where the list of members is said to begin
    bench.write("a.zip", bytes(packed))

    report = bench.ingest()

    assert {path: state for path, (state, _) in rows(report).items()} == {
        "a.zip!/a.txt": "corrupt",
        "a.zip!/b.txt": "corrupt",
    }
