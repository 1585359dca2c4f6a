"""Source texts as blocks: what is read, what is dropped, what is refused."""

import pytest

from corpora.build_demo import Block, parse_source
from corpora.errors import CorpusError


def test_a_source_text_is_read_as_blocks():
    source = "# T\n\nOne\n\n1. a\n2. b\n\n- c\n\n---\n\n| x | y |\n|---|---|\n| 1 | 2 |\n"

    assert parse_source(source) == [
        Block(kind="heading", text="T", level=1),
        Block(kind="paragraph", text="One"),
        Block(kind="item", text="a", marker="1."),
        Block(kind="item", text="b", marker="2."),
        Block(kind="item", text="c", marker="•"),
        Block(kind="page_break"),
        Block(kind="table", rows=(("x", "y"), ("1", "2"))),
    ]


def test_the_second_paragraph_of_an_item_has_no_marker():
    blocks = parse_source("# T\n\n1. a\n\n   b\n")

    assert [block.line for block in blocks] == ["T", "1. a", "b"]


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("**bold** and *slanted*", "bold and slanted"),
        ("`code` and [link](x.md)", "code and link"),
        ("one\ntwo", "one two"),
        ("雾网\n清洗", "雾网清洗"),
        (r"5 \* 3", "5 * 3"),
        ("Q&amp;A", "Q&A"),
    ],
)
def test_inline_markup_is_dropped(markdown: str, text: str):
    assert parse_source(f"# T\n\n{markdown}\n")[1].text == text


@pytest.mark.parametrize(
    ("markdown", "message"),
    [
        ("```\ncode\n```", "line 3: 'fence' is not supported"),
        ("<p>HTML</p>", "line 3: 'html_block' is not supported"),
        ("see <b>this</b>", "'<b>': 'html_inline' is not supported"),
        ("![net](net.png)", "'net': 'image' is not supported"),
    ],
)
def test_what_no_writer_shows_is_refused_rather_than_left_out(markdown: str, message: str):
    with pytest.raises(CorpusError, match=message):
        parse_source(f"# T\n\n{markdown}\n")


@pytest.mark.parametrize("markdown", ["", "No title\n", "## Too low\n"])
def test_a_source_begins_with_its_title(markdown: str):
    with pytest.raises(CorpusError, match="begins with its title"):
        parse_source(markdown)
