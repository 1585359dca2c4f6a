"""Mail: one message taken apart into headers, body texts and attachments.

Why not ``email.policy.default``: its header parser ends malformed headers with an IndexError, and
turns 8-bit ones into U+FFFD. The older policy hands headers over as they stand.
"""

import contextlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.errors import InvalidBase64LengthDefect, MessageError
from email.header import decode_header, make_header
from email.message import Message
from typing import NamedTuple

from ingest.canonical import canonical_text
from ingest.charset import decode_bytes
from ingest.errors import ExtractionFailed

HEADERS = ("Subject", "From", "To", "Cc", "Date")
_ENVELOPE = re.compile(
    rb"(?:\A|(?<=\n\n)|(?<=\r\n\r\n))From [^\r\n]*\d\d:\d\d[^\r\n]*\r?\n"
    rb"(?=>?[A-Za-z][A-Za-z0-9-]*:)"
)
_QUOTED_FROM = re.compile(rb"^>(>*From )", re.MULTILINE)
_PARAMETER_FAULTS = (TypeError, ValueError, LookupError)
"""What the standard library raises at continued parameters whose numbers are damaged."""
_WORD = r"=\?[^?\s]+\?[bqBQ]\?[^?]*\?="
_ENCODED_WORDS = re.compile(rf"{_WORD}(?:\s+{_WORD})*")
_LATIN = {"", "iso-8859-1", "latin-1", "windows-1252", "cp1252", "us-ascii"}


class MailText(NamedTuple):
    """A text of the body."""

    text: str
    is_html: bool


class Attachment(NamedTuple):
    """A file that came with the message."""

    name: str
    media_type: str
    content: bytes
    is_decoration: bool
    """A picture that the message shows in its text, not a file that was sent with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """What a message says, decoded."""

    headers: dict[str, str]
    """Those of ``HEADERS`` that it has, each on one line."""
    texts: list[MailText] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def messages_in(content: bytes) -> list[bytes]:
    """The messages of a mailbox; ``content`` itself if it is one message.

    An envelope is a line ``From …`` with a time, behind a blank line and before a header: else it
    is a sentence of the message.
    """
    envelopes = list(_ENVELOPE.finditer(content))
    if not envelopes or envelopes[0].start():
        return [content]
    ends = [envelope.start() for envelope in envelopes[1:]] + [len(content)]
    return [
        _QUOTED_FROM.sub(rb"\1", content[envelope.end() : end])
        for envelope, end in zip(envelopes, ends, strict=True)
    ]


def parse_mail(content: bytes) -> Mail:
    """The message in ``content``; of alternatives the plain text where it has words, else HTML.

    Raises:
        ExtractionFailed: headers so malformed that its parts cannot be told apart.
    """
    try:
        message = message_from_bytes(content, policy=policy.compat32)
    except _PARAMETER_FAULTS as error:
        fault = f"malformed headers of a part: {error}"
        raise ExtractionFailed(fault) from error
    values = {name: _header(message, name) for name in HEADERS}
    mail = Mail(headers={name: value for name, value in values.items() if value})
    for part in _leaves(message):
        data = _content(part)
        if _is_text(part):
            if any(isinstance(defect, InvalidBase64LengthDefect) for defect in part.defects):
                mail.problems.append("body: its base64 is damaged")
            text = _decoded(data, _told(part.get_content_charset))
            mail.texts.append(MailText(text, part.get_content_type() == "text/html"))
        else:
            name = _name(part) or f"part-{len(mail.attachments) + 1}"
            is_image = part.get_content_maintype() == "image"
            is_shown = is_image and _told(part.get_content_disposition) != "attachment"
            mail.attachments.append(Attachment(name, part.get_content_type(), data, is_shown))
    return mail


def _leaves(part: Message) -> Iterator[Message]:
    if part.get_content_maintype() != "multipart" or not part.is_multipart():
        yield part
        return
    children = [list(_leaves(child)) for child in _children(part)]
    if part.get_content_subtype() == "alternative" and children:
        for wanted in ("text/plain", "text/html"):
            for leaves in children:
                texts = [leaf for leaf in leaves if leaf.get_content_type() == wanted]
                if any(_content(leaf).strip() for leaf in texts):
                    yield from leaves
                    return
        yield from children[-1]
        return
    for leaves in children:
        yield from leaves


def _children(part: Message) -> list[Message]:
    payload = part.get_payload()
    return [child for child in payload if isinstance(child, Message)]


def _is_text(part: Message) -> bool:
    is_whole = part.get_content_maintype() == "multipart"  # its parts could not be told apart
    is_body = is_whole or part.get_content_type() in {"text/plain", "text/html"}
    return is_body and _told(part.get_content_disposition) != "attachment"


def _content(part: Message) -> bytes:
    if part.is_multipart():  # an attached message
        return b"\n".join(child.as_bytes() for child in _children(part))
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _name(part: Message) -> str:
    name = _words(_told(part.get_filename))
    if not name and part.get_content_type() == "message/rfc822" and part.is_multipart():
        subject = _header(_children(part)[0], "Subject") if _children(part) else ""
        name = f"{subject or 'message'}.eml"
    return name


def _header(message: Message, name: str) -> str:
    charset = _told(message.get_content_charset)  # of the body; most likely the header's too
    for key, value in message.raw_items():
        if key.lower() == name.lower():
            return _words(str(value), charset)
    return ""


def _words(raw: str, charset: str = "") -> str:
    """A header's value on one line, its encoded words decoded."""
    with contextlib.suppress(UnicodeEncodeError):  # it is decoded already
        data = raw.encode("ascii", "surrogateescape")
        guessed = decode_bytes(data, declared=charset)
        raw = guessed.text if guessed is not None else data.decode("latin-1")
    text = _ENCODED_WORDS.sub(_decoded_words, " ".join(raw.split()))
    return " ".join(canonical_text(text).text.split())


def _decoded_words(words: re.Match[str]) -> str:
    """Encoded words; in an unknown charset or a damaged encoding they are shown as they stand."""
    with contextlib.suppress(MessageError, LookupError, ValueError):
        return str(make_header(decode_header(words.group())))
    one_by_one = words.group().split()
    if len(one_by_one) == 1:
        return words.group()
    return " ".join(_ENCODED_WORDS.sub(_decoded_words, word) for word in one_by_one)


def _told(parameter: Callable[[], str | None]) -> str:
    """A header's parameter, empty where it is absent or malformed."""
    with contextlib.suppress(*_PARAMETER_FAULTS):
        return parameter() or ""
    return ""


def _decoded(data: bytes, charset: str) -> str:
    """``data`` in the charset it names, unless it plainly is in another."""
    if charset in _LATIN:
        charset = "utf-8"
    try:
        return data.decode(charset)
    except (LookupError, ValueError):
        guessed = decode_bytes(data)
        return guessed.text if guessed is not None else data.decode("latin-1")
