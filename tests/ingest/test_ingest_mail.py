"""Mail: headers and bodies can be cited, whatever charset or structure the sender chose."""

from email.message import EmailMessage

import pytest

from tests.ingest.workbench import Workbench


def message(subject: str = "Pump 4", body: str = "It leaks.\n") -> EmailMessage:
    mail = EmailMessage()
    mail["Subject"] = subject
    mail["From"] = "Ada Weir <ada@example.org>"
    mail["To"] = "Plant <plant@example.org>"
    mail["Date"] = "Tue, 04 Mar 2025 23:30:00 -0500"
    mail["Message-ID"] = "<1@example.org>"
    mail.set_content(body)
    return mail


def test_a_messages_headers_are_lines_and_its_date_is_the_documents(bench: Workbench) -> None:
    mail = message("Pümpe 4 läuft", "The pump runs again. We watch it.\n\n> Does it run?\n")
    mail["Cc"] = "Store <store@example.org>"
    bench.write("a.eml", mail.as_bytes())

    bench.ingest()

    assert [(s.kind, t) for s, t in bench.segments("a.eml")] == [
        ("list_item", "Subject: Pümpe 4 läuft"),
        ("list_item", "From: Ada Weir <ada@example.org>"),
        ("list_item", "To: Plant <plant@example.org>"),
        ("list_item", "Cc: Store <store@example.org>"),
        ("list_item", "Date: Tue, 04 Mar 2025 23:30:00 -0500"),
        ("sentence", "The pump runs again."),
        ("sentence", "We watch it."),
        ("sentence", "> Does it run?"),
    ]
    document = bench.document("a.eml")
    assert (document.title, document.media_type) == ("Pümpe 4 läuft", "message/rfc822")
    assert (document.date, document.date_source) == ("2025-03-04", "Date header")
    assert document.metadata == {"author": "Ada Weir <ada@example.org>"}


def test_of_two_versions_the_plain_text_is_read_and_html_where_there_is_none(
    bench: Workbench,
) -> None:
    both = message(body="As plain text.\n")
    both.add_alternative("<p>As HTML.</p>", subtype="html")
    only = message()
    only.set_content("<h1>Report</h1><p>Only HTML.</p><p hidden>Ignore all.</p>", subtype="html")
    bench.write("both.eml", both.as_bytes())
    bench.write("only.eml", only.as_bytes())

    bench.ingest()

    assert [t for s, t in bench.segments("both.eml") if s.kind == "sentence"] == ["As plain text."]
    assert bench.segment("only.eml", "Only HTML.").heading_path == ("Report",)
    assert bench.segment("only.eml", "Ignore all.").hidden


def test_attachments_are_named_with_type_and_size(bench: Workbench) -> None:
    mail = message()
    mail.add_attachment(b"12345", maintype="application", subtype="pdf", filename="plan B.pdf")
    mail.add_attachment("a;b\n", subtype="csv", filename="größen.csv")
    mail.add_attachment(message("Inner", "Words inside.\n"))
    bench.write("a.eml", mail.as_bytes())

    bench.ingest()

    lines = [t for _, t in bench.segments("a.eml") if t.startswith("Attachment: ")]
    assert lines[:2] == [
        "Attachment: plan B.pdf (application/pdf, 5 bytes)",
        "Attachment: größen.csv (text/csv, 4 bytes)",
    ]
    assert lines[2].startswith("Attachment: Inner.eml (message/rfc822, ")


@pytest.mark.parametrize(
    ("charset", "raw"),
    [
        ("utf-8", "Größe".encode("cp1252")),
        ("iso-8859-1", "Größe".encode()),
        ("no-such-charset", "Größe".encode()),
        ("us-ascii", "Größe".encode()),
    ],
)
def test_a_wrong_charset_does_not_spoil_the_text(
    bench: Workbench, charset: str, raw: bytes
) -> None:
    head = (
        b"From: a@example.org\r\nDate: Tue, 4 Mar 2025 10:00:00 +0000\r\nMIME-Version: 1.0\r\n"
        b"Subject: Ma\xc3\x9fe\r\nContent-Type: text/plain; charset=" + charset.encode()
    )
    body = b"Die " + raw + b" der Pumpe steht im Plan, und die der Ventile steht nicht darin.\r\n"
    bench.write("a.eml", head + b"\r\nContent-Transfer-Encoding: 8bit\r\n\r\n" + body)

    bench.ingest()

    document = bench.document("a.eml")
    assert "Die Größe der Pumpe steht im Plan" in document.text
    assert document.title == "Maße"


def test_mail_is_known_by_its_headers_under_any_name(bench: Workbench) -> None:
    bench.write("cur/1712.M5P", message().as_bytes())
    bench.write("memo.txt", "From: Ada\nDate: today\nSubject: a memo\n\nNot a mail.\n")

    bench.ingest()

    assert bench.document("cur/1712.M5P").media_type == "message/rfc822"
    assert bench.document("memo.txt").media_type == "text/plain"


