"""GBNF, llama.cpp's grammar language, for compact JSON under a schema.

Why not the library's own converter: it admits blanks between tokens, on which small models loop
until the limit; it leaves strings and lists unbounded; and it ignores what it does not know.
Here every string and list has a bound, properties keep their order, and the unknown is refused.
"""

import json
import math
import re
from collections.abc import Mapping

MAX_STRING = 1000
"""Characters of a string whose schema gives no ``maxLength``."""
MAX_ITEMS = 32
"""Items of a list whose schema gives no ``maxItems``."""
MAX_ENUMERATED = 1000
"""Bounded numbers are written out one by one up to this many values."""

CHARACTER = r'[^"\\\x00-\x1F\x7F-\u009F] | "\\" ["\\/nt]'
"""No raw control characters, and no ``\\u``: half a surrogate pair is no text."""
FIRST_CHARACTER = r'[^ "\\\x00-\x1F\x7F-\u009F] | "\\" ["\\/]'
"""A string never begins with a blank: that is where loops of blanks begin."""

Schema = Mapping[str, object]


class UnsupportedSchema(ValueError):
    """A schema that cannot be turned into a bounded grammar; told to the developer."""


def gbnf_of(schema: Schema) -> str:
    """The grammar's text; its rule ``root`` is the whole reply."""
    rules = _Rules()
    root = rules.expression(schema)
    lines = [f"root ::= {root}"]
    lines += [f"{name} ::= {body}" for body, name in rules.names.items()]
    return "\n".join(lines) + "\n"


