"""What a reply type becomes: a flat schema, then a grammar llama.cpp compiles."""

import json
import re
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, RootModel, StringConstraints

from search_agent.model.gbnf import UnsupportedSchema, gbnf_of
from search_agent.model.schema import flat_schema, grammar_of


class Arguments(BaseModel):
    """Words for people that must not reach the grammar."""

    query: list[Annotated[str, StringConstraints(min_length=1, max_length=120)]] = Field(
        min_length=1, max_length=2, description="what to look for"
    )


class Call(BaseModel):
    name: Literal["retrieve", "find"]
    arguments: Arguments


class ToolReply(BaseModel):
    thought: Annotated[str, StringConstraints(max_length=400)]
    tool_calls: list[Call] = Field(min_length=1, max_length=2)


class AnswerReply(BaseModel):
    model_config = ConfigDict(extra="forbid")

    thought: Annotated[str, StringConstraints(max_length=400)]
    answer: str | None
    strength: Annotated[int, Field(ge=0, le=20)]


class EitherReply(RootModel[ToolReply | AnswerReply]):
    pass


class Tree(BaseModel):
    children: list["Tree"]


def test_references_are_put_in_place_and_words_for_people_are_dropped():
    schema = flat_schema(ToolReply)
    call = schema["properties"]["tool_calls"]["items"]
    assert call["properties"]["arguments"]["properties"]["query"]["maxItems"] == 2
    assert "$ref" not in json.dumps(schema)
    assert "description" not in json.dumps(schema)
    assert "title" not in json.dumps(schema)


def test_a_property_named_like_a_word_for_people_is_kept():
    class Report(BaseModel):
        title: str
        description: str

    assert list(flat_schema(Report)["properties"]) == ["title", "description"]


def test_properties_keep_the_order_they_are_written_in():
    grammar = grammar_of(AnswerReply)
    assert grammar.index('\\"strength\\"') < grammar.index(
        '\\"answer\\"'
    )  # rules are written inside out
    assert "root ::= " in grammar.splitlines()[0]


def test_no_rule_admits_a_blank_between_tokens():
    grammar = grammar_of(EitherReply)
    rules = [line for line in grammar.splitlines() if "[^" not in line]  # no character classes
    literals = re.findall(r'"((?:[^"\\]|\\.)*)"', "\n".join(rules))
    assert "{" in literals
    assert [text for text in literals if " " in text] == []


def test_the_same_type_gives_the_same_grammar():
    assert grammar_of(ToolReply) == grammar_of(ToolReply)


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"const": 'say "hi"'}, r'root ::= "\"say \\\"hi\\\"\""'),
        ({"enum": ["a", "b"]}, r'r1 ::= "\"a\"" | "\"b\""'),
        ({"type": "null"}, 'root ::= "null"'),
        ({"type": "boolean"}, 'r1 ::= "true" | "false"'),
        ({"type": "integer", "minimum": 1, "maximum": 3}, 'r1 ::= "1" | "2" | "3"'),
        ({"type": "integer", "exclusiveMinimum": 0, "maximum": 2}, 'r1 ::= "1" | "2"'),
        (
            {"type": "number", "minimum": 0, "maximum": 0.2, "multipleOf": 0.1},
            'r1 ::= "0.0" | "0.1" | "0.2"',
        ),
        ({"type": "array", "items": {"enum": [1]}, "maxItems": 3}, 'r3 ::= "[" (r1 r2{0,2})? "]"'),
        (
            {"type": "array", "items": {"enum": [1]}, "minItems": 2, "maxItems": 3},
            'r3 ::= "[" r1 r2{1,2} "]"',
        ),
        ({"type": "array", "items": {}, "maxItems": 0}, 'root ::= "[]"'),
        ({"type": "string", "pattern": r"^S\d{1,4}$"}, r'r1 ::= "\"" "S" [0-9]{1,4} "\""'),
        ({"type": "string", "maxLength": 0}, r'root ::= "\"\""'),
    ],
)
def test_each_kind_of_schema_has_its_rule(schema, expected):
    assert expected in gbnf_of(schema)


def test_an_optional_property_may_be_left_out_without_a_stray_comma():
    schema = {
        "type": "object",
        "properties": {"a": {"const": 1}, "b": {"const": 2}},
        "required": ["b"],
    }
    rules = dict(line.split(" ::= ", 1) for line in gbnf_of(schema).splitlines())
    assert rules[rules["root"]] == '"{" r4'
    assert rules["r4"] == r'"\"a\":" "1" r1 | r2'
    assert rules["r1"] == r'"," "\"b\":" "2" "}"'
    assert rules["r2"] == r'"\"b\":" "2" "}"'


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({"type": "object", "additionalProperties": {"type": "string"}}, "free keys"),
        ({"type": "array"}, "without an item type"),
        ({"type": "string", "pattern": "^(a|b)$"}, "has no grammar"),
        ({}, "has no grammar"),
    ],
)
def test_what_a_grammar_cannot_bound_is_refused(schema, reason):
    with pytest.raises(UnsupportedSchema, match=reason):
        gbnf_of(schema)


def test_a_type_that_contains_itself_is_refused():
    with pytest.raises(UnsupportedSchema, match="contains itself"):
        grammar_of(Tree)
