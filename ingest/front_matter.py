"""Front matter of a Markdown file: the ``key: value`` lines between ``---`` at its head.

Only scalar lines are read (title, date, language …). Why not a YAML parser: nothing nested is used,
and a file whose front matter is no YAML is still a good document.
"""

import re
from typing import NamedTuple

_FENCED = re.compile(r"---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_SCALAR = re.compile(r"^([A-Za-z][\w-]*)[ \t]*:[ \t]+(.+?)[ \t]*$", re.MULTILINE)


class FrontMatter(NamedTuple):
    """Scalar fields by lower-case key, and where the text after the front matter begins."""

    fields: dict[str, str]
    end: int


def read_front_matter(text: str) -> FrontMatter:
    """The front matter at the head of ``text``; no fields and 0 where there is none."""
    fenced = _FENCED.match(text)
    if fenced is None:
        return FrontMatter({}, 0)
    lines = _SCALAR.findall(fenced.group(1) or "")
    return FrontMatter({key.lower(): _unquoted(value) for key, value in lines}, fenced.end())


def _unquoted(value: str) -> str:
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value
