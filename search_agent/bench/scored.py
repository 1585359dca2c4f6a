"""ScoredQuestion: one question's outcome with every measure that can be taken on it alone."""

from pydantic import BaseModel, ConfigDict

from search_agent.bench.accepted_form import contains_accepted_form
from search_agent.bench.cited_spans import Span, citation_precision, citation_recall
from search_agent.bench.exact_match import exact_match
from search_agent.bench.question import BenchQuestion, GoldUnit
from search_agent.bench.token_f1 import token_f1
from search_agent.final_result import FinalResult, Status, Termination


class ScoredQuestion(BaseModel):
    """A row of ``per_question``; measures that do not apply are None and enter no mean."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    query_id: str
    question: str
    kind: str = "fact"
    language: str = "en"
    accepted: tuple[str, ...]
    answerable: bool
    status: Status
    termination: Termination
    answer: str | None
    exact_match: float | None
    f1: float | None
    accepted_form: float | None
    """These three are None for an unanswerable question."""
    citations: int
    """Distinct cited spans."""
    citation_precision: float | None
    """None unless answered, and for a closed book, which has nothing to cite."""
    citation_recall: float | None
    """None without gold spans."""
    gold_unit: GoldUnit
    unresolved_gold: int
    citations_exist: float | None
    claims_supported: float | None
    all_gold_at_10: float | None
    seconds: float
    prompt_evaluated: int
    prompt_reused: int
    completion: int
    reused: bool
    """Taken from a finished run."""
    run_dir: str

    @property
    def is_answered(self) -> bool:
        """An answer or a guess was given."""
        return self.status in {"answered", "guess"}

    @property
    def is_abstained(self) -> bool:
        """The system said that the corpus does not answer."""
        return self.status == "abstained"


def score_question(
    question: BenchQuestion,
    result: FinalResult,
    *,
    all_gold_at_10: float | None,
    reused: bool,
    run_dir: str,
) -> ScoredQuestion:
    """Compare a result with what is known about its question."""
    answer = result.answer if result.status in {"answered", "guess"} else None
    cited = {
        Span(citation.doc_id, citation.start, citation.end)
        for claim in result.claims
        for citation in claim.citations
    }
    accepted = question.answers
    language = question.language
    is_citing = answer is not None and result.strategy != "closed-book"
    return ScoredQuestion(
        query_id=question.query_id,
        question=question.text,
        kind=question.kind,
        language=language,
        accepted=accepted,
        answerable=question.answerable,
        status=result.status,
        termination=result.termination,
        answer=answer,
        exact_match=exact_match(answer, accepted, language=language) if accepted else None,
        f1=token_f1(answer, accepted, language=language) if accepted else None,
        accepted_form=(
            contains_accepted_form(answer, accepted, language=language) if accepted else None
        ),
        citations=len(cited),
        citation_precision=citation_precision(cited, question.gold) if is_citing else None,
        citation_recall=citation_recall(cited if answer is not None else (), question.gold),
        gold_unit=question.gold_unit,
        unresolved_gold=question.unresolved_gold,
        citations_exist=result.rates.citations_exist,
        claims_supported=result.rates.claims_supported,
        all_gold_at_10=all_gold_at_10,
        seconds=result.seconds,
        prompt_evaluated=result.usage.prompt_evaluated,
        prompt_reused=result.usage.prompt_reused,
        completion=result.usage.completion,
        reused=reused,
        run_dir=run_dir,
    )
