"""Span ids: ``doc_id:start-end``, split at the last colon."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.document import Chunk, PageSpan, Segment, parse_span_id

SPANS = st.tuples(st.integers(0, 10**9), st.integers(0, 10**9))


@given(doc_id=st.text(min_size=1), span=SPANS)
def test_every_segment_and_chunk_id_is_read_back(doc_id: str, span: tuple[int, int]):
    start, end = span
    segment = Segment(doc_id=doc_id, start=start, end=end, kind="sentence")
    chunk = Chunk(doc_id=doc_id, start=start, end=end)

    assert parse_span_id(segment.segment_id) == (doc_id, start, end)
    assert parse_span_id(chunk.chunk_id) == (doc_id, start, end)


def test_a_doc_id_may_hold_colons():
    assert parse_span_id("nist:adi:7:10-20") == ("nist:adi:7", 10, 20)


@pytest.mark.parametrize(
    "text", ["", "d_1", "d_1:", "d_1:5", "d_1:5-", ":5-6", "d_1:a-b", "d_1:-1-4"]
)
def test_what_is_no_span_id_is_refused(text: str):
    with pytest.raises(ValueError, match=r"is no span id; expected 'doc_id:start-end'"):
        parse_span_id(text)


def test_the_page_of_a_segment_is_that_of_its_first_character():
    spans = (PageSpan(3, 10, 20), PageSpan(4, 20, 25))

    assert Segment(doc_id="d", start=10, end=25, kind="sentence", page_spans=spans).page == 3
    assert Segment(doc_id="d", start=10, end=25, kind="sentence").page is None
