"""A message, or a mailbox of them, as a container of what is attached."""

from ingest.container import ContainerKind, Entry, with_free_paths
from ingest.errors import ExtractionFailed
from ingest.mail_message import Attachment, messages_in, parse_mail

_MOST_ATTACHMENTS = 1_000


class MailContainer:
    """Attachments, but for the pictures that a message shows in its text.

    Those of a mailbox lie in a folder for each message: ``message 3/plan.pdf``.

    Raises (on making):
        ExtractionFailed: the parts of a message that stands alone cannot be told apart.
    """

    kind: ContainerKind = "mail"
    missing = ""

    def __init__(self, content: bytes) -> None:
        messages = messages_in(content)
        is_mailbox = messages != [content]
        self._attachments: list[Attachment] = []
        entries: list[Entry] = []
        for number, message in enumerate(messages, start=1):
            folder = f"message {number}/" if is_mailbox else ""
            try:
                attachments = parse_mail(message).attachments
            except ExtractionFailed:
                if is_mailbox:
                    continue  # reading the mailbox will tell
                raise
            for attachment in attachments:
                if attachment.content and not attachment.is_decoration:
                    entries.append(_entry(attachment, len(entries), folder))
                    self._attachments.append(attachment)
        self.entries = with_free_paths(entries)

    def read(self, entry: Entry) -> bytes:
        """Bytes of one attachment."""
        return self._attachments[entry.number].content

    def is_message(self, entry: Entry) -> bool:
        """Whether it was attached as a message."""
        return self._attachments[entry.number].media_type == "message/rfc822"


def _entry(attachment: Attachment, number: int, folder: str) -> Entry:
    name = attachment.name.replace("/", "_").replace("\x00", "_").strip(".") or "attachment"
    refusal = ""
    if number >= _MOST_ATTACHMENTS:
        refusal = f"only {_MOST_ATTACHMENTS} attachments are read"
    return Entry(path=folder + name, size=len(attachment.content), number=number, refusal=refusal)
