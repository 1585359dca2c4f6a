"""Stage manifests: written last and atomically, read before anything else of a stage is read."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from corpora.errors import MalformedRecord

SCHEMA = 1


def write_atomically(path: Path, text: str) -> None:
    """Replace ``path`` by ``text`` (UTF-8): a reader sees the old file or the new one whole."""
    temporary = path.with_name(path.name + ".tmp")
    try:
        with temporary.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_manifest(folder: Path, content: Mapping[str, Any]) -> None:
    """Write ``folder/manifest.json`` with the schema number added."""
    body = {"schema": SCHEMA, **content}
    write_atomically(
        folder / "manifest.json", json.dumps(body, ensure_ascii=False, indent=1) + "\n"
    )


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """The folder's manifest; None when the stage has not finished.

    Raises:
        MalformedRecord: not JSON, not an object, or of a newer schema.
    """
    path = folder / "manifest.json"
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        message = f"{str(path)!r} is damaged ({error}); run the stage again"
        raise MalformedRecord(message) from error
    if not isinstance(content, dict) or not isinstance(content.get("schema"), int):
        message = f"{str(path)!r} is no manifest; run the stage again"
        raise MalformedRecord(message)
    if content["schema"] > SCHEMA:
        message = f"{str(path)!r} has schema {content['schema']}, this version reads up to {SCHEMA}"
        raise MalformedRecord(message)
    return content
