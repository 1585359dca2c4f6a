"""The nasty folder: everything that has been seen to break an ingest, beside files that are well.

``python -m tests.ingest.nasty_folder FOLDER`` writes it for a look or for another tool.
"""

import os
import sys
from pathlib import Path

from tests.ingest.nasty_file import Nasty
from tests.ingest.nasty_office import docx, nasty_office_files, paragraph, run
from tests.ingest.nasty_pdf import nasty_pdfs, pdf_of
from tests.ingest.nasty_text import nasty_texts

SUFFIXES = (
    "pdf docx xlsx xls ods odt odp pptx epub rtf html md txt csv tsv json jsonl rst eml mbox py zip"
    " tar gz msg none"
)
CONTRACT = "\n".join(
    f"Clause {n}: the supplier delivers {n} pumps and {n + 3} seals before the end of month {n}."
    for n in range(1, 31)
)
GOOD = {
    "a good one.md": "# Pumps\n\nThe first pump runs.\n",
    "m good one.txt": "The second pump stands still.",
    "z good one.csv": "Part,Price\nseal,4 EUR\n",
    "good page.html": "<html><h1>Valves</h1><p>A valve has two seats.</p></html>",
}


def nasty_files() -> list[Nasty]:
    """All files with bytes; what is no plain file is made by ``write_nasty_folder``."""
    empty = [
        Nasty(path=f"01 zero.{suffix}", content=b"", ends="empty", says="zero bytes")
        for suffix in SUFFIXES.split()
    ]
    paragraphs = "".join(paragraph(run(line)) for line in CONTRACT.splitlines())
    page = "".join(f"<p>{line}</p>" for line in CONTRACT.splitlines())
    same = [
        Nasty(path="25 same.pdf", content=pdf_of(CONTRACT), ends="ok"),
        Nasty(path="25 same.docx", content=docx(paragraphs), ends="ok", holds="Clause 30"),
        Nasty(path="25 same.html", content=f"<html>{page}</html>".encode(), ends="ok"),
    ]
    return [*empty, *nasty_pdfs(), *nasty_office_files(), *nasty_texts(), *same]


def write_nasty_folder(folder: Path) -> None:
    """Good files, nasty files, and entries that are no files (case 25)."""
    for name, text in GOOD.items():
        (folder / name).write_text(text, encoding="utf-8")
    for nasty in nasty_files():
        (folder / nasty.path).write_bytes(nasty.data())
    os.mkfifo(folder / "25 pipe")
    (folder / "25 loop").symlink_to(folder / "25 loop")
    (folder / "25 up").symlink_to(folder)
    (folder / "25 out.txt").symlink_to("/etc/hostname")
    (folder / os.fsdecode(b"25 caf\xe9.txt")).write_text("Coffee.", encoding="utf-8")
    (folder / "25 closed.txt").write_text("Closed words.", encoding="utf-8")
    (folder / "25 closed.txt").chmod(0)


if __name__ == "__main__":
    write_nasty_folder(Path(sys.argv[1]))
