"""EML and MBOX: headers as lines that can be cited, the body, names of what was attached."""

from dataclasses import replace

from ingest.config import IngestConfig
from ingest.errors import ExtractionFailed
from ingest.extract import Extract, ExtractBuilder
from ingest.joined_extract import JoinedExtract
from ingest.mail_message import Mail, messages_in, parse_mail
from ingest.read_html import read_html
from ingest.read_plain import read_plain

MAIL_VERSION = 2


def read_eml(content: bytes, _: IngestConfig) -> Extract:
    """One message; its subject is the title, its ``Date`` the document's date.

    Raises:
        ExtractionFailed: its HTML is nested too deep.
    """
    mail = parse_mail(content)
    joined = JoinedExtract()
    _append(joined, mail, number=None)
    date = mail.headers.get("Date")
    sender = mail.headers.get("From")
    return joined.extract(
        title=mail.headers.get("Subject", ""),
        date=date,
        date_source="Date header" if date else None,
        metadata={"author": sender} if sender else {},
    )


def read_mbox(content: bytes, _: IngestConfig) -> Extract:
    """All messages of a mailbox, each a section under its subject; ``missing`` names the others."""
    joined = JoinedExtract()
    for number, message in enumerate(messages_in(content), start=1):
        try:
            _append(joined, parse_mail(message), number=number)
        except (ExtractionFailed, RecursionError) as error:
            reason = "nested too deep" if isinstance(error, RecursionError) else str(error)
            joined.missing.append(f"message {number}: {reason}")
    return joined.extract()


def _append(joined: JoinedExtract, mail: Mail, *, number: int | None) -> None:
    """Headers, attachments' names and body; with a number the message is a section of its own."""
    texts = [read_html(text) if is_html else read_plain(text) for text, is_html in mail.texts]
    builder = ExtractBuilder()
    headers = dict(mail.headers)
    if number is not None:
        subject = headers.pop("Subject", "")
        builder.add(f"Subject: {subject}" if subject else f"Message {number}", "heading", level=1)
        if subject:
            builder.blocks[-1] = replace(builder.blocks[-1], heading=subject)
    for name, value in headers.items():
        builder.add(f"{name}: {value}", "list_item")
    for attachment in mail.attachments:
        size = f"{len(attachment.content)} bytes"
        builder.add(f"Attachment: {attachment.name} ({attachment.media_type}, {size})", "list_item")
    joined.append(
        Extract(text=builder.text, blocks=tuple(builder.blocks), n_replaced=builder.n_replaced)
    )
    for text in texts:
        joined.append(text, deeper=0 if number is None else 1)
    where = "" if number is None else f"message {number}: "
    joined.missing += [where + problem for problem in mail.problems]
