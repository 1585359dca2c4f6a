"""Links by name: what they bring up, what they never do, and what they give as their reason."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corpora.hit import Filters, Hit
from index import HybridSearcher, IndexConfig, build_index, hash_card, open_index
from index.config import BridgeWeights
from tests.index.small_ingest import Source, WriteIngest

CHAIR = Source(
    doc_id="d_1",
    title="Minutes of May",
    text="The meeting elected Anna Keller to chair the drought committee.",
)
STAFF = Source(doc_id="d_2", title="Anna Keller", text="Extension 417, second floor.")
VISIT = Source(doc_id="d_3", title="Visitors", text="Signed in at noon: Anna Keller, two guests.")
OTHER = [
    Source(doc_id=f"d_{n}", title=f"Note {n}", text=f"The pump of well {n} was oiled and tested.")
    for n in range(4, 12)
]
QUESTION = "whom did the meeting elect to chair the drought committee"


def searcher_over(write_ingest: WriteIngest, *sources: Source, **weights: float) -> HybridSearcher:
    folder = write_ingest(sources)
    config = IndexConfig(bridges=BridgeWeights.model_validate(weights))
    build_index(folder, encoders=[hash_card()], config=config)
    return open_index(folder, encoders=())  # lexical alone: what words do not find, names must


def hits(searcher: HybridSearcher, query: str, **choices: object) -> list[Hit]:
    (found,) = searcher.search([query], k=20, **choices)  # type: ignore[arg-type]
    return found


def test_a_hit_leads_to_the_document_that_bears_a_name_in_it(write_ingest: WriteIngest) -> None:
    searcher = searcher_over(write_ingest, CHAIR, STAFF, *OTHER)
    first, second, *_ = hits(searcher, QUESTION)
    assert (first.doc_id, first.bridge) == ("d_1", None)
    assert second.doc_id == "d_2"
    assert second.legs == {"sparse": None, "dense": None}
    assert second.bridge is not None
    assert second.bridge.from_chunk_id == first.chunk_id
    mention = second.bridge.mention
    assert (mention.doc_id, mention.text) == ("d_1", "Anna Keller")
    assert CHAIR.text[mention.start : mention.end] == "Anna Keller"


def test_documents_that_share_a_rare_name_lead_to_each_other(write_ingest: WriteIngest) -> None:
    searcher = searcher_over(write_ingest, CHAIR, VISIT, *OTHER)
    first, second, *_ = hits(searcher, QUESTION)
    assert (first.doc_id, second.doc_id) == ("d_1", "d_3")


def test_the_question_leads_to_what_bears_a_name_in_it(write_ingest: WriteIngest) -> None:
    text = "Extension 417 of the second floor is not answered before noon, says Lee."
    staff = Source(doc_id="d_2", title="Keller", text=text)
    searcher = searcher_over(write_ingest, staff, *OTHER)
    query = "was the pump of well 5 oiled and tested by keller"
    (found,) = [hit for hit in hits(searcher, query) if hit.doc_id == "d_2"]
    (bare,) = [hit for hit in hits(searcher, query, bridges=False) if hit.doc_id == "d_2"]
    assert found.score > bare.score
    assert found.bridge is not None
    assert found.bridge.from_chunk_id is None
    assert found.bridge.mention == (None, 43, 49, "keller")


def test_bridges_can_be_left_out_and_belong_to_hybrid_alone(write_ingest: WriteIngest) -> None:
    searcher = searcher_over(write_ingest, CHAIR, STAFF, *OTHER)
    assert [hit.doc_id for hit in hits(searcher, QUESTION, bridges=False)] == ["d_1"]
    assert [hit.doc_id for hit in hits(searcher, QUESTION, mode="sparse")] == ["d_1"]


def test_weights_of_zero_follow_nothing(write_ingest: WriteIngest) -> None:
    searcher = searcher_over(
        write_ingest, CHAIR, STAFF, VISIT, *OTHER, question=0, title=0, shared=0
    )
    assert [hit.doc_id for hit in hits(searcher, QUESTION)] == ["d_1"]


def test_no_name_leads_out_of_the_filters_or_from_outside_them(write_ingest: WriteIngest) -> None:
    searcher = searcher_over(
        write_ingest,
        Source(doc_id="d_1", title=CHAIR.title, text=CHAIR.text, labels=("secret",)),
        Source(doc_id="d_2", title=STAFF.title, text=STAFF.text, labels=("public",)),
        Source(doc_id="d_3", title=VISIT.title, text=VISIT.text, labels=("secret",)),
        *OTHER,
    )
    public, secret = Filters(labels_any=("public",)), Filters(labels_any=("secret",))
    assert hits(searcher, QUESTION, filters=public) == []
    assert [hit.doc_id for hit in hits(searcher, QUESTION, filters=secret)] == ["d_1", "d_3"]


def test_a_name_in_hidden_text_leads_nowhere(write_ingest: WriteIngest) -> None:
    text = "The meeting elected a chair of the drought committee. Ask Anna Keller."
    hidden = Source(doc_id="d_1", title="Minutes", text=text, hidden="Ask Anna Keller.")
    searcher = searcher_over(write_ingest, hidden, STAFF, *OTHER)
    assert [hit.doc_id for hit in hits(searcher, QUESTION)] == ["d_1"]


def test_a_name_that_everyone_mentions_leads_nowhere(write_ingest: WriteIngest) -> None:
    crowd = [
        Source(doc_id=f"d_{n}", title=f"Note {n}", text=f"Well {n}, signed by Anna Keller.")
        for n in range(20, 40)
    ]
    searcher = searcher_over(write_ingest, CHAIR, *crowd)
    assert [hit.doc_id for hit in hits(searcher, QUESTION)] == ["d_1"]


NAMES = ["Anna Keller", "Port Blair", "Pump HK-204", "Otto Brandt", "Lake Silver"]
TEXTS = st.lists(
    st.lists(st.sampled_from([*NAMES, "well", "storm", "meeting"]), min_size=1, max_size=5),
    min_size=2,
    max_size=7,
)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(texts=TEXTS, query=st.sampled_from([*NAMES, "storm", "meeting at the well", ""]))
def test_bridges_change_no_first_place_and_lose_no_hit(
    write_ingest: WriteIngest, texts: list[list[str]], query: str
) -> None:
    sources = [
        Source(doc_id=f"d_{n}", title=NAMES[n % len(NAMES)], text=f"{', '.join(words)} ({n}).")
        for n, words in enumerate(texts)
    ]
    searcher = searcher_over(write_ingest, *sources)
    bare, bridged = hits(searcher, query, bridges=False), hits(searcher, query)
    assert {hit.doc_id for hit in bare} <= {hit.doc_id for hit in bridged}
    assert [hit.score for hit in bridged] == sorted((h.score for h in bridged), reverse=True)
    if bare:
        assert bridged[0] == bare[0]
    texts_by_id = {source.doc_id: source.text for source in sources}
    for hit in bridged:
        if hit.bridge is not None and hit.bridge.mention.doc_id is not None:
            doc_id, start, end, text = hit.bridge.mention
            assert texts_by_id[doc_id][start:end] == text != ""
    searcher.close()
