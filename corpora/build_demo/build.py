"""One target of the demo corpus to the bytes of its file."""

from collections.abc import Callable
from pathlib import Path

from corpora.build_demo.block import Block, parse_source
from corpora.build_demo.targets import SOURCES, Target
from corpora.build_demo.write_docx import write_docx
from corpora.build_demo.write_pdf import write_pdf
from corpora.build_demo.write_pptx import write_pptx
from corpora.build_demo.write_scanned_pdf import write_scanned_pdf
from corpora.build_demo.write_two_column_pdf import write_two_column_pdf
from corpora.build_demo.write_xlsx import write_xlsx
from corpora.errors import CorpusError

DEMO = Path(__file__).parents[1] / "demo"
WRITERS: dict[tuple[str, str], Callable[[list[Block], Target], bytes]] = {
    (".pdf", "plain"): write_pdf,
    (".pdf", "two-column"): write_two_column_pdf,
    (".pdf", "scanned"): write_scanned_pdf,
    (".docx", "plain"): write_docx,
    (".pptx", "plain"): write_pptx,
    (".xlsx", "plain"): write_xlsx,
}
"""Suffix and layout → writer."""


def build_target(target: Target, *, sources: Path = SOURCES) -> bytes:
    """The bytes of a target's file.

    Raises:
        CorpusError: no writer for its suffix, its source is missing or holds what the writer
            cannot show, or the library that writes its format is not installed.
    """
    writer = WRITERS.get((target.path.suffix, target.layout))
    if writer is None:
        allowed = ", ".join(dict.fromkeys(suffix for suffix, _ in WRITERS))
        message = f"{str(target.path)!r}: no writer for this suffix; there are some for {allowed}"
        raise CorpusError(message)
    try:
        source = (sources / target.source).read_text(encoding="utf-8")
        return writer(parse_source(source), target)
    except FileNotFoundError as error:
        message = f"{str(target.path)!r}: no source {target.source!r} in {sources.name!r}"
        raise CorpusError(message) from error
    except ModuleNotFoundError as error:
        message = (
            f"{str(target.path)!r} needs {error.name!r}; "
            "install the dev extra: pip install -e '.[dev]'"
        )
        raise CorpusError(message) from error
    except CorpusError as error:
        message = f"{target.source!r}: {error}"
        raise CorpusError(message) from error
