"""Texts that are read without a worker take a time in proportion to their length.

64 KiB of one sign after the other, in each format: none may take long, or an ingest could hang.
"""

import time

import pytest

from ingest.config import IngestConfig
from ingest.errors import ExtractionFailed
from ingest.job_desk import GENTLE_BYTES
from ingest.readers import read_content
from ingest.segment import segment_extract

MOST_S = 6.0
"""Of CPU; what is linear takes less than half of it on a slow machine, what is not ten times."""
SIGNS = (
    "a",
    " ",
    "\t",
    "\n",
    "* a\n",
    "[",
    "![](",
    '","',
    '"a\n',
    "===\n",
    "a\n",
    "a:\n",
    "<",
    "|-",
)


@pytest.mark.parametrize("suffix", ["md", "txt", "csv", "tsv", "rst", "json", "jsonl", "py"])
def test_no_sign_repeated_makes_a_reader_slow(suffix: str) -> None:
    slow: dict[str, float] = {}
    faults: list[str] = []
    for sign in SIGNS:
        content = (sign * GENTLE_BYTES)[:GENTLE_BYTES].encode()
        started = time.process_time()
        try:
            read = read_content(content, f"a.{suffix}", IngestConfig(), tell=faults.append)
            segment_extract(read.extract, doc_id="d_0", language="en")
        except ExtractionFailed as failure:
            faults.append(str(failure))
        if (took := time.process_time() - started) > MOST_S:
            slow[sign] = took

    assert slow == {}
    assert not [fault for fault in faults if "too deep" in fault and suffix == "txt"]


def test_a_text_of_underlined_lines_is_headings_however_many() -> None:
    content = b"".join(b"Part %d\n=======\n" % n for n in range(2_000))

    read = read_content(content, "a.txt", IngestConfig(), tell=lambda _: None)

    assert [block.heading for block in read.extract.blocks] == [f"Part {n}" for n in range(2_000)]
