"""Rendered answers: the same facts in Markdown, HTML and on the terminal, and nothing active."""

import re
from dataclasses import replace

import pytest
from markdown_it import MarkdownIt

from search_agent.evidence.citation import cite
from search_agent.evidence.records import Support
from search_agent.evidence.render import answer_markdown, escape_markdown
from search_agent.evidence.render_html import answer_html
from search_agent.evidence.strings import STRINGS
from search_agent.evidence.terminal import render_answer
from search_agent.final_result import Rates, UsageReport

RENDERERS = {
    "markdown": answer_markdown,
    "html": answer_html,
    "terminal": lambda result: render_answer(result, is_coloured=False),
}
HOSTILE = "<script>alert(1)</script> [x](http://e.vil) <img src=x> \x1b[2J & Halden"


@pytest.fixture
def claims(corpus, part, shown):
    corpus.add(
        "a.txt",
        part(text="The Halden Press printed it.", page=14, heading=("1912", "Autumn")),
        part(text="Halden apart.", page=15),
        part(text=HOSTILE, page=16, heading=("X",)),
        title="Ledger of the Press",
    )
    searcher = corpus.open()
    one, two, three = cite(
        [("Halden printed it.", ["S1"]), ("It cost 5.", ["S3"]), ("Nobody says this.", [])],
        ledger=shown(searcher),
        store=searcher.store,
        source_root=corpus.source_root,
    )
    yes = Support(score=0.91, label="supported", p=0.9, overlap=0.9, guard_passed=True)
    no = Support(
        score=0.21, label="unsupported", p=0.1, overlap=0.4, guard_passed=False, missing=("5",)
    )
    return replace(one, support=yes), replace(two, support=no), three


@pytest.mark.parametrize("name", RENDERERS)
def test_claims_labels_reference_rates_and_cost_are_all_there(make_result, claims, name):
    text = RENDERERS[name](
        make_result(claims, rates=Rates(citations_exist=1.0, claims_supported=1 / 3))
    )
    text = text.replace("\\", "")
    for expected in (
        "Halden Press",
        "supported (0.91)",
        "NOT supported by its citations (0.21); not in the quotes: 5",
        "NO citation",
        "Ledger of the Press, p. 14, 1912",
        "The Halden Press printed it.",
        "corpus:///a.txt",
        claims[0].citations[0].source_sha256[:12],
        "deepsearch show r1#1",
        "deepsearch show r1#2",
        "2 of 2 (1.00)",
        "1 of 3 (0.33)",
        "1200 prompt evaluated, 800 reused, 90 completion",
        "12.3",
        "an accepted answer (answer)",
    ):
        assert expected in text


@pytest.mark.parametrize("name", RENDERERS)
@pytest.mark.parametrize(
    ("question", "status", "answer", "termination", "expected"),
    [
        ("Who?", "guess", "Halden", "timeout_guess", "Guess, not a confirmed answer"),
        ("Who?", "abstained", None, "time_limit", "No answer yet: a limit ended the search."),
        ("Who?", "abstained", None, "cancelled", "No answer yet: the search was interrupted."),
        (
            "Who?",
            "abstained",
            None,
            "action_pool_depleted",
            "Not in the corpus, as far as this search saw.",
        ),
        ("谁印刷了日记？", "guess", "哈尔登", "timeout_guess", "猜测，未经证实"),
        ("谁印刷了日记？", "abstained", None, "action_pool_depleted", "语料库中没有答案"),
        ("谁印刷了 Ilse Varga 的日记？", "abstained", None, "time_limit", "尚无答案"),
    ],
)
def test_guess_and_abstention_are_said_plainly_in_the_questions_language(  # noqa: PLR0917 (a table)
    make_result, unmet_clue, name, question, status, answer, termination, expected
):
    result = make_result(
        question=question,
        status=status,
        answer=answer,
        termination=termination,
        rates=Rates(),
        unmet_clues=(unmet_clue,),
    )
    text = RENDERERS[name](result)
    assert expected in text
    assert "printed in 1912" in text


def test_an_error_gives_its_message(make_result):
    result = make_result(
        status="error", termination="error", answer=None, error="[211204] it broke"
    )
    for render in RENDERERS.values():
        assert "211204" in render(result)


@pytest.mark.parametrize("name", RENDERERS)
def test_a_citation_that_does_not_hold_is_marked(make_result, claims, name):
    broken = replace(claims[0].citations[0], exists=False, source_check="changed")
    text = RENDERERS[name](make_result((replace(claims[0], citations=(broken,)),)))
    assert "DOES NOT HOLD: the source file has changed since" in text.replace("\\", "")


@pytest.mark.parametrize("name", RENDERERS)
def test_a_rendering_does_not_depend_on_the_machine(make_result, claims, name):
    here = make_result(claims, run_dir="one/place/r1")
    there = make_result(claims, run_dir="another/r1")
    assert RENDERERS[name](here) == RENDERERS[name](there)


def test_html_has_no_script_no_element_and_no_link_from_a_document(make_result, claims):
    page = answer_html(make_result(claims, question=HOSTILE, answer=HOSTILE))
    assert "<script" not in page
    assert "<img" not in page
    assert re.findall(r'(?:href|src)="(?!#ref-)', page) == []
    assert "default-src 'none'" in page


def test_html_marks_lead_to_references_with_the_quote_in_its_context(make_result, claims, corpus):
    page = answer_html(make_result(claims), store=corpus.store(), context=10)
    assert '<a href="#ref-1">[1]</a>' in page
    assert '<li id="ref-1" value="1">' in page
    assert (
        '<span class="around"></span><mark>The Halden Press printed it.</mark>'
        '<span class="around">\nHalden ap</span>'
    ) in page


def test_html_shows_no_context_where_the_stored_text_is_not_the_cited_one(
    make_result, claims, corpus
):
    corpus.execute("UPDATE documents SET text = 'Secret ' || text")
    assert "Secret" not in answer_html(make_result(claims), store=corpus.store())


def test_markdown_of_documents_renders_as_plain_text(make_result, claims):
    html = MarkdownIt().render(answer_markdown(make_result(claims, answer=HOSTILE)))
    assert "<script" not in html
    assert "<img" not in html
    assert "<a " not in html


@pytest.mark.parametrize(
    "text", ["# no heading", "- no item", "1. no number", "> no quote", "*a* _b_"]
)
def test_escaped_markdown_reads_as_the_text_it_was(text):
    html = MarkdownIt().renderInline(escape_markdown(text))
    assert re.sub("<[^>]+>", "", html).replace("&gt;", ">") == text
    assert MarkdownIt().render(escape_markdown(text)).startswith("<p>")


def test_the_terminal_is_not_driven_by_corpus_text(make_result, claims):
    assert "\x1b" not in render_answer(make_result(claims, answer=HOSTILE), is_coloured=False)


def test_the_terminal_keeps_a_quote_on_one_line_however_long(make_result, claims):
    long = replace(claims[0].citations[0], quote="word " * 400)
    text = render_answer(make_result((replace(claims[0], citations=(long,)),)), is_coloured=False)
    assert any(line.count("word") == 400 for line in text.splitlines())


def test_both_languages_have_every_string():
    assert STRINGS["en"].keys() == STRINGS["zh"].keys()


def test_usage_of_nothing_is_zero(make_result):
    text = answer_markdown(make_result(usage=UsageReport(), rates=Rates()))
    assert "0 prompt evaluated, 0 reused, 0 completion" in text
    assert text.count("none to count") == 2
