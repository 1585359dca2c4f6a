"""Makes the demo corpus's PDF, DOCX and XLSX files from the Markdown in ``demo_sources/``.

``python -m corpora.build_demo`` writes them; ``--check`` only compares. The bytes are the same on
every run: dates are fixed and nothing is deflated, so that they do not depend on the zlib build.

Why not the Markdown alone: the corpus has to show that citations work in the formats people have.
Why one file of over 250 lines: it is a script for developers, imported by nothing but its test.
"""

import argparse
import datetime
import io
import re
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from corpora.errors import CorpusError

SOURCES = Path(__file__).parent / "demo_sources"
DEMO = Path(__file__).parent / "demo"
COOPERATIVE = "Orrowick Ridge Fog-Water Cooperative"
INSTITUTE = "岚泽织网研究所"


class Origin(NamedTuple):
    """What a file's properties say of it."""

    source: str
    """File in ``demo_sources/``."""
    written: datetime.date
    author: str = COOPERATIVE

    @property
    def time(self) -> datetime.datetime:
        """Noon of the day, UTC, without a zone, as the writing libraries want it."""
        return datetime.datetime.combine(self.written, datetime.time(12))


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One block of a source text, in reading order."""

    kind: Literal["heading", "paragraph", "item", "table", "page_break"]
    text: str = ""
    level: int = 0
    """Of a heading, from 1."""
    rows: tuple[tuple[str, ...], ...] = ()
    """Of a table; the first is its header."""


def parse_source(markdown: str) -> list[Block]:
    """The blocks of a source text, in order; ``---`` is a page break."""
    from markdown_it import MarkdownIt

    blocks: list[Block] = []
    rows: list[list[str]] = []
    opened, item = "", ""
    for token in MarkdownIt("commonmark").enable("table").parse(markdown):
        match token.type:
            case "heading_open" | "paragraph_open" | "th_open" | "td_open":
                opened = token.tag
            case "list_item_open":
                item = f"{token.info}. "
            case "list_item_close":
                item = ""
            case "tr_open":
                rows.append([])
            case "inline" if opened in {"th", "td"}:
                rows[-1].append(token.content)
            case "inline" if opened == "p":
                kind: Literal["item", "paragraph"] = "item" if item else "paragraph"
                blocks.append(Block(kind=kind, text=item + token.content))
            case "inline":
                blocks.append(Block(kind="heading", text=token.content, level=int(opened[1:])))
            case "table_close":
                blocks.append(Block(kind="table", rows=tuple(tuple(row) for row in rows)))
                rows = []
            case "hr":
                blocks.append(Block(kind="page_break"))
    return blocks


def write_pdf(blocks: list[Block], origin: Origin) -> bytes:
    """A4 pages in Times with the title above and the page number below."""
    from fpdf import FPDF
    from fpdf.enums import XPos, YPos

    title = blocks[0].text

    class Pages(FPDF):
        def footer(self) -> None:
            self.set_y(-18)
            self.set_font("Times", "I", 9)
            self.cell(0, 6, f"{title}, page {self.page_no()}", align="C")

    pdf = Pages(format="A4")
    pdf.set_compression(False)
    pdf.set_creation_date(origin.time.replace(tzinfo=datetime.UTC))
    pdf.set_title(title)
    pdf.set_author(origin.author)
    pdf.set_producer("corpora.build_demo")
    pdf.set_lang("en")
    pdf.set_margins(25, 22)
    pdf.set_auto_page_break(True, margin=25)
    pdf.add_page()
    for block in blocks:
        match block.kind:
            case "page_break":
                pdf.add_page()
            case "table":
                pdf.set_font("Times", "", 10.5)
                with pdf.table(line_height=5.5, first_row_as_headings=True) as table:
                    for row in block.rows:
                        table.row(row)
                pdf.ln(4)
            case _:
                size = {1: 20, 2: 14}.get(block.level, 11.5)
                pdf.set_font("Times", "B" if block.kind == "heading" else "", size)
                pdf.multi_cell(
                    0, size * 0.5, block.text, align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT
                )
                pdf.ln(2.5)
    return bytes(pdf.output())


def write_docx(blocks: list[Block], origin: Origin) -> bytes:
    """A Word document with real heading styles and grid tables."""
    import docx
    from docx.enum.style import WD_STYLE_TYPE
    from docx.enum.text import WD_BREAK

    document = docx.Document()
    # The library's template holds 0.8 MB of table styles nobody uses here.
    for style in list(document.styles):
        if style.type == WD_STYLE_TYPE.TABLE and style.name not in {"Normal Table", "Table Grid"}:
            style.delete()
    for key, relation in list(document.part.rels.items()):
        if relation.reltype.endswith("/stylesWithEffects"):
            document.part.rels.pop(key)
    properties = document.core_properties
    properties.title, properties.author = blocks[0].text, origin.author
    properties.comments = ""
    properties.created = properties.modified = origin.time
    for block in blocks:
        match block.kind:
            case "heading":
                document.add_heading(block.text, level=block.level)
            case "table":
                table = document.add_table(len(block.rows), len(block.rows[0]), style="Table Grid")
                for cells, texts in zip(table.rows, block.rows, strict=True):
                    for cell, text in zip(cells.cells, texts, strict=True):
                        cell.text = text
            case "page_break":
                document.add_paragraph().add_run().add_break(WD_BREAK.PAGE)
            case _:
                document.add_paragraph(block.text)
    buffer = io.BytesIO()
    document.save(buffer)
    return rewrite_zip(buffer.getvalue(), modified=origin.time)


def write_xlsx(blocks: list[Block], origin: Origin) -> bytes:
    """A workbook: each table is a sheet named by the heading above it, numbers as numbers."""
    import openpyxl

    workbook = openpyxl.Workbook()
    workbook.remove(workbook.worksheets[0])
    workbook.properties.title, workbook.properties.creator = blocks[0].text, origin.author
    workbook.properties.created = origin.time
    heading = ""
    for block in blocks:
        if block.kind == "heading":
            heading = block.text
        elif block.kind == "table":
            sheet = workbook.create_sheet(heading)
            for row in block.rows:
                sheet.append([int(cell) if cell.isdecimal() else cell for cell in row])
            sheet.freeze_panes = "A2"
    buffer = io.BytesIO()
    workbook.save(buffer)
    return rewrite_zip(buffer.getvalue(), modified=origin.time)


def rewrite_zip(content: bytes, *, modified: datetime.datetime) -> bytes:
    """The same archive with sorted members, fixed dates and nothing deflated."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(buffer, "w") as new:
        # [Content_Types].xml first, where Office and file-type detectors look for it.
        for name in sorted(old.namelist(), key=lambda name: (name != "[Content_Types].xml", name)):
            body = old.read(name)
            if name == "docProps/core.xml":
                # openpyxl stamps the time of saving whatever the properties say.
                stamp = modified.strftime("%Y-%m-%dT%H:%M:%SZ").encode()
                body = re.sub(rb"(<dcterms:modified[^>]*>)[^<]*", rb"\g<1>" + stamp, body)
            member = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            member.create_system = 3  # the same on every operating system
            new.writestr(member, body, zipfile.ZIP_STORED)
    return buffer.getvalue()


