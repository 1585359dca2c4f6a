"""The one line that says what of a file could not be read."""

from collections.abc import Sequence

_NAMED = 10


def missing_line(problems: Sequence[str]) -> str:
    """The first problems in words and how many more there are; empty if there are none."""
    more = f"; and {len(problems) - _NAMED} more" if len(problems) > _NAMED else ""
    return "; ".join(problems[:_NAMED]) + more