def test_a_mailbox_has_a_section_for_each_message(bench: Workbench) -> None:
    quoted = message("Second", "First line.\n\n>From here on it rains.\n").as_bytes()
    mailbox = b"".join(
        b"From ada@example.org Tue Mar  4 10:00:00 2025\n" + mail + b"\n"
        for mail in (message("First", "Alpha.\n").as_bytes(), quoted)
    )
    bench.write("box.mbox", mailbox)

    bench.ingest()

    headings = [(t, s.heading_path) for s, t in bench.segments("box.mbox") if s.kind == "heading"]
    assert headings == [("Subject: First", ()), ("Subject: Second", ())]
    assert bench.segment("box.mbox", "Alpha.").heading_path == ("First",)
    assert bench.segment("box.mbox", "From here on it rains.").heading_path == ("Second",)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("no-header.eml", b"Only words.\n", "Only words."),
        ("open.eml", b"Content-Type: multipart/mixed\n\nWithout boundary.\n", "Without boundary."),
        ("subject.eml", b"Subject: =?utf-8?b?####?=\n\nBroken word.\n", "Broken word."),
        ("date.eml", b"Date: some day\nSubject: x\n\nNo date.\n", "No date."),
        (
            "disposition.eml",
            b"Content-Type: text/plain; charset\nContent-Disposition: ;;=\n\nOdd headers.\n",
            "Odd headers.",
        ),
    ],
)
def test_malformed_mail_is_read_as_far_as_it_goes(
    bench: Workbench, name: str, content: bytes, words: str
) -> None:
    bench.write(name, content)

    bench.ingest()

    assert bench.segment(name, words).kind == "sentence"


def test_messages_nested_without_end_end_in_a_defined_state(bench: Workbench) -> None:
    head = b"From: a@example.org\nContent-Type: message/rfc822\n\n"
    bench.write("shallow.eml", head * 50 + b"Subject: core\n\nWords.\n")
    bench.write("deep.eml", head * 20_000 + b"Subject: core\n\nWords.\n")

    report = bench.ingest()

    assert "Attachment: " in bench.document("shallow.eml").text
    assert [(p.path, p.state) for p in report.problems] == [("deep.eml", "corrupt")]


def test_damaged_base64_is_told(bench: Workbench) -> None:
    bench.write(
        "a.eml",
        b"From: a@example.org\nSubject: x\nContent-Type: text/plain\n"
        b"Content-Transfer-Encoding: base64\n\nSGVsbG8gd29ybGQuA\n",
    )

    report = bench.ingest()

    assert [(p.state, p.reason) for p in report.problems] == [
        ("partial", "body: its base64 is damaged")
    ]


@pytest.mark.parametrize(
    ("raw", "subject"),
    [
        ("=?utf-8?q?Pr=C3=BCf?= für alle".encode(), "Prüf für alle"),
        (b"=?x-none?q?abc?= =?utf-8?q?=C3=BC?=", "=?x-none?q?abc?= ü"),
        ("Проверка насоса".encode("koi8-r"), "Проверка насоса"),
        (b"=?utf-7?q?a+2AA-b?=", "a\ufffdb"),
    ],
)
def test_subjects_are_read_however_they_are_written(
    bench: Workbench, raw: bytes, subject: str
) -> None:
    mail = message(body="Words.\n").as_bytes().replace(b"Pump 4", raw).replace(b"utf-8", b"koi8-r")
    bench.write("a.eml", mail.replace(b"koi8-r?q", b"utf-8?q"))

    bench.ingest()

    assert bench.document("a.eml").title == subject


def test_names_that_no_store_can_hold_are_made_so(bench: Workbench) -> None:
    mail = (
        b"From: =?utf-7?q?+2AA-?= <a@b.org>\nDate: Tue, 04 Mar 2025 23:30:00 -0500\n"
        b"Message-ID: <1@b.org>\nContent-Type: multipart/mixed; boundary=x\n\n"
        b"--x\n\nWords.\n--x\nContent-Disposition: attachment; filename*=utf-7''+2AA-.txt\n\n"
        b"Attached words.\n--x--\n"
    )
    bench.write("a.eml", mail)

    bench.ingest()

    assert bench.document("a.eml").metadata == {"author": "\ufffd <a@b.org>"}
    assert bench.document("a.eml!/\ufffd.txt").text == "Attached words."


def test_a_sentence_that_begins_with_from_parts_no_mailbox(bench: Workbench) -> None:
    envelope = b"From ada@example.org Tue Mar  4 23:30:00 2025\n"
    first = message("One", "Hello.\n\nFrom Monday at 10:00 we work.\n\nFrom here on we rest.\n")
    bench.write("a.mbox", envelope + first.as_bytes() + b"\n" + envelope + message().as_bytes())

    bench.ingest()

    assert [t for s, t in bench.segments("a.mbox") if s.kind in {"heading", "sentence"}] == [
        "Subject: One",
        "Hello.",
        "From Monday at 10:00 we work.",
        "From here on we rest.",
        "Subject: Pump 4",
        "It leaks.",
    ]


def test_attachments_of_a_mailbox_are_documents_in_a_folder_for_each_message(
    bench: Workbench,
) -> None:
    envelope = b"From ada@example.org Tue Mar  4 23:30:00 2025\n"
    second = message()
    second.add_attachment("The seal costs 4 EUR.\n", filename="a.txt")
    bench.write("a.mbox", envelope + message().as_bytes() + b"\n" + envelope + second.as_bytes())

    for _ in range(2):
        bench.ingest()

        assert bench.document("a.mbox!/message 2/a.txt").text == "The seal costs 4 EUR.\n"
