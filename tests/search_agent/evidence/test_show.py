"""show: the text behind a document id, a span id or a citation's number."""

import pytest

from corpora.errors import CorpusNotFound, MalformedRecord
from search_agent.errors import RunNotFound
from search_agent.evidence.citation import cite
from search_agent.evidence.show import show
from search_agent.final_result import FINAL_RESULT_FILE

TEXT = "Halden 🏔️.\n哈尔登 Halden.\nLast Halden."


@pytest.fixture
def doc_id(corpus, part):
    return corpus.add(
        "a.txt", *(part(text=line, page=7) for line in TEXT.split("\n")), title="Ledger"
    )


@pytest.fixture
def shows(corpus, doc_id, tmp_path):
    def show_target(target, **options):
        return show(target, store=corpus.store(), runs_folder=tmp_path / "runs", **options)

    return show_target


@pytest.fixture
def run(corpus, doc_id, shown, make_result, tmp_path):
    searcher = corpus.open()
    claims = cite(
        [("A.", ["S3"]), ("B.", ["S1", "S3"])],
        ledger=shown(searcher),
        store=searcher.store,
        source_root=None,
    )
    folder = tmp_path / "runs" / "r1"
    folder.mkdir(parents=True)
    content = make_result(claims).model_dump_json(by_alias=True)
    (folder / FINAL_RESULT_FILE).write_text(content, encoding="utf-8")
    return folder


def test_a_document_is_shown_whole(shows, doc_id):
    span = shows(doc_id)
    assert (span.text, span.start, span.end, span.before, span.after) == (
        TEXT,
        0,
        len(TEXT),
        "",
        "",
    )


def test_a_span_is_shown_with_what_stands_around_it(shows, doc_id):
    span = shows(f"{doc_id}:11-22", context=4)
    assert (span.before, span.text, span.after) == (TEXT[7:11], TEXT[11:22], TEXT[22:26])
    assert (span.title, span.uri, span.page) == ("Ledger", "corpus:///a.txt", 7)


def test_context_ends_where_the_text_does(shows, doc_id):
    span = shows(f"{doc_id}:11-22", context=10_000)
    assert span.before + span.text + span.after == TEXT


def test_json_has_the_documented_keys(shows, doc_id):
    assert set(shows(doc_id).model_dump()) == {
        "schema", "doc_id", "title", "uri", "source_sha256", "start", "end", "page", "text",
        "before", "after",
    }  # fmt: skip


@pytest.mark.parametrize(("number", "text"), [(1, "Last Halden."), (2, "Halden 🏔️.")])
def test_a_citation_is_shown_by_its_number(shows, run, number, text):
    assert shows(f"r1#{number}").text == text
    assert shows(f"{run}#{number}").text == text


@pytest.mark.parametrize(
    ("target", "error", "message"),
    [
        ("r1#3", RunNotFound, "run 'r1' has no citation 3; it has 1 to 2"),
        ("r1#0", RunNotFound, "has no citation 0"),
        ("r2#1", RunNotFound, "no run 'r2'"),
        ("nonsense", CorpusNotFound, "show takes doc_id, doc_id:start-end or RUN#n"),
        ("d_x:1-2", CorpusNotFound, "document 'd_x' is not in the store"),
    ],
)
def test_what_is_not_there_is_said(shows, run, target, error, message):
    with pytest.raises(error, match=message):
        shows(target)


@pytest.mark.parametrize("span", ["5-5", "9-3", "0-9999"])
def test_a_span_outside_the_text_is_refused(shows, doc_id, span):
    with pytest.raises(CorpusNotFound, match="is no span of a text of"):
        shows(f"{doc_id}:{span}")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is no JSON"),
        ('{"schema": 2}', "has schema 2, this version reads up to 1"),
        ('{"schema": 1}', "question: Field required"),
    ],
)
def test_a_damaged_result_is_named(shows, run, content, message):
    (run / FINAL_RESULT_FILE).write_text(content, encoding="utf-8")
    with pytest.raises(MalformedRecord, match=message):
        shows("r1#1")


def test_a_run_without_a_result_says_how_to_end_it(shows, run):
    (run / FINAL_RESULT_FILE).unlink()
    with pytest.raises(RunNotFound, match="deepsearch resume"):
        shows("r1#1")
