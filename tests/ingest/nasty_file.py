"""One nasty file of the folder: what it is, and what must become of it."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Nasty:
    """``path`` begins with the number of its case in the list of nasty files."""

    path: str
    content: bytes | Callable[[], bytes]
    """A function where making it takes long."""
    ends: str
    """State it must end in, or states parted by ``|`` where the library's version decides."""
    says: str = ""
    """What the reason contains."""
    holds: str = ""
    """Words of its document's text."""
    hides: str = ""
    """Words that must be in no chunk."""

    def data(self) -> bytes:
        return self.content if isinstance(self.content, bytes) else self.content()