class _Rules:
    """Expressions of GBNF by schema; equal bodies share one named rule."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}

    def name(self, body: str) -> str:
        if body not in self.names:
            self.names[body] = f"r{len(self.names) + 1}"
        return self.names[body]

    def expression(self, schema: Schema) -> str:
        if "const" in schema:
            return _literal(schema["const"])
        if isinstance(values := schema.get("enum"), list):
            return self.name(" | ".join(_literal(value) for value in values))
        for union in ("anyOf", "oneOf", "allOf"):
            if isinstance(parts := schema.get(union), list):
                if union == "allOf" and len(parts) > 1:
                    break
                return self.name(" | ".join(self.expression(part) for part in parts))
        match schema.get("type"):
            case "object":
                return self._object(schema)
            case "array":
                return self._array(schema)
            case "string":
                return self._string(schema)
            case "integer" | "number":
                return self._number(schema)
            case "boolean":
                return self.name('"true" | "false"')
            case "null":
                return '"null"'
        message = f"schema {json.dumps(schema)[:200]} has no grammar; give the field a plain type"
        raise UnsupportedSchema(message)

    def _object(self, schema: Schema) -> str:
        properties = schema.get("properties", {})
        assert isinstance(properties, dict)
        if not properties and schema.get("additionalProperties") is not False:
            message = (
                "a reply type with free keys (dict) has no bounded grammar; use a list of pairs"
            )
            raise UnsupportedSchema(message)
        required = schema.get("required", [])
        assert isinstance(required, list)
        # From the last property backwards: what follows when something was written, or nothing yet.
        after = first = '"}"'
        for key, value in reversed(properties.items()):
            pair = f"{_quote(json.dumps(key, ensure_ascii=False) + ':')} {self.expression(value)}"
            later = f'"," {pair} {after}'
            now = f"{pair} {after}"
            if key not in required:
                later, now = f"{later} | {after}", f"{now} | {first}"
            after, first = self.name(later), self.name(now)
        return self.name(f'"{{" {first}')

    def _array(self, schema: Schema) -> str:
        if isinstance(places := schema.get("prefixItems"), list):
            items = ' "," '.join(self.expression(place) for place in places)
            return self.name(f'"[" {items} "]"')
        least, most = _whole(schema, "minItems", 0), _whole(schema, "maxItems", MAX_ITEMS)
        items_schema = schema.get("items")
        if most == 0:
            return '"[]"'
        if not isinstance(items_schema, dict):
            message = f"a list without an item type has no grammar: {json.dumps(schema)[:200]}"
            raise UnsupportedSchema(message)
        item = self.expression(items_schema)
        more = self.name(f'"," {item}')
        filled = f"{item} {more}{{{max(0, least - 1)},{most - 1}}}" if most > 1 else item
        return self.name(f'"[" {filled} "]"' if least else f'"[" ({filled})? "]"')

    def _string(self, schema: Schema) -> str:
        least, most = _whole(schema, "minLength", 0), _whole(schema, "maxLength", MAX_STRING)
        if isinstance(pattern := schema.get("pattern"), str):
            return self.name(f'"\\"" {_pattern(pattern)} "\\""')
        if most == 0:
            return '"\\"\\""'
        first, character = self.name(FIRST_CHARACTER), self.name(CHARACTER)
        filled = f"{first} {character}{{{max(0, least - 1)},{most - 1}}}" if most > 1 else first
        return self.name(f'"\\"" {filled} "\\""' if least else f'"\\"" ({filled})? "\\""')

    def _number(self, schema: Schema) -> str:
        step = schema.get("multipleOf", 1 if schema["type"] == "integer" else None)
        low, high = _bound(schema, "minimum", step), _bound(schema, "maximum", step)
        if isinstance(step, int | float) and low is not None and high is not None:
            first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
            if 0 <= last - first < MAX_ENUMERATED:
                values = (round(place * step, 10) for place in range(first, last + 1))
                return self.name(" | ".join(_literal(value) for value in values))
        sign = '"-"? ' if low is None or low < 0 else ""
        if schema["type"] == "number" and low == 0 and high == 1:
            return self.name('"0" ("." [0-9]{1,4})? | "1" (".0")?')
        digits = 9 if high is None else max(1, len(str(int(abs(high)))))
        whole = f'{sign}("0" | [1-9] [0-9]{{0,{digits - 1}}})'
        return self.name(whole if schema["type"] == "integer" else f'{whole} ("." [0-9]{{1,6}})?')


def _bound(schema: Schema, key: str, step: object) -> float | None:
    """``minimum`` or ``maximum``; for whole steps also its exclusive twin, moved by one step."""
    plain = schema.get(key)
    if isinstance(plain, int | float):
        return plain
    strict = schema.get(f"exclusive{key.capitalize()}")
    if isinstance(strict, int | float):
        shift = step if isinstance(step, int | float) else 0
        return strict + shift if key == "minimum" else strict - shift
    return None


def _whole(schema: Schema, key: str, default: int) -> int:
    value = schema.get(key, default)
    assert isinstance(value, int)
    return value


def _literal(value: object) -> str:
    return _quote(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


_ATOM = re.compile(r"\\d|\[[^\]\\^\"]+\]|\\[.\-]|[A-Za-z0-9 _:#@/,-]")
_TIMES = re.compile(r"\{\d+(,\d+)?\}|\?")


def _pattern(pattern: str) -> str:
    r"""Letters, ``\d`` and ``[…]`` with ``{m,n}`` or ``?``; ``+`` and ``*`` mean up to 9."""
    inner = pattern.removeprefix("^").removesuffix("$")
    parts: list[str] = []
    place = 0
    while place < len(inner):
        atom = _ATOM.match(inner, place)
        if atom is None:
            message = (
                f"pattern {pattern!r}: {inner[place:]!r} has no grammar; "
                "use letters, \\d, […], {m,n}"
            )
            raise UnsupportedSchema(message)
        place = atom.end()
        text = atom.group()
        rule = "[0-9]" if text == "\\d" else text if text[0] == "[" else _quote(text[-1])
        if times := _TIMES.match(inner, place):
            rule, place = rule + times.group(), times.end()
        elif inner[place : place + 1] in ("+", "*"):
            rule, place = rule + ("{1,9}" if inner[place] == "+" else "{0,9}"), place + 1
        parts.append(rule)
    return " ".join(parts)
