"""verify_result: a saved answer checked again; whatever was tampered with is named."""

import hashlib
from dataclasses import replace

import pytest

from search_agent.evidence.citation import cite
from search_agent.evidence.verify import verify_result
from search_agent.final_result import FinalResult


@pytest.fixture
def doc_id(corpus, part):
    return corpus.add(
        "a.txt",
        part(text="The Halden Press 🏔️.", page=1, heading=("One",)),
        part(text="哈尔登 Halden 1912.", page=2, heading=("Two",)),
        part(text="Halden again.", page=2, heading=("Two",)),
        part(text="Halden last.", page=3, heading=("Two",)),
        title="Ledger",
        date="1912-12-02",
    )


@pytest.fixture
def result(corpus, doc_id, shown, make_result):
    searcher = corpus.open()
    claims = cite(
        [("One.", ["S2", "S3"]), ("Two.", ["S1"])],
        ledger=shown(searcher),
        store=searcher.store,
        source_root=corpus.source_root,
    )
    return make_result(claims)


@pytest.fixture
def verify(corpus):
    def verify_now(result):
        return verify_result(result, store=corpus.store(), source_root=corpus.source_root)

    return verify_now


def tampered(result: FinalResult, **changes: object) -> FinalResult:
    """The result with its first citation changed."""
    first, *others = result.claims
    citation = replace(first.citations[0], **changes)
    claims = (replace(first, citations=(citation,)), *others)
    return result.model_copy(update={"claims": claims})


def test_an_untouched_answer_verifies(result, verify):
    report = verify(result)
    assert (report.citations, report.exist, report.claims, report.failures) == (2, 2, 2, ())
    assert report.exit_code == 0


def test_a_saved_and_loaded_answer_verifies_with_equal_citations(result, verify):
    loaded = FinalResult.model_validate_json(result.model_dump_json(by_alias=True))
    assert loaded.claims == result.claims
    assert verify(loaded).failures == ()


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        ("start", 25, "start 25 is not where its segment begins (21)"),
        ("start", 0, "quote differs from text[0:51]"),
        ("start", -1, "start -1, end 51 is no span of 0 to"),
        ("end", 50, "end 50 is not where its segment ends (51)"),
        ("end", 10_000, "start 21, end 10000 is no span of 0 to"),
        ("end", 21, "start 21, end 21 is no span"),
        (
            "quote",
            "哈尔登 Halden 1913.\nHalden again.",
            "text_mismatch: quote differs from text[21:51]",
        ),
        ("page", 4, "page 4 is not the page of the span (2)"),
        ("page", None, "page None is not the page of the span (2)"),
        ("doc_id", "d_x", "absent: doc_id 'd_x' is not in the store"),
        ("source_sha256", "0" * 64, "source_sha256 '000000000000' is not the recorded one"),
        ("text_sha256", "0" * 64, "text_mismatch: text_sha256 is not that of the stored text"),
        ("title", "Forged", "title 'Forged' is not the document's ('Ledger')"),
        ("uri", "corpus:///b.txt", "uri 'corpus:///b.txt' is no place of the document"),
        ("heading_path", ("One",), "heading_path ('One',) is not the span's ('Two',)"),
        ("segment_ids", ("d_x:1-2",), "segment_ids ('d_x:1-2',) are not those of the span"),
        ("segment_ids", (), "segment_ids () are not those of the span"),
        ("date", None, "date None is not the document's ('1912-12-02')"),
    ],
)
def test_each_changed_field_is_named(result, verify, field, value, named):
    original = getattr(result.claims[0].citations[0], field)
    assert original != value
    report = verify(tampered(result, **{field: value}))
    (failure,) = report.failures
    assert failure.citation == 1
    assert named in failure.reason
    assert (report.citations, report.exist, report.exit_code) == (2, 1, 2)


def test_the_number_of_the_failing_citation_is_that_of_the_answer(result, verify):
    second = replace(result.claims[1].citations[0], page=9)
    claims = (result.claims[0], replace(result.claims[1], citations=(second,)))
    (failure,) = verify(result.model_copy(update={"claims": claims})).failures
    assert failure.citation == 2


class TestStanding:
    def test_an_edited_source_is_changed(self, corpus, result, verify):
        (corpus.source_root / "a.txt").write_text("edited", encoding="utf-8")
        assert {failure.reason for failure in verify(result).failures} == {"changed"}

    def test_a_missing_source_still_exists(self, corpus, result, verify):
        (corpus.source_root / "a.txt").unlink()
        assert verify(result).failures == ()

    @pytest.mark.parametrize(
        ("successor", "reason"), [("d_0123456789abcdef", "replaced"), (None, "removed")]
    )
    def test_a_document_that_is_no_longer_current(self, corpus, result, verify, successor, reason):
        corpus.execute("UPDATE documents SET last_seen = '2026-02-01', replaced_by = ?", successor)
        assert {failure.reason for failure in verify(result).failures} == {reason}

    def test_a_purged_document_is_absent(self, corpus, result, verify):
        corpus.execute("DELETE FROM documents")
        assert all(failure.reason.startswith("absent") for failure in verify(result).failures)

    def test_a_stored_text_that_was_altered_is_a_text_mismatch(self, corpus, result, verify):
        corpus.execute("UPDATE documents SET text = replace(text, '1912', '1913')")
        reasons = {failure.citation: failure.reason for failure in verify(result).failures}
        assert reasons[1].startswith("text_mismatch: the stored text")
        assert reasons[2].startswith("text_mismatch: the stored text")

    def test_a_text_parsed_anew_is_a_text_mismatch(self, corpus, result, verify):
        text = "Halden, parsed otherwise."
        digest = hashlib.sha256(text.encode()).hexdigest()
        corpus.execute("UPDATE documents SET text = ?, text_sha256 = ?", text, digest)
        assert all("text_mismatch" in failure.reason for failure in verify(result).failures)
