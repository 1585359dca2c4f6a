"""Means over questions as arithmetic, and the table."""

from dataclasses import replace

import pytest

from search_agent.bench.cited_spans import Span
from search_agent.bench.question import BenchQuestion
from search_agent.bench.result import BenchResult, measure, measure_by
from search_agent.bench.scored import ScoredQuestion, score_question
from search_agent.bench.table import markdown_table
from search_agent.evidence.records import Citation, Claim
from search_agent.final_result import (
    FinalResult,
    IndexIdentity,
    ModelIdentity,
    Rates,
    UsageReport,
)

from .result_rows import result

QUESTION = BenchQuestion(
    query_id="q",
    text="Which press?",
    answers=("Halden Press",),
    gold=(Span("d", 0, 10), Span("e", 0, 10)),
    gold_doc_ids=frozenset({"d", "e"}),
)
UNANSWERABLE = BenchQuestion(query_id="u", text="Which moon?", answers=())


def cited_claim(*places: tuple[str, int, int]) -> Claim:
    citations = tuple(
        Citation(
            claim=0,
            segment_ids=(f"{doc_id}:{start}-{end}",),
            doc_id=doc_id,
            title="",
            uri="",
            source_sha256="",
            text_sha256="",
            start=start,
            end=end,
            quote="x" * (end - start),
            page=None,
            heading_path=(),
            exists=True,
            source_check="match",
        )
        for doc_id, start, end in places
    )
    return Claim(text="It was.", segment_ids=(), citations=citations)


def outcome(
    answer: str | None,
    *places: tuple[str, int, int],
    status: str = "answered",
    supported: float | None = None,
    seconds: float = 0.0,
    evaluated: int = 0,
) -> FinalResult:
    return FinalResult.model_validate(
        {
            "schema": 1,
            "question": "Which press?",
            "strategy": "react",
            "status": status,
            "termination": "answer",
            "answer": answer,
            "claims": (cited_claim(*places),) if places else (),
            "rates": Rates(citations_exist=1.0 if places else None, claims_supported=supported),
            "usage": UsageReport(prompt_evaluated=evaluated),
            "model": ModelIdentity(name="m", sha256="0"),
            "index": IndexIdentity(corpus="c", fingerprint="f"),
            "seconds": seconds,
        }
    )


def scored(
    result: FinalResult, question: BenchQuestion = QUESTION, *, gold_found: float | None = None
) -> ScoredQuestion:
    return score_question(question, result, all_gold_at_10=gold_found, reused=False, run_dir="r")


def test_an_answer_is_scored_on_words_and_places() -> None:
    row = scored(outcome("the Halden Press", ("d", 0, 10), ("f", 0, 10)))
    assert (row.exact_match, row.f1, row.accepted_form) == (1.0, 1.0, 1.0)
    assert (row.citations, row.citation_precision, row.citation_recall) == (2, 1 / 2, 1 / 2)


def test_an_abstention_scores_nothing_and_costs_recall() -> None:
    row = scored(outcome(None, status="abstained"))
    assert (row.exact_match, row.f1) == (0.0, 0.0)
    assert (row.citation_precision, row.citation_recall) == (None, 0.0)


def test_the_answer_of_an_error_is_not_counted() -> None:
    row = scored(outcome("Halden Press", ("d", 0, 10), status="error"))
    assert (row.answer, row.exact_match, row.citation_recall) == (None, 0.0, 0.0)


def test_an_unanswerable_question_has_no_right_words() -> None:
    row = scored(outcome("Io"), UNANSWERABLE)
    assert (row.exact_match, row.f1, row.accepted_form, row.citation_recall) == (None,) * 4


def test_precision_is_macro_over_answered_and_recall_over_all() -> None:
    rows = [
        scored(outcome("Halden Press", ("d", 0, 10), seconds=10, evaluated=100), gold_found=1.0),
        scored(
            outcome("Halden", ("f", 0, 10), status="guess", seconds=20, evaluated=200),
            gold_found=0.0,
        ),
        scored(outcome(None, status="abstained", seconds=60, evaluated=600), gold_found=1.0),
    ]
    means = measure(rows)
    assert means.exact_match == pytest.approx((1 + 0 + 0) / 3)
    # "Halden" against "Halden Press": p = 1/1, r = 1/2
    assert means.f1 == pytest.approx((1 + 2 * 1 * 0.5 / 1.5 + 0) / 3)
    assert means.citation_precision == pytest.approx((1 + 0) / 2)
    assert means.citation_recall == pytest.approx((1 / 2 + 0 + 0) / 3)
    assert means.all_gold_at_10 == pytest.approx((1 + 0 + 1) / 3)
    assert means.seconds_per_question == pytest.approx((10 + 20 + 60) / 3)
    assert means.prompt_evaluated == pytest.approx((100 + 200 + 600) / 3)
    assert (means.answered, means.guessed, means.abstained) == pytest.approx((1 / 3,) * 3)
    assert (means.abstention_precision, means.abstention_recall) == (None, None)


def test_support_is_averaged_where_there_are_claims() -> None:
    rows = [
        scored(outcome("a", ("d", 0, 10), supported=1.0)),
        scored(outcome("b", ("d", 0, 10), supported=0.5)),
        scored(outcome("c")),
    ]
    assert measure(rows).claims_supported == pytest.approx((1 + 0.5) / 2)


