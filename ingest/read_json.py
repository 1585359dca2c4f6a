"""JSON and JSON lines: each record one block of ``key: value`` lines."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ingest.errors import ExtractionFailed
from ingest.extract import Extract, ExtractBuilder
from ingest.joined_extract import JoinedExtract
from ingest.read_code import read_code
from ingest.segment import LIST_ITEM_CHARS

JSON_VERSION = 2


def read_json(raw: str) -> Extract:
    """Records of a JSON file: the elements of a list, else the object itself.

    A file with comments or faults in it is read as it stands, and ``missing`` says so.
    """
    raw = raw.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")
    joined = JoinedExtract()
    try:
        value = _loaded(raw)
    except ValueError as error:
        lines = raw.splitlines()
        if len(lines) > 1 and _is_record(lines[0]):
            return read_json_lines(raw)
        code = read_code(raw)
        joined.append(code)
        joined.missing.append(f"not JSON ({error}): read as plain lines")
        return joined.extract()
    _append(joined, value)
    return joined.extract()


def read_json_lines(raw: str) -> Extract:
    """Records of JSON lines; ``missing`` names the lines that hold none.

    Raises:
        ExtractionFailed: no line is JSON.
    """
    joined = JoinedExtract()
    n_read = 0
    for number, line in enumerate(raw.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}").split("\n"), 1):
        if not line.strip():
            continue
        try:
            _append_record(joined, _loaded(line))
            n_read += 1
        except RecursionError:
            joined.missing.append(f"line {number}: nested too deep")
        except ValueError as error:
            joined.missing.append(f"line {number}: not JSON ({error})")
    if not n_read:
        message = joined.missing[0] if joined.missing else "no line in it"
        raise ExtractionFailed(message)
    return joined.extract()


def _loaded(raw: str) -> Any:
    """The value, with numbers as they are written: ``1.10`` is a price, 5,000 digits are a key."""
    return json.loads(raw, parse_int=str, parse_float=str, parse_constant=str)


def _append(joined: JoinedExtract, value: Any) -> None:
    if isinstance(value, list):
        for record in value:
            _append_record(joined, record)
    elif isinstance(value, Mapping):
        lists = {key: part for key, part in value.items() if _is_records(part)}
        own = {key: part for key, part in value.items() if key not in lists}
        if own:
            _append_record(joined, own)
        for key, records in lists.items():
            heading = ExtractBuilder()
            heading.add(key, "heading", level=1)
            joined.append(Extract(text=heading.text, blocks=tuple(heading.blocks)))
            for record in records:
                _append_record(joined, record)
    else:
        _append_record(joined, value)


def _append_record(joined: JoinedExtract, record: Any) -> None:
    """One block; a record too long to be cited as one has a block for each line."""
    lines = list(_lines("", record))
    builder = ExtractBuilder()
    if sum(len(line) + 1 for line in lines) <= LIST_ITEM_CHARS:
        lines = ["\n".join(lines)]
    for line in lines:
        builder.add(line, "list_item")
    joined.append(
        Extract(text=builder.text, blocks=tuple(builder.blocks), n_replaced=builder.n_replaced)
    )


def _lines(path: str, value: Any) -> Iterator[str]:
    """``path: value`` for each value; inner keys follow a full stop, places in a list in [ ]."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _lines(f"{path}.{key}" if path else str(key), part)
    elif isinstance(value, list) and any(isinstance(part, dict | list) for part in value):
        for place, part in enumerate(value):
            yield from _lines(f"{path}[{place}]", part)
    else:
        words = ", ".join(map(_words, value)) if isinstance(value, list) else _words(value)
        if words:
            yield f"{path}: {words}" if path else words


def _words(value: Any) -> str:
    """A value as JSON writes it, text without its quotes."""
    return value.strip() if isinstance(value, str) else json.dumps(value)


def _is_record(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict | list)
    except ValueError:
        return False


def _is_records(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(part, dict) for part in value)
