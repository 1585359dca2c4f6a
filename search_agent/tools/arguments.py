"""RetrieveArguments: what a model sent, cleaned, or refused with the argument, value and bound."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn

from search_agent.errors import ToolArguments

QUERY_CHARS = 200
PAGES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrieveArguments:
    """Queries are clean and differ; ``page`` counts from 1."""

    queries: tuple[str, ...]
    page: int = 1


def parse_retrieve(arguments: Mapping[str, object], *, max_queries: int) -> RetrieveArguments:
    """The arguments of ``retrieve``; a bare string is one query, ``name`` (the tool's) is ignored.

    Raises:
        ToolArguments: an argument is unknown, missing, of a wrong type or out of bounds.
    """
    for name in arguments:
        if name not in {"query", "page", "name"}:
            _refuse(name, arguments[name], "no such argument; allowed are query and page")
    return RetrieveArguments(
        queries=_queries(arguments.get("query"), max_queries), page=_page(arguments.get("page", 1))
    )


def clean_query(text: str) -> str:
    """Without control characters and double quotes, blanks collapsed."""
    kept = (" " if unicodedata.category(c) in {"Cc", "Cf", "Cs"} or c == '"' else c for c in text)
    return " ".join("".join(kept).split())


def _queries(value: object, max_queries: int) -> tuple[str, ...]:
    given = [value] if isinstance(value, str) else value
    if not isinstance(given, list | tuple) or not 1 <= len(given) <= max_queries:
        _refuse("query", value, f"a list of 1 to {max_queries} strings is allowed")
    cleaned: dict[str, None] = {}
    for number, item in enumerate(given):
        name = f"query[{number}]"
        if not isinstance(item, str):
            _refuse(name, item, "a string is allowed")
        text = clean_query(item)
        if not text:
            _refuse(name, item, "a query needs at least one word")
        if len(text) > QUERY_CHARS:
            _refuse(name, item, f"at most {QUERY_CHARS} characters are allowed, got {len(text)}")
        cleaned[text] = None
    return tuple(cleaned)


def _page(value: object) -> int:
    if isinstance(value, str) and value.strip().isdecimal():
        value = int(value.strip())
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= PAGES:
        _refuse("page", value, f"a whole number from 1 to {PAGES} is allowed")
    return value


def _refuse(name: str, value: object, bound: str) -> NoReturn:
    shown = repr(value)
    shown = shown if len(shown) <= 80 else shown[:77] + "..."
    message = f"argument {name!r} is {shown}: {bound}"
    raise ToolArguments(message)
