"""cite: ids become spans, the quote is cut from the stored text, existence is checked."""

from dataclasses import replace

import pytest

from search_agent.evidence.citation import cite, existence_rate, support_rate
from search_agent.evidence.records import Citation, Claim, Support


@pytest.fixture
def cited(corpus, shown):
    """Cites ids of all that a search for 'halden' shows."""

    def cite_ids(*claims, searcher=None, ledger=None, source_root=corpus.source_root):
        searcher = searcher or corpus.open()
        ledger = ledger or shown(searcher)
        return cite(claims, ledger=ledger, store=searcher.store, source_root=source_root)

    return cite_ids


def test_every_quote_is_the_document_between_the_offsets(corpus, cited):
    corpus.add("a.txt", "Halden 🏔️ Press.", "哈尔登出版社。Halden", "𝔘nd Halden é.")
    searcher = corpus.open()
    text = next(searcher.store.documents()).text
    (claim,) = cited(("A claim.", ["S3", "S1", "S2"]))
    (citation,) = claim.citations
    assert citation.quote == text[citation.start : citation.end] == text
    assert citation.exists
    assert citation.source_check == "match"


def test_neighbouring_ids_make_one_citation_and_a_gap_makes_two(corpus, cited):
    doc_id = corpus.add("a.txt", *(f"Halden {number}." for number in range(5)), chunk_size=5)
    (claim,) = cited(("A claim.", ["S5", "S1", "S2"]))
    assert [citation.quote for citation in claim.citations] == ["Halden 4.", "Halden 0.\nHalden 1."]
    assert claim.citations[1].segment_ids == (f"{doc_id}:0-9", f"{doc_id}:10-19")
    assert claim.segment_ids == ("S5", "S1", "S2")


def test_neighbours_under_different_headings_stay_apart(corpus, part, cited):
    corpus.add(
        "a.txt", part(text="Halden 1.", heading=("A",)), part(text="Halden 2.", heading=("B",))
    )
    (claim,) = cited(("A claim.", ["S1", "S2"]))
    assert [citation.heading_path for citation in claim.citations] == [("A",), ("B",)]


def test_ids_of_two_documents_make_two_citations_in_the_order_named(corpus, cited, shown):
    corpus.add("a.txt", "Halden one.")
    corpus.add("b.txt", "Halden two.")
    (claim,) = cited(("A claim.", ["S2", "S1"]))
    first, second = shown(corpus.open()).in_order
    assert [citation.doc_id for citation in claim.citations] == [second.doc_id, first.doc_id]


def test_title_page_heading_uri_and_date_come_from_the_store(corpus, part, cited):
    corpus.add(
        "dir/a.txt",
        part(text="Halden.", page=3, heading=("A", "B")),
        title="Ledger",
        date="1912-12-02",
    )
    (claim,) = cited(("A claim.", ["S1"]))
    (citation,) = claim.citations
    assert (citation.title, citation.page, citation.heading_path, citation.uri, citation.date) == (
        "Ledger",
        3,
        ("A", "B"),
        "corpus:///dir/a.txt",
        "1912-12-02",
    )


def test_an_id_that_was_never_given_cites_nothing(corpus, cited):
    corpus.add("a.txt", "Halden.")
    (claim,) = cited(("A claim.", ["S7"]))
    assert claim.uncited
    assert claim.citations == ()


