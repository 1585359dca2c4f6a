"""From a pydantic reply type to the flat JSON schema that its grammar is written from."""

import json
from functools import lru_cache

from pydantic import BaseModel

from search_agent.model.gbnf import UnsupportedSchema, gbnf_of

WORDS_FOR_PEOPLE = ("title", "description", "default", "examples", "discriminator")
"""Schema keys that constrain nothing."""


def grammar_of(reply_type: type[BaseModel]) -> str:
    """The GBNF that admits exactly the compact JSON of ``reply_type``.

    Raises:
        UnsupportedSchema: recursion, free keys, or a pattern beyond the supported ones.
    """
    return _compiled(json.dumps(flat_schema(reply_type), ensure_ascii=False))


def flat_schema(reply_type: type[BaseModel]) -> dict[str, object]:
    """The JSON schema with ``$ref`` put in place, words for people dropped, property order kept."""
    schema = reply_type.model_json_schema()
    definitions = schema.pop("$defs", {})
    flat = _flatten(schema, definitions, ())
    assert isinstance(flat, dict)
    return flat


@lru_cache(maxsize=256)
def _compiled(schema_text: str) -> str:
    return gbnf_of(json.loads(schema_text))


def _flatten(node: object, definitions: dict[str, object], within: tuple[str, ...]) -> object:
    if isinstance(node, list):
        return [_flatten(item, definitions, within) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        name = str(node["$ref"]).rpartition("/")[2]
        if name in within:
            message = f"reply type {name!r} contains itself; a grammar needs a bounded depth"
            raise UnsupportedSchema(message)
        return _flatten(definitions[name], definitions, (*within, name))
    return {
        key: {name: _flatten(item, definitions, within) for name, item in value.items()}
        if key == "properties" and isinstance(value, dict)
        else _flatten(value, definitions, within)
        for key, value in node.items()
        if key not in WORDS_FOR_PEOPLE
    }