WRITERS: dict[str, Callable[[list[Block], Origin], bytes]] = {
    ".pdf": write_pdf,
    ".docx": write_docx,
    ".xlsx": write_xlsx,
}
TARGETS: dict[str, Origin] = {
    "contracts/mesh-supply-contract-summary.docx": Origin(
        "mesh-supply-contract-summary.md", datetime.date(2024, 1, 24)
    ),
    "incidents/incident-2024-02.pdf": Origin("incident-2024-02.md", datetime.date(2024, 3, 4)),
    "manuals/net-maintenance-manual.pdf": Origin(
        "net-maintenance-manual.md", datetime.date(2021, 10, 10)
    ),
    "partner/lanze-acceptance-report.docx": Origin(
        "lanze-acceptance-report.md", datetime.date(2024, 5, 21), INSTITUTE
    ),
    "records/equipment-register.xlsx": Origin("equipment-register.md", datetime.date(2024, 1, 1)),
    "reports/annual-report-2023.pdf": Origin("annual-report-2023.md", datetime.date(2024, 3, 12)),
}
"""File of the demo corpus → where it comes from."""


def build_target(target: str) -> bytes:
    """The bytes of one file of ``TARGETS``.

    Raises:
        CorpusError: the library that writes its format is not installed.
    """
    origin = TARGETS[target]
    source = (SOURCES / origin.source).read_text(encoding="utf-8")
    try:
        return WRITERS[Path(target).suffix](parse_source(source), origin)
    except ModuleNotFoundError as error:
        message = f"{target!r} needs {error.name!r}; install the dev extra: pip install -e '.[dev]'"
        raise CorpusError(message) from error


def main(arguments: list[str] | None = None) -> int:
    """Write the files, or with ``--check`` name those that differ; 0 when all is well, else 2."""
    parser = argparse.ArgumentParser(prog="python -m corpora.build_demo", description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check_only: bool = parser.parse_args(arguments).check
    differing = []
    try:
        for target in TARGETS:
            path, content = DEMO / target, build_target(target)
            if path.is_file() and path.read_bytes() == content:
                continue
            differing.append(target)
            if not check_only:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
    except CorpusError as error:
        print(error, file=sys.stderr)
        return 2
    verb = "differs from its source" if check_only else "written"
    for target in differing:
        print(f"{target}: {verb}")
    return 2 if check_only and differing else 0


if __name__ == "__main__":
    sys.exit(main())