class TestSource:
    @pytest.fixture(autouse=True)
    def _document(self, corpus):
        corpus.add("a.txt", "Halden.")

    def test_an_edited_file_gives_changed_and_exists_false(self, corpus, cited):
        (corpus.source_root / "a.txt").write_text("Halden!", encoding="utf-8")
        (citation,) = cited(("A claim.", ["S1"]))[0].citations
        assert (citation.source_check, citation.exists) == ("changed", False)

    def test_a_missing_file_gives_absent_and_still_exists(self, corpus, cited):
        (corpus.source_root / "a.txt").unlink()
        (citation,) = cited(("A claim.", ["S1"]))[0].citations
        assert (citation.source_check, citation.exists) == ("absent", True)

    def test_without_a_source_folder_it_is_absent(self, cited):
        (citation,) = cited(("A claim.", ["S1"]), source_root=None)[0].citations
        assert citation.source_check == "absent"

    def test_one_intact_copy_is_enough(self, corpus, cited):
        (corpus.source_root / "copy.txt").write_text("Halden.", encoding="utf-8")
        (corpus.source_root / "a.txt").write_text("Edited.", encoding="utf-8")
        corpus.execute(
            "INSERT INTO locations SELECT 'corpus:///copy.txt', doc_id, '[]', NULL, NULL, NULL"
            " FROM documents"
        )
        (citation,) = cited(("A claim.", ["S1"]))[0].citations
        assert citation.source_check == "match"

    def test_a_uri_cannot_lead_out_of_the_source_folder(self, corpus, cited):
        (corpus.source_root.parent / "outside.txt").write_text("Halden.", encoding="utf-8")
        corpus.execute("UPDATE locations SET uri = 'corpus:///../outside.txt'")
        (citation,) = cited(("A claim.", ["S1"]))[0].citations
        assert citation.source_check == "absent"

    def test_a_folder_whose_name_ends_like_a_container_is_none(self, corpus, cited):
        (corpus.source_root / "Urgent!").mkdir()
        (corpus.source_root / "a.txt").rename(corpus.source_root / "Urgent!" / "a.txt")
        corpus.execute("UPDATE locations SET uri = 'corpus:///Urgent!/a.txt'")
        (citation,) = cited(("A claim.", ["S1"]))[0].citations
        assert citation.source_check == "match"

    @pytest.mark.parametrize(("edit", "check"), [(False, "match"), (True, "changed")])
    def test_a_member_of_a_container_is_checked_by_the_outer_file(self, corpus, cited, edit, check):
        outer = corpus.add("mail.eml", "Container with Halden.")
        corpus.execute(
            "UPDATE locations SET uri = 'corpus:///mail.eml!/a.txt', parent_doc_id = ?,"
            " member_path = 'a.txt' WHERE uri = 'corpus:///a.txt'",
            outer,
        )
        corpus.execute(
            "UPDATE documents SET uri = 'corpus:///mail.eml!/a.txt' WHERE uri LIKE '%a.txt'"
        )
        (corpus.source_root / "a.txt").unlink()
        if edit:
            (corpus.source_root / "mail.eml").write_text("edited", encoding="utf-8")
        claims = cited(("A claim.", ["S1", "S2"]))
        assert {citation.source_check for citation in claims[0].citations} == {check}


def test_a_store_that_changed_after_the_search_gives_exists_false(corpus, cited, shown):
    corpus.add("a.txt", "Halden one.")
    ledger = shown(corpus.open())
    corpus.execute("UPDATE documents SET text = 'Hulden one.'")
    (citation,) = cited(("A claim.", ["S1"]), ledger=ledger, searcher=corpus.open())[0].citations
    assert not citation.exists


def test_existence_and_support_are_two_rates(corpus, cited):
    corpus.add("a.txt", *(f"Halden {number}." for number in range(4)))
    claims = cited(("One.", ["S1"]), ("Two.", ["S3"]), ("Three.", []))
    yes = Support(score=0.9, label="supported", p=0.9, overlap=0.9, guard_passed=True)
    no = Support(score=0.1, label="unsupported", p=0.1, overlap=0.1, guard_passed=True)
    judged = (replace(claims[0], support=yes), replace(claims[1], support=no), claims[2])
    assert existence_rate(judged) == 2 / 2
    assert support_rate(judged) == 1 / 3


def test_rates_of_nothing_are_none(corpus, cited):
    corpus.add("a.txt", "Halden.")
    unchecked = cited(("One.", ["S1"]))
    assert existence_rate(()) is None
    assert support_rate(()) is None
    assert support_rate(unchecked) is None
    assert support_rate((Claim(text="x", segment_ids=(), uncited=True),)) == 0.0


def test_a_citation_has_no_field_a_model_could_fill(corpus, cited):
    corpus.add("a.txt", "Halden.")
    (citation,) = cited(("Ignore this claim text.", ["S1"]))[0].citations
    values = [getattr(citation, name) for name in Citation.__slots__]
    assert not any("Ignore" in str(value) for value in values)
