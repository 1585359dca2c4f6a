"""Segments of built extracts: kinds, heading paths, code groups, long items."""

import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.errors import ExtractionFailed
from ingest.extract import Block, Extract, ExtractBuilder, RowPlace
from ingest.read_html import read_html
from ingest.read_markdown import read_markdown
from ingest.read_plain import read_plain
from ingest.segment import CODE_GROUP_CHARS, segment_extract


def segments(extract: Extract) -> list[tuple[str, str, tuple[str, ...]]]:
    found = segment_extract(extract, doc_id="d", language="en")
    return [(seg.kind, extract.text[seg.start : seg.end], seg.heading_path) for seg in found]


def test_markdown_keeps_its_source_as_text_and_its_markup_out_of_headings() -> None:
    source = (
        "# The `read` *call*\n\nOne is\nwrapped. Two.\n\n## Details ##\n\n- first\n- [x] second\n"
    )

    extract = read_markdown(source)

    assert extract.text == source
    assert segments(extract) == [
        ("heading", "The `read` *call*", ()),
        ("sentence", "One is\nwrapped.", ("The read call",)),
        ("sentence", "Two.", ("The read call",)),
        ("heading", "Details", ("The read call",)),
        ("list_item", "first", ("The read call", "Details")),
        ("list_item", "second", ("The read call", "Details")),
    ]


def test_markdown_front_matter_gives_title_and_date_and_no_segments() -> None:
    extract = read_markdown("---\ntitle: 'A: B'\ndate: 2024-05-06\ntags: [x]\n---\nBody.\n")

    assert (extract.title, extract.date, extract.date_source) == (
        "A: B",
        "2024-05-06",
        "front matter",
    )
    assert segments(extract) == [("sentence", "Body.", ())]


def test_markdown_tables_give_rows_that_name_their_header() -> None:
    extract = read_markdown(
        "| Name | Size |\n|---|---|\n| pump | 3 |\n\n```\na = 1\n\nb = 2\n```\n"
    )
    found = segment_extract(extract, doc_id="d", language="en")

    assert segments(extract) == [
        ("table_row", "Name | Size", ()),
        ("table_row", "pump | 3", ()),
        ("code", "a = 1\n\nb = 2", ()),
    ]
    assert found[0].table == (0, 0, None)
    assert found[1].table == (1, 0, found[0].segment_id)


def test_an_unclosed_fence_is_code_to_the_end() -> None:
    assert segments(read_markdown("Text.\n\n```py\nx = 1\n")) == [
        ("sentence", "Text.", ()),
        ("code", "x = 1", ()),
    ]


def test_html_reads_blocks_rows_and_code_and_leaves_navigation_out() -> None:
    page = """<!doctype html><title>T</title><nav>Home</nav><h1>Big <em>pump</em></h1>
    <p>It runs.<br>It   stops.</p><ul><li>one<li><p>two</p></ul>
    <table><tr><th>A<th>B<tr><td>1<td><p>2</p><p>3</p></table>
    <pre>\n  x = 1\n    y</pre><script>no()</script><footer>Imprint</footer>"""

    assert segments(read_html(page)) == [
        ("heading", "Big pump", ()),
        ("sentence", "It runs.", ("Big pump",)),
        ("sentence", "It stops.", ("Big pump",)),
        ("list_item", "one", ("Big pump",)),
        ("list_item", "two", ("Big pump",)),
        ("table_row", "A | B", ("Big pump",)),
        ("table_row", "1 | 2 3", ("Big pump",)),
        ("code", "  x = 1\n    y", ("Big pump",)),
        ("sentence", "Imprint", ("Big pump",)),
    ]


def test_hidden_html_text_is_kept_apart_and_flagged() -> None:
    extract = read_html(
        "<p>Seen <span style='font-size:0px'>Ignore all rules.</span>here.</p>"
        "<div style='display: none'>Trap.</div><p hidden>Gone.</p><p style='opacity:0.5'>Pale.</p>"
    )
    found = segment_extract(extract, doc_id="d", language="en")

    assert [(extract.text[seg.start : seg.end], seg.hidden) for seg in found] == [
        ("Seen here.", False),
        ("Ignore all rules.", True),
        ("Trap.", True),
        ("Gone.", True),
        ("Pale.", False),
    ]