def test_abstentions_are_judged_by_what_could_be_answered() -> None:
    rows = [
        scored(outcome(None, status="abstained"), UNANSWERABLE),
        scored(outcome("Io"), UNANSWERABLE),
        scored(outcome(None, status="abstained")),
        scored(outcome("Halden Press")),
    ]
    means = measure(rows)
    assert means.abstention_precision == pytest.approx(1 / 2)
    assert means.abstention_recall == pytest.approx(1 / 2)
    assert means.exact_match == pytest.approx((0 + 1) / 2)  # over the answerable ones


@pytest.mark.parametrize(
    ("outcomes", "precision", "recall"),
    [
        # (answerable, abstained)
        ([(True, False), (False, True), (False, True)], 2 / 2, 2 / 2),
        ([(True, True), (False, True), (False, False)], 1 / 2, 1 / 2),
        ([(True, False), (False, False)], None, 0 / 1),
        ([(True, True), (True, False)], None, None),  # nothing unanswerable was asked
    ],
)
def test_abstention_is_scored_only_where_something_is_unanswerable(
    outcomes: list[tuple[bool, bool]], precision: float | None, recall: float | None
) -> None:
    rows = [
        scored(
            outcome(None, status="abstained") if abstained else outcome("Io"),
            QUESTION if answerable else UNANSWERABLE,
        )
        for answerable, abstained in outcomes
    ]
    means = measure(rows)
    assert (means.abstention_precision, means.abstention_recall) == (precision, recall)


def test_a_closed_book_cites_nothing_and_is_not_blamed_for_it() -> None:
    result = outcome("Halden Press").model_copy(update={"strategy": "closed-book"})
    row = scored(result, replace(QUESTION, gold=()))
    assert (row.exact_match, row.citation_precision, row.citation_recall) == (1.0, None, None)


def test_groups_have_the_means_of_their_own_questions() -> None:
    table = replace(QUESTION, kind="table", language="de")
    rows = [
        scored(outcome("Halden Press", seconds=10)),
        scored(outcome("die Halden Press", seconds=20), table),
        scored(outcome("Toto", seconds=40), table),
    ]
    by_kind = measure_by(rows, lambda row: row.kind)
    assert list(by_kind) == ["fact", "table"]
    assert [group.n for group in by_kind.values()] == [1, 2]
    assert [group.exact_match for group in by_kind.values()] == [1 / 1, 1 / 2]
    assert [group.seconds_per_question for group in by_kind.values()] == [10, (20 + 40) / 2]
    assert list(measure_by(rows, lambda row: row.language)) == ["de", "en"]


def test_no_questions_have_no_means() -> None:
    assert set(measure([]).model_dump().values()) == {None}


def bench_result(**changes: object) -> BenchResult:
    one = scored(outcome("Halden Press", ("d", 0, 10), seconds=12.34), gold_found=1.0)
    by_kind = measure_by([one], lambda row: row.kind)
    by_language = measure_by([one], lambda row: row.language)
    return result(one, **{"by_kind": by_kind, "by_language": by_language, **changes})


def test_a_result_survives_its_json() -> None:
    result = bench_result()
    text = result.model_dump_json()
    assert '"schema":1' in text
    assert BenchResult.model_validate_json(text) == result


def test_a_result_from_before_there_were_modes_and_groups_is_still_read() -> None:
    content = bench_result().model_dump(mode="json")
    for key in ("mode", "split", "by_kind", "by_language"):
        del content[key]
    for row in content["per_question"]:
        del row["kind"], row["language"]
    result = BenchResult.model_validate(content)
    assert (result.mode, result.split, result.by_kind) == ("normal", "all", {})
    assert (result.per_question[0].kind, result.per_question[0].language) == ("fact", "en")


def test_a_mode_that_is_not_normal_stands_behind_the_strategy() -> None:
    modes = [("react", "oracle"), ("closed-book", "closed-book")]
    table = markdown_table(bench_result(strategy=name, mode=mode) for name, mode in modes)
    assert [line.split(" | ")[2] for line in table.splitlines()[2:]] == [
        "react-oracle",
        "closed-book",
    ]


def test_a_table_by_kind_has_a_row_for_each_group() -> None:
    head, _, row = markdown_table([bench_result()], by="kind").splitlines()
    assert head.startswith("| dataset | kind | n | strategy |")
    assert row.startswith("| toy | fact | 1 | react | quick | m | 1.000 |")


def test_the_table_has_a_row_for_each_result_and_a_dash_for_what_does_not_apply() -> None:
    table = markdown_table([bench_result(), bench_result(strategy="single-shot", complete=False)])
    head, rule, first, second = table.splitlines()
    assert head.startswith("| dataset | n | strategy | profile | model | EM | F1 |")
    assert rule.count("|") == head.count("|") == first.count("|")
    assert first == (
        "| toy | 1 | react | quick | m | 1.000 | 1.000 | 1.000 | 1.000 | 0.500 | 1.000 | – | 0.00"
        " | 0.00 | – | – | 1.00 | 12.3 | 0 | 0 | 0 |"
    )
    assert second.startswith("| toy | 1 (interrupted) | single-shot |")
