"""Speed of ingestion as ratios within one run, against the libraries that do the least of the work.

Each pair of rates is taken alternately over the same bytes, the best of each counts: what another
program takes from the machine makes a pass slower, never faster.
"""

import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from corpora.card import CorpusCard
from corpora.document import Segment
from corpora.encoder_card import EncoderCard
from ingest import IngestConfig, ingest_corpus
from ingest.assemble import Chunking
from ingest.charset import decode_bytes
from ingest.chunk import ChunkSource, chunk_segments
from ingest.detect import detect_format
from ingest.errors import ExtractionFailed
from ingest.extract import Extract
from ingest.giant import cut_giants
from ingest.read_html import read_html
from ingest.read_pdf import read_pdf
from ingest.scan import scan_corpus
from ingest.segment import segment_extract
from search_agent.bench.ingest_memory import IngestMemory, measure_memory
from search_agent.bench.machine import Machine, current_commit, this_machine
from search_agent.result_part import ResultPart

if TYPE_CHECKING:
    import pypdfium2

_Item = TypeVar("_Item")
_DOC_ID = "d_0"
_NO_OCR = IngestConfig(ocr_page_seconds=0)


class Ratio(BaseModel):
    """Seconds of the measure and of ours for the same work."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    n: int
    """Files, or characters for chunking."""
    against_s: float
    ours_s: float

    @property
    def ratio(self) -> float:
        """Our rate as a share of the measure's; 1 is as fast."""
        return self.against_s / self.ours_s if self.ours_s else 0.0


class IngestSpeed(ResultPart):
    """What one folder gave; a ratio is None where it holds no such files."""

    schema_: int = Field(default=1, alias="schema")
    files: int
    megabytes: float
    pdf: Ratio | None
    """Files to segments, against pdfium asked for its rectangles and the text in each."""
    pdf_unplaced: Ratio | None
    """The same against pdfium asked for a page's text at once, which tells no word's place, and for
    the rectangles without theirs.
    """
    html: Ratio | None
    """Files to segments, against the bare parser asked for text."""
    chunks: Ratio | None
    """Segments to chunks, against the encoder's tokenizer alone."""
    two_workers: Ratio
    """A whole ingest with two workers, against one."""
    first_s: float
    unchanged_s: float
    """The same ingest again, nothing having changed."""
    pages: int
    chunks_written: int
    memory: tuple[IngestMemory, ...]
    """Of ingesting folders of drawn files, by their number."""
    commit: str | None
    machine: Machine


def measure_ingest(
    folder: Path,
    *,
    encoder: EncoderCard,
    repeats: int = 3,
    memory_sizes: Sequence[int] = (),
    tell: Callable[[str], None] = lambda _: None,
) -> IngestSpeed:
    """Read ``folder`` again and again; it is written to a temporary folder only.

    Raises:
        IngestError: there is nothing to ingest.
    """
    card = CorpusCard(name="speed", root=folder)
    contents = _contents(card)
    pdfs = [content for name, content in contents if name == "pdf"]
    decoded = [decode_bytes(content) for name, content in contents if name == "html"]
    pages = [page.text for page in decoded if page is not None]
    tell(f"{len(pdfs)} PDF files")
    pdf = _compared(pdfs, partial(_pdfium, read=_placed_text), _segmented_pdf, repeats)
    pdf_unplaced = _compared(pdfs, partial(_pdfium, read=_unplaced_text), _segmented_pdf, repeats)
    tell(f"{len(pages)} HTML files")
    html = _compared(pages, _lexbor, lambda page: _segmented(read_html(page)), repeats)
    tell("chunks")
    chunks = _chunking(pages, Chunking(encoder, _NO_OCR), repeats)
    whole: dict[int, float] = {}
    with tempfile.TemporaryDirectory() as build:
        for workers in (1, 2):
            tell(f"ingest, {workers} worker{'s' * (workers > 1)}")
            config = _NO_OCR.model_copy(update={"workers": workers})
            target = Path(build) / str(workers)
            report = ingest_corpus(card, target, encoder=encoder, config=config)
            whole[workers] = report.seconds
        tell("ingest, unchanged")
        again = ingest_corpus(card, target, encoder=encoder, config=config)
    return IngestSpeed(
        files=len(contents),
        megabytes=round(sum(len(content) for _, content in contents) / 1e6, 1),
        pdf=pdf,
        pdf_unplaced=pdf_unplaced,
        html=html,
        chunks=chunks,
        two_workers=Ratio(n=len(contents), against_s=whole[1], ours_s=whole[2]),
        first_s=whole[2],
        unchanged_s=again.seconds,
        pages=sum(_n_pages(content) for content in pdfs),
        chunks_written=report.chunks,
        memory=measure_memory(memory_sizes, encoder=encoder, tell=tell),
        commit=current_commit(Path(__file__).parent),
        machine=this_machine(),
    )


