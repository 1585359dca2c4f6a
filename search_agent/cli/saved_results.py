"""Saved results: files that ``bench answers --out`` and ``bench retrieval --out`` wrote."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from corpora.errors import CorpusNotFound, MalformedRecord

if TYPE_CHECKING:
    from pydantic import BaseModel

    from search_agent.bench.result import BenchResult
    from search_agent.bench.retrieval_result import RetrievalResult

    _Result = TypeVar("_Result", bound=BaseModel)


def read_results(path: Path) -> "list[BenchResult]":
    """The results of a file of ``bench answers``.

    Raises:
        MalformedRecord: the file is no such file.
        CorpusNotFound: it does not exist.
    """
    from search_agent.bench.result import BenchResult

    return _validated(path, BenchResult, "answers")


def read_retrieval_results(path: Path) -> "list[RetrievalResult]":
    """The results of a file of ``bench retrieval``; raises as ``read_results``."""
    from search_agent.bench.retrieval_result import RetrievalResult

    return _validated(path, RetrievalResult, "retrieval")


def holds_retrieval(paths: list[Path]) -> bool:
    """Whether the files are of ``bench retrieval``: all of them, or none.

    Raises:
        MalformedRecord: a file is of neither command, or some are of the one, some of the other.
        CorpusNotFound: one does not exist.
    """
    kinds = {item.get("kind") == "retrieval" for path in paths for item in _items(path)}
    if len(kinds) > 1:
        message = "results of `bench answers` and of `bench retrieval` have no measure in common"
        raise MalformedRecord(message)
    return kinds == {True}


def _validated(path: Path, kind: "type[_Result]", command: str) -> "list[_Result]":
    from pydantic import ValidationError

    try:
        return [kind.model_validate(item) for item in _items(path)]
    except ValidationError as error:
        message = f"{str(path)!r} is no result of `deepsearch bench {command}`: {error}"
        raise MalformedRecord(message) from error


def _items(path: Path) -> list[dict[str, object]]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return [dict(item) for item in content.get("results", [content])]
    except FileNotFoundError as error:
        message = (
            f"no result file {str(path)!r}; `deepsearch bench answers … --out FILE` writes one,"
            " and so does `deepsearch bench retrieval`"
        )
        raise CorpusNotFound(message) from error
    except (ValueError, AttributeError, TypeError) as error:
        message = f"{str(path)!r} is no result of `deepsearch bench answers`: {error}"
        raise MalformedRecord(message) from error