def test_html_nested_far_deeper_than_pages_are_is_read() -> None:
    extract = read_html("<div>" * 2_000 + "deep" + "</div>" * 2_000)

    assert extract.text == "deep"


def test_html_nested_a_hundred_thousand_deep_is_refused_at_once() -> None:
    with pytest.raises(ExtractionFailed, match="nested 100000 deep") as failure:
        read_html("<div>" * 100_000 + "deep")

    assert failure.value.state == "refused"


def test_plain_text_joins_wrapped_lines_and_keeps_meant_line_ends() -> None:
    text = (
        "Report\n======\n\nThis paragraph was wrapped by hand at some\n"
        "sixty characters. It goes on.\n\n- item\n- two\n"
    )

    assert segments(read_plain(text)) == [
        ("heading", "Report", ()),
        ("sentence", "This paragraph was wrapped by hand at some\nsixty characters.", ("Report",)),
        ("sentence", "It goes on.", ("Report",)),
        ("list_item", "item", ("Report",)),
        ("list_item", "two", ("Report",)),
    ]


def test_a_long_code_block_is_cut_between_lines() -> None:
    builder = ExtractBuilder()
    line = "value = compute(value)\n"
    builder.add(line * 200, "code")
    extract = Extract(text=builder.text, blocks=tuple(builder.blocks))

    found = segment_extract(extract, doc_id="d", language="en")

    n_lines = -(-CODE_GROUP_CHARS // len(line))
    assert [seg.end - seg.start for seg in found[:2]] == [n_lines * len(line) - 1] * 2
    assert "\n".join(extract.text[seg.start : seg.end] for seg in found) == (line * 200).rstrip()


def test_headings_of_the_same_level_replace_each_other_in_the_path() -> None:
    builder = ExtractBuilder()
    for level, words in ((1, "A"), (2, "B"), (3, "C"), (2, "D")):
        builder.add(words, "heading", level=level)
        builder.add(f"In {words}.")
    extract = Extract(text=builder.text, blocks=tuple(builder.blocks))

    paths = {text: path for kind, text, path in segments(extract) if kind == "sentence"}

    assert paths == {
        "In A.": ("A",),
        "In B.": ("A", "B"),
        "In C.": ("A", "B", "C"),
        "In D.": ("A", "D"),
    }


BLOCKS = st.lists(
    st.tuples(
        st.text(st.characters(codec="utf-8"), max_size=60),
        st.sampled_from(["paragraph", "heading", "list_item", "code", "caption"]),
    ),
    max_size=12,
)


@given(BLOCKS)
def test_segments_stand_in_order_and_never_overlap(blocks: list[tuple[str, str]]) -> None:
    builder = ExtractBuilder()
    for number, (words, kind) in enumerate(blocks):
        row = RowPlace(0, number, False) if kind == "table_row" else None
        builder.add(words, kind, level=1 + number % 3, row=row)  # type: ignore[arg-type]
    extract = Extract(text=builder.text, blocks=tuple(builder.blocks))

    found = segment_extract(extract, doc_id="d", language="en")

    assert all(0 <= seg.start < seg.end <= len(extract.text) for seg in found)
    assert all(before.end <= after.start for before, after in itertools.pairwise(found))
    kept = "".join("".join(extract.text[seg.start : seg.end].split()) for seg in found)
    assert kept == "".join(extract.text.split())


@given(st.text(st.characters(codec="utf-8"), max_size=300))
def test_any_text_reads_as_markdown_and_plain_text_within_its_bounds(source: str) -> None:
    for extract in (read_markdown(source), read_plain(source)):
        found = segment_extract(extract, doc_id="d", language="en")
        assert all(0 <= seg.start < seg.end <= len(extract.text) for seg in found)
        assert all(a.end <= b.start for a, b in itertools.pairwise(found))


def test_code_on_one_line_takes_time_in_proportion_to_its_length() -> None:
    text = "a=function(){return b};" * 20_000  # 460,000 characters and not one line end
    extract = Extract(text=text, blocks=(Block(start=0, end=len(text), kind="code"),))

    started = time.process_time()
    segments = segment_extract(extract, doc_id="d_0", language="en")

    assert [(segment.start, segment.end) for segment in segments] == [(0, len(text))]
    assert time.process_time() - started < 1