def speed_table(speed: IngestSpeed) -> str:
    """The figures as a Markdown table."""
    rows = [
        ("PDF to segments, against pdfium's rectangles with their text", speed.pdf),
        ("PDF to segments, against pdfium's text alone and rectangles alone", speed.pdf_unplaced),
        ("HTML to segments, against the bare parser", speed.html),
        ("segments to chunks, against the tokenizer", speed.chunks),
        ("two workers, against one", speed.two_workers),
    ]
    lines = ["| what | n | against, s | ours, s | ratio |", "|---|---:|---:|---:|---:|"]
    lines += [
        f"| {name} | {row.n} | {row.against_s:.2f} | {row.ours_s:.2f} | {row.ratio:.2f} |"
        for name, row in rows
        if row is not None
    ]
    again = f"{speed.first_s:.1f} s, unchanged {speed.unchanged_s:.2f} s"
    lines += [
        f"| memory of {each.files} files: main {each.main_mb} MB, worker {each.worker_mb} MB"
        f" | {each.files} | | {each.seconds:.2f} | |"
        for each in speed.memory
    ]
    lines += ["", f"{speed.files} files, {speed.megabytes} MB, {speed.pages} PDF pages: {again}"]
    return "\n".join(lines) + "\n"


def _contents(card: CorpusCard) -> list[tuple[str, bytes]]:
    """Format and bytes of each file that has a reader."""
    found: list[tuple[str, bytes]] = []
    for file in scan_corpus(card, max_file_bytes=_NO_OCR.max_file_bytes):
        if not file.refusal:
            content = file.file.read_bytes()
            try:
                found.append((detect_format(content, file.path, _NO_OCR), content))
            except ExtractionFailed:
                continue
    return found


def _compared(
    items: Sequence[_Item],
    against: Callable[[_Item], object],
    ours: Callable[[_Item], object],
    repeats: int,
) -> Ratio | None:
    if not items:
        return None
    best = {against: float("inf"), ours: float("inf")}
    for _ in range(repeats):
        for work in (against, ours):
            started = time.perf_counter()
            for item in items:
                work(item)
            best[work] = min(best[work], time.perf_counter() - started)
    return Ratio(n=len(items), against_s=best[against], ours_s=best[ours])


def _pdfium(content: bytes, read: Callable[["pypdfium2.PdfTextPage"], None]) -> None:
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError:
        return
    for page in document:
        text = page.get_textpage()
        read(text)
        text.close()
    document.close()


def _placed_text(text: "pypdfium2.PdfTextPage") -> None:
    for number in range(text.count_rects()):
        text.get_text_bounded(*text.get_rect(number))


def _unplaced_text(text: "pypdfium2.PdfTextPage") -> None:
    text.get_text_range()
    for number in range(text.count_rects()):
        text.get_rect(number)


def _n_pages(content: bytes) -> int:
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError:
        return 0
    try:
        return len(document)
    finally:
        document.close()


def _segmented_pdf(content: bytes) -> None:
    try:
        _segmented(read_pdf(content, _NO_OCR))
    except ExtractionFailed:
        return


def _lexbor(page: str) -> None:
    from selectolax.lexbor import LexborHTMLParser

    body = LexborHTMLParser(page).body
    if body is not None:
        body.text()


def _segmented(extract: Extract) -> None:
    segment_extract(extract, doc_id=_DOC_ID, language="en")


def _chunking(pages: Sequence[str], chunking: Chunking, repeats: int) -> Ratio | None:
    """Chunks of the HTML pages; counting tokens is part of ours and all of the measure."""
    extracts = [read_html(page) for page in pages]
    prepared = [
        (extract.text, segment_extract(extract, doc_id=_DOC_ID, language="en"))
        for extract in extracts
        if extract.text
    ]

    def chunk(item: tuple[str, list[Segment]]) -> None:
        text, segments = item
        source = ChunkSource(doc_id=_DOC_ID, text=text, title="", language="en", labels=())
        tokens = chunking.tokenizer.spans(text)
        pieces, _ = cut_giants(segments, text, tokens, capacity=chunking.limits.text - 1)
        chunk_segments(
            source,
            pieces,
            tokens=tokens,
            tokenizer=chunking.tokenizer,
            limits=chunking.limits,
        )

    found = _compared(prepared, lambda item: chunking.tokenizer.spans(item[0]), chunk, repeats)
    if found is None:
        return None
    return found.model_copy(update={"n": sum(len(text) for text, _ in prepared)})
