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
