"""Arguments of retrieve: cleaned, or refused with name, value and bound."""

import pytest

from search_agent.errors import ToolArguments
from search_agent.tools.arguments import parse_retrieve


def queries(value: object) -> tuple[str, ...]:
    return parse_retrieve({"query": value}, max_queries=3).queries


@pytest.mark.parametrize(
    ("given", "cleaned"),
    [
        ("one query, not characters", ("one query, not characters",)),
        (['"Halden"  Press\n1912'], ("Halden Press 1912",)),
        (["a\x00b\x1b[31m"], ("a b [31m",)),
        (["Halden", "Halden"], ("Halden",)),
        (["x" * 200], ("x" * 200,)),
        (["哈尔登 出版社"], ("哈尔登 出版社",)),
    ],
)
def test_queries_are_cleaned(given, cleaned):
    assert queries(given) == cleaned


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "argument 'query' is None: a list of 1 to 3 strings is allowed"),
        ({"query": []}, "argument 'query' is []: a list of 1 to 3 strings is allowed"),
        (
            {"query": ["a", "b", "c", "d"]},
            "argument 'query' is ['a', 'b', 'c', 'd']: a list of 1 to 3 strings is allowed",
        ),
        ({"query": ["a", 7]}, "argument 'query[1]' is 7: a string is allowed"),
        ({"query": ['" "']}, "argument 'query[0]' is '\" \"': a query needs at least one word"),
        ({"query": "a", "page": 0}, "argument 'page' is 0: a whole number from 1 to 20 is allowed"),
        (
            {"query": "a", "page": 21},
            "argument 'page' is 21: a whole number from 1 to 20 is allowed",
        ),
        (
            {"query": "a", "page": True},
            "argument 'page' is True: a whole number from 1 to 20 is allowed",
        ),
        (
            {"query": "a", "top_k": 9},
            "argument 'top_k' is 9: no such argument; allowed are query and page",
        ),
    ],
)
def test_a_refusal_names_argument_value_and_bound(arguments, message):
    with pytest.raises(ToolArguments) as refusal:
        parse_retrieve(arguments, max_queries=3)
    assert str(refusal.value) == message
    assert refusal.value.code == 211305


def test_a_query_of_201_characters_is_refused_in_a_short_message():
    with pytest.raises(
        ToolArguments, match="at most 200 characters are allowed, got 201"
    ) as refusal:
        queries(["x" * 201])
    assert len(str(refusal.value)) < 200
