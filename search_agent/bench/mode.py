"""BenchMode: what a strategy may read: all of the corpus, nothing, the gold alone, or all but it.

Floor and ceiling of what retrieval can bring: ``closed-book`` asks the model without any passage,
``oracle`` with a corpus that holds nothing but the question's gold documents. ``filter-gold`` takes
these away, so that the only right outcome is an abstention.
"""

from dataclasses import replace
from typing import Literal, assert_never

from corpora.errors import MalformedRecord
from index.searcher import Searcher
from search_agent.bench.question import BenchQuestion
from search_agent.bench.restricted import RestrictedSearcher

BenchMode = Literal["normal", "closed-book", "oracle", "filter-gold"]


def approach_name(strategy: str, mode: str) -> str:
    """What a strategy is called in a mode: itself, if that is the normal one or the same word."""
    return strategy if mode in {"normal", strategy} else f"{strategy}-{mode}"


def searcher_in_mode(searcher: Searcher, question: BenchQuestion, mode: BenchMode) -> Searcher:
    """The searcher that this question is asked with.

    Raises:
        MalformedRecord: the gold of an answerable question is to be removed, but none is named.
    """
    match mode:
        case "normal" | "closed-book":
            return searcher
        case "oracle":
            return RestrictedSearcher(searcher, only=question.gold_doc_ids)
        case "filter-gold":
            if question.answerable and not (question.gold_doc_ids or question.unresolved_gold):
                message = (
                    f"question {question.query_id!r} names no gold documents, so none can be"
                    " removed; --filter-gold needs judgements or gold for each answerable question"
                )
                raise MalformedRecord(message)
            return RestrictedSearcher(searcher, without=question.gold_doc_ids)
        case _:
            assert_never(mode)


def question_in_mode(question: BenchQuestion, mode: BenchMode) -> BenchQuestion:
    """What is expected of an answer: no citation without passages, no answer without gold."""
    match mode:
        case "normal" | "oracle":
            return question
        case "closed-book":
            return replace(question, gold=(), gold_doc_ids=frozenset(), unresolved_gold=0)
        case "filter-gold":
            return replace(
                question, answers=(), gold=(), gold_doc_ids=frozenset(), unresolved_gold=0
            )
        case _:
            assert_never(mode)
