"""Questions of a collection in the common layout, with gold as spans of the ingested text."""

import gzip
import json
from pathlib import Path

import pytest

from corpora.errors import CorpusNotFound, MalformedRecord
from corpora.store import DocumentStore
from index.hash_encoder import hash_card
from ingest import ingest_collection
from search_agent.bench.cited_spans import Span
from search_agent.bench.collection import (
    collection_questions,
    locate_sentences,
    read_positive_qrels,
)

PRESS = ("The Halden Press stood in Senna.", "It printed the diary in 1912.")
VARGA = ("Ilse Varga compiled a flora.", "It printed the diary in 1912.")


def write_collection(folder: Path, queries: list[dict[str, object]]) -> None:
    folder.mkdir()
    passages = [
        {
            "_id": "p1",
            "title": "Halden Press",
            "text": " ".join(PRESS),
            "metadata": {"sentences": PRESS},
        },
        {
            "_id": "p2",
            "title": "Ilse Varga",
            "text": " ".join(VARGA),
            "metadata": {"sentences": VARGA},
        },
        {"_id": "p3", "title": "Halden Press", "text": "A band of that name plays rock."},
    ]
    with gzip.open(folder / "corpus.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write("".join(json.dumps(passage) + "\n" for passage in passages))
    lines = "".join(json.dumps(query) + "\n" for query in queries)
    (folder / "queries.jsonl").write_text(lines, encoding="utf-8")
    (folder / "qrels").mkdir()
    rows = ["query-id\tcorpus-id\tscore", "q1\tp1\t1", "q1\tp2\t1", "q1\tp3\t0", "q2\tp3\t1"]
    (folder / "qrels" / "test.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")


def query(query_id: str, **metadata: object) -> dict[str, object]:
    return {"_id": query_id, "text": f"question {query_id}?", "metadata": metadata}


def rewrite_queries(tmp_path: Path, *queries: dict[str, object]) -> None:
    lines = "".join(json.dumps(line) + "\n" for line in queries)
    (tmp_path / "collection" / "queries.jsonl").write_text(lines, encoding="utf-8")


@pytest.fixture
def store_of(tmp_path: Path) -> DocumentStore:
    write_collection(
        tmp_path / "collection",
        [
            query(
                "q1", answers=["1912"], supporting_facts=[["Halden Press", 1], ["Ilse Varga", 0]]
            ),
            query("q2", answers=["rock"]),
            query("q3", answers=["x"], supporting_facts=[["Halden Press", 7]]),
        ],
    )
    ingest_collection(tmp_path / "collection", tmp_path / "ingest", encoder=hash_card())
    return DocumentStore(tmp_path / "ingest")


def test_supporting_facts_become_sentence_spans(store_of: DocumentStore, tmp_path: Path) -> None:
    first, *_ = collection_questions(tmp_path / "collection", store_of, n=0)
    assert first.gold_unit == "sentence"
    assert first.gold_doc_ids == {"p1", "p2"}
    texts = {doc_id: store_of.document(doc_id) for doc_id in ("p1", "p2")}
    quotes = [texts[span.doc_id].text[span.start : span.end] for span in first.gold]
    assert [span.doc_id for span in first.gold] == ["p1", "p2"]
    assert quotes == [PRESS[1], VARGA[0]]


def test_without_supporting_facts_the_whole_judged_document_is_gold(
    store_of: DocumentStore, tmp_path: Path
) -> None:
    _, second, _ = collection_questions(tmp_path / "collection", store_of, n=0)
    text = store_of.document("p3").text
    assert second.gold_unit == "document"
    assert second.gold == (Span("p3", 0, len(text)),)


def test_a_sentence_that_does_not_exist_is_counted_not_invented(
    store_of: DocumentStore, tmp_path: Path
) -> None:
    *_, third = collection_questions(tmp_path / "collection", store_of, n=0)
    assert (third.gold, third.unresolved_gold) == ((), 1)


def test_the_first_n_questions_come_in_file_order(store_of: DocumentStore, tmp_path: Path) -> None:
    questions = collection_questions(tmp_path / "collection", store_of, n=2)
    assert [question.query_id for question in questions] == ["q1", "q2"]


def test_a_placed_answer_makes_its_sentence_gold(store_of: DocumentStore, tmp_path: Path) -> None:
    start = " ".join(VARGA).index("1912")
    placed = [{"text": "1912", "start": start, "exact": True}]
    rewrite_queries(tmp_path, query("q1", doc="p2", answers=placed))
    [question] = collection_questions(tmp_path / "collection", store_of, n=0)
    assert question.answers == ("1912",)
    assert question.gold_unit == "sentence"
    [span] = question.gold
    assert store_of.document("p2").text[span.start : span.end] == VARGA[1]


def test_a_placed_answer_that_is_not_at_its_place_is_counted(
    store_of: DocumentStore, tmp_path: Path
) -> None:
    rewrite_queries(tmp_path, query("q1", doc="p2", answers=[{"text": "1912", "start": 0}]))
    [question] = collection_questions(tmp_path / "collection", store_of, n=0)
    assert (question.gold, question.unresolved_gold) == ((), 1)


@pytest.mark.parametrize(
    ("metadata", "kind"),
    [
        ({"type": "bridge", "level": "hard"}, "bridge/hard"),
        ({"hops": "2hop"}, "2hop"),
        ({"kind": "table", "type": "bridge"}, "table"),
        ({"type": ["no", "name"]}, "fact"),
        ({}, "fact"),
    ],
)
def test_the_kind_is_what_the_collection_says(
    metadata: dict[str, object], kind: str, store_of: DocumentStore, tmp_path: Path
) -> None:
    rewrite_queries(tmp_path, query("q1", answers=["x"], **metadata))
    [question] = collection_questions(tmp_path / "collection", store_of, n=0)
    assert question.kind == kind


@pytest.mark.parametrize(
    ("text", "given", "languages", "language"),
    [
        ("Which?", "fr", ("de",), "fr"),
        ("Welche?", None, ("de",), "de"),
        ("Which?", None, ("de", "en"), "en"),
        ("NFL Super Bowl 50 in Santa Clara 几点？", None, (), "zh"),
        ("Which?", None, (), "en"),
    ],
)
def test_the_language_is_given_or_that_of_the_folder_or_told_by_the_script(
    text: str,
    given: str | None,
    languages: tuple[str, ...],
    language: str,
    store_of: DocumentStore,
) -> None:
    folder = store_of.path.parents[1]
    rewrite_queries(folder, {**query("q1", answers=["x"], language=given), "text": text})
    [question] = collection_questions(folder / "collection", store_of, n=0, languages=languages)
    assert question.language == language


def test_a_query_without_answers_is_refused(store_of: DocumentStore, tmp_path: Path) -> None:
    path = tmp_path / "collection" / "queries.jsonl"
    path.write_text(json.dumps(query("q9")) + "\n", encoding="utf-8")
    with pytest.raises(MalformedRecord, match=r"'q9' has no metadata\.answers"):
        collection_questions(tmp_path / "collection", store_of, n=0)


@pytest.mark.parametrize(
    ("text", "sentences", "spans"),
    [
        ("A b. C d.", ["A b.", "C d."], [(0, 4), (5, 9)]),
        ("x. x. x.", ["x.", "x."], [(0, 2), (3, 5)]),  # equal sentences stand one after another
        ("A b.", ["A b.", "not there", ""], [(0, 4), None, None]),
        ("A b. C d.", ["A b. ", " C d."], [(0, 4), (5, 9)]),  # white space around is not the text
    ],
)
def test_sentences_are_found_in_order(
    text: str, sentences: list[str], spans: list[tuple[int, int] | None]
) -> None:
    assert locate_sentences(text, sentences) == spans


def test_only_positive_judgements_count(store_of: DocumentStore, tmp_path: Path) -> None:
    del store_of
    assert read_positive_qrels(tmp_path / "collection" / "qrels") == {
        "q1": {"p1", "p2"},
        "q2": {"p3"},
    }


def test_a_row_that_is_no_judgement_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("query-id\tcorpus-id\tscore\nq1\tp1\n", encoding="utf-8")
    with pytest.raises(MalformedRecord, match=r"a\.tsv: row"):
        read_positive_qrels(tmp_path)


def test_no_judgements_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(CorpusNotFound, match=r"no qrels/\*\.tsv"):
        read_positive_qrels(tmp_path)
