"""Attachments are documents at ``a.eml!/b.txt``, found, moved and lost with their mail."""

import hashlib
import io
import zipfile
from email.message import EmailMessage

from corpora.card import LabelRule
from tests.ingest.test_ingest_mail import message
from tests.ingest.workbench import Workbench


def mail_with(**files: str) -> EmailMessage:
    mail = message()
    for name, text in files.items():
        mail.add_attachment(text, filename=name)
    return mail


def uris(bench: Workbench) -> set[str]:
    store = bench.store()
    found = {
        place.uri.removeprefix("corpus:///")
        for document in store.documents()
        for place in store.locations(document.doc_id)
    }
    store.close()
    return found


def test_an_attachment_is_a_document_that_knows_its_message(bench: Workbench) -> None:
    bench.write("post/a.eml", mail_with(**{"b.txt": "The seal costs 4 EUR.\n"}).as_bytes())

    report = bench.ingest()

    assert bench.segment("post/a.eml!/b.txt", "The seal costs 4 EUR.").start == 0
    attached = bench.document("post/a.eml!/b.txt")
    store = bench.store()
    (place,) = store.locations(attached.doc_id)
    store.close()
    assert place.parent_doc_id == bench.document("post/a.eml").doc_id
    assert place.member_path == "b.txt"
    assert (report.documents["ok"], report.changes["added"]) == (2, 2)


def test_messages_in_messages_are_opened_three_deep(bench: Workbench) -> None:
    mail = mail_with(**{"4.txt": "Level four.\n"})
    for number in (3, 2, 1, 0):
        outer = message(f"Level {number}")
        outer.add_attachment(mail, filename=f"{number}.eml")
        mail = outer
    bench.write("a.eml", mail.as_bytes())

    bench.ingest()

    assert uris(bench) == {
        "a.eml",
        "a.eml!/0.eml",
        "a.eml!/0.eml!/1.eml",
        "a.eml!/0.eml!/1.eml!/2.eml",
    }


def test_an_unchanged_message_keeps_its_attachments_and_a_changed_one_updates_them(
    bench: Workbench,
) -> None:
    bench.write("a.eml", mail_with(**{"b.txt": "Alpha.\n", "c.txt": "Beta.\n"}).as_bytes())
    first = bench.ingest()
    second = bench.ingest()

    assert second.fingerprint == first.fingerprint
    assert second.changes["unchanged"] == 3

    bench.write("a.eml", mail_with(**{"b.txt": "Alpha, changed.\n"}).as_bytes())
    third = bench.ingest()

    assert uris(bench) == {"a.eml", "a.eml!/b.txt"}
    assert (third.changes["changed"], third.changes["removed"]) == (2, 1)

    (bench.source / "a.eml").rename(bench.source / "z.eml")
    fourth = bench.ingest()

    assert uris(bench) == {"z.eml", "z.eml!/b.txt"}
    assert fourth.changes["renamed"] == 2
    assert fourth.fingerprint == third.fingerprint

    bench.write("good.txt", "Readable.")
    (bench.source / "z.eml").unlink()
    bench.ingest()

    assert uris(bench) == {"good.txt"}


def test_the_same_file_sent_twice_and_lying_in_the_folder_is_one_document(
    bench: Workbench,
) -> None:
    for name in ("a.eml", "b.eml"):
        mail = mail_with(**{"plan.txt": "The plan.\n"})
        mail.replace_header("Subject", name)
        bench.write(name, mail.as_bytes())
    bench.write("plan.txt", "The plan.\n")

    report = bench.ingest()

    assert report.documents["duplicate"] == 2
    document = bench.document("plan.txt")
    store = bench.store()
    places = [place.uri for place in store.locations(document.doc_id)]
    store.close()
    assert places == [
        "corpus:///a.eml!/plan.txt",
        "corpus:///b.eml!/plan.txt",
        "corpus:///plan.txt",
    ]


def test_an_attachment_is_as_restricted_as_its_message(bench: Workbench) -> None:
    bench.write("secret.eml", mail_with(**{"b.txt": "Hidden words.\n"}).as_bytes())

    bench.ingest(label_rules=(LabelRule(glob="*.eml", labels=("board",)),))

    assert bench.document("secret.eml!/b.txt").labels == ("board",)


def test_attachments_of_one_name_hostile_names_and_excluded_ones(bench: Workbench) -> None:
    mail = message()
    for name, text in (
        ("b.txt", "One.\n"),
        ("b.txt", "Two.\n"),
        ("../../etc/passwd", "Three.\n"),
        ("no.log", "Four.\n"),
    ):
        mail.add_attachment(text, filename=name)
    mail.add_attachment(b"\x89PNG....", maintype="image", subtype="png", disposition="inline")
    mail.add_attachment(b"GIF89a....", maintype="image", subtype="gif", filename="scan.gif")
    bench.write("a.eml", mail.as_bytes())

    report = bench.ingest(exclude=("**/*.log",))

    assert uris(bench) == {"a.eml", "a.eml!/b.txt", "a.eml!/b (2).txt", "a.eml!/_.._etc_passwd"}
    assert [(p.path, p.state) for p in report.problems] == [("a.eml!/scan.gif", "unsupported")]


def test_a_member_of_a_zip_names_the_bytes_it_lies_in_by_their_hash(bench: Workbench) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("c.txt", "The pump is green.\n")
    bench.write("box.zip", packed.getvalue())

    bench.ingest()

    store = bench.store()
    (place,) = store.locations(bench.document("box.zip!/c.txt").doc_id)
    store.close()
    assert place.parent_doc_id == "d_" + hashlib.sha256(packed.getvalue()).hexdigest()[:16]
