"""A message as a container of what is attached to it."""

from ingest.container import ContainerKind, Entry, with_free_paths
from ingest.mail_message import Attachment, parse_mail

_MOST_ATTACHMENTS = 1_000


class MailContainer:
    """Attachments of one message, but for the pictures it shows in its text.

    Raises (on making):
        ExtractionFailed: its parts cannot be told apart.
    """

    kind: ContainerKind = "mail"
    missing = ""

    def __init__(self, content: bytes) -> None:
        self._attachments = [
            attachment
            for attachment in parse_mail(content).attachments
            if attachment.content and not attachment.is_decoration
        ]
        self.entries = with_free_paths(
            [_entry(each, number) for number, each in enumerate(self._attachments)]
        )

    def read(self, entry: Entry) -> bytes:
        """Bytes of one attachment."""
        return self._attachments[entry.number].content

    def is_message(self, entry: Entry) -> bool:
        """Whether it was attached as a message."""
        return self._attachments[entry.number].media_type == "message/rfc822"


def _entry(attachment: Attachment, number: int) -> Entry:
    path = attachment.name.replace("/", "_").replace("\x00", "_").strip(".") or "attachment"
    refusal = ""
    if number >= _MOST_ATTACHMENTS:
        refusal = f"only {_MOST_ATTACHMENTS} attachments of a message are read"
    return Entry(path=path, size=len(attachment.content), number=number, refusal=refusal)
