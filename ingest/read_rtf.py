"""RTF through striprtf: paragraphs, rows of tables, footnotes at the end.

striprtf knows neither hidden nor deleted text and passes over notes: both are taken out before.
Headings look like any other paragraph in most RTF files, so none are told apart.
"""

import re
from collections.abc import Iterator

from corpora.document import CELL
from ingest.config import IngestConfig
from ingest.errors import ExtractionFailed
from ingest.extract import Extract, ExtractBuilder, RowPlace

RTF_VERSION = 2
_UNSEEN_GROUP = re.compile(
    r"\{(?:\\[^{}\\ ]+|\s)*?\\(?:v|deleted)(?![A-Za-z0-9])(?:[^{}\\]|\\[^{}]|\\[{}])*\}"
)
_UNSEEN_RUN = re.compile(r"\\(v|deleted)(?![A-Za-z0-9])[^{}]*?\\\1(?:0(?!\d) ?|(?=\}))")
_BINARY = re.compile(r"(?<!\\)(?:\\\\)*\\bin(\d{1,9}) ?")
_NOTE = re.compile(r"\{(?:\\[a-z]+\d* ?)*?\\footnote\b")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_CODE_PAGE = re.compile(r"\\ansicpg\d+")
_INFO = r"\{\\%s\s+((?:[^{}\\]|\\[^{}])*)\}"
_DATE = re.compile(r"\{\\(revtim|creatim)\\yr(\d{4})\\mo(\d{1,2})\\dy(\d{1,2})")
_ITEM_MARK = re.compile(r"(?:[•◦▪·–-]|\(?\w{1,3}[.)])[ ]*\t\s*")
_INFO_CHARS = 1_000_000
_LEAST_SHARE = 0.02
"""Less text than this share of a large file's letters: something in it was not understood."""


def read_rtf(content: bytes, _: IngestConfig) -> Extract:
    """Text of an RTF document; ``missing`` says where it was cut off.

    Raises:
        ExtractionFailed: a code page or number in it that there is not.
    """
    raw = content.decode("latin-1")
    head = raw[:_INFO_CHARS]
    raw = _UNSEEN_RUN.sub("", _UNSEEN_GROUP.sub("", _without_binary(raw)))
    # striprtf's search for links is quadratic in their number; a line end here keeps it from them.
    raw = raw.replace("{\\field{", "{\\field\n{")
    body, notes = _without_notes(raw)
    page = _CODE_PAGE.search(head)
    opening = "{\\rtf1" + (page.group() if page else "") + " "
    builder = ExtractBuilder()
    n_rows = n_tables = 0
    for line in _plain(body).split("\n"):
        if line.rstrip().endswith("|"):  # striprtf's mark of a cell's end
            cells = [" ".join(cell.split()) for cell in line.rstrip().removesuffix("|").split("|")]
            if any(cells):
                place = RowPlace(n_tables, n_rows, n_rows == 0 and all(cells))
                builder.add(CELL.join(cells), "table_row", row=place)
                n_rows += 1
        elif line.strip():
            n_tables, n_rows = n_tables + (n_rows > 0), 0
            words = _ITEM_MARK.sub("", line, count=1) if _ITEM_MARK.match(line) else line
            builder.add(words, "paragraph" if words is line else "list_item")
    for note in notes:
        builder.add(" ".join(_plain(opening + note + "}").split()), role="note")
    dates = {name: f"{year}-{month}-{day}" for name, year, month, day in _DATE.findall(head)}
    date = dates.get("revtim") or dates.get("creatim")
    title, author = (_property(head, name, opening) for name in ("title", "author"))
    return Extract(
        text=builder.text,
        blocks=tuple(builder.blocks),
        title=title,
        date=date,
        date_source="RTF properties" if date else None,
        metadata={"author": author} if author else {},
        n_replaced=builder.n_replaced,
        missing=_missing(raw, builder.length),
    )


def _without_binary(raw: str) -> str:
    """The document without pictures' bytes, which may look like braces and words."""
    kept: list[str] = []
    position = 0
    while found := _BINARY.search(raw, position):
        kept.append(raw[position : found.start()])
        position = found.end() + int(found.group(1))
    return "".join([*kept, raw[position:]])


def _plain(rtf: str) -> str:
    from striprtf.striprtf import rtf_to_text

    try:
        text: str = rtf_to_text(rtf, errors="replace")  # type: ignore[no-untyped-call]  # it has none
    except (LookupError, ValueError, TypeError, OverflowError) as error:
        message = f"not readable RTF: {error}"
        raise ExtractionFailed(message) from error
    # Characters beyond U+FFFF stand in RTF as two halves.
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _without_notes(raw: str) -> tuple[str, list[str]]:
    """The document without its footnotes, and the inside of each."""
    kept: list[str] = []
    notes: list[str] = []
    position = 0
    for found in _NOTE.finditer(raw):
        if found.start() >= position:
            end = next(_group_ends(raw, found.end(), depth=1), len(raw))
            kept.append(raw[position : found.start()])
            notes.append(raw[found.end() : end - 1])
            position = end
    return "".join([*kept, raw[position:]]), notes


def _group_ends(raw: str, start: int, *, depth: int) -> Iterator[int]:
    """Where the group that is open at ``start`` is closed; nothing if it never is."""
    for brace in _BRACE.finditer(raw, start):
        depth += {"{": 1, "}": -1}.get(brace.group(), 0)
        if depth == 0:
            yield brace.end()
            return


def _property(head: str, name: str, opening: str) -> str:
    found = re.search(_INFO % name, head)
    return " ".join(_plain(opening + found.group(1) + "}").split()) if found else ""


def _missing(raw: str, n_chars: int) -> str:
    if next(_group_ends(raw, 0, depth=0), None) is None:
        return "the file ends inside an open group: it was cut off"
    n_words = len(re.findall(r"(?<![\\\w])[^\W\d_]{2,}", raw))
    if n_words > 1000 and n_chars < _LEAST_SHARE * n_words:
        return f"only {n_chars} characters of text found in it"
    return ""
