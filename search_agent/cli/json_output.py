"""What ``--json`` prints: exactly one object on stdout, UTF-8, ended by a line end."""

import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import BaseModel


def print_json(content: "BaseModel | Mapping[str, object]") -> None:
    """Print one object; a pydantic model prints under its aliases (``schema``)."""
    plain = (
        dict(content)
        if isinstance(content, Mapping)
        else content.model_dump(mode="json", by_alias=True)
    )
    sys.stdout.write(as_json_text(plain))


def as_json_text(content: "Mapping[str, object]") -> str:
    """The text of one object, as ``--json`` prints and ``--out`` writes it."""
    return json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
