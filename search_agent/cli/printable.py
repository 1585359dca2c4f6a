"""Text of documents and models made safe to print: it must not drive the reader's terminal."""

import unicodedata

_KEPT = "\n\t"


def printable(text: str) -> str:
    r"""The text with control characters, but for line ends and tabs, shown as U+FFFD.

    >>> printable("a\x1b[31mb")
    'a�[31mb'
    """
    return "".join(
        character if character in _KEPT or unicodedata.category(character) != "Cc" else "\ufffd"
        for character in text
    )
