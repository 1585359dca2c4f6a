"""Registered test collections: ids as retrieval papers use them, and what makes a folder one.

A figure says little unless it is told which bytes it was measured on. A folder is a registered
collection if its corpus, queries and judgements have the hashes of ``collections.toml``; any other
folder in that layout can be measured too, but goes by its own name.
"""

import hashlib
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict

_REGISTRY = Path(__file__).parent / "collections.toml"


class Collection(BaseModel):
    """One registered collection."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    title: str
    language: str
    """ISO 639-1."""
    licence: str
    documents: int
    queries: int
    judgements: int
    sha256: dict[str, str]
    """Hash of each of its files, by their paths inside the folder."""


@cache
def registered_collections() -> tuple[Collection, ...]:
    """All registered collections, by id."""
    with _REGISTRY.open("rb") as file:
        entries = tomllib.load(file)["collections"]
    return tuple(Collection(id=name, **entries[name]) for name in sorted(entries))


def identify_collection(
    folder: Path, among: Iterable[Collection] | None = None
) -> Collection | None:
    """The collection that lies in ``folder``, of the registered ones unless others are given.

    Reads the folder's files, but for those whose collection is ruled out already.
    """
    hashes: dict[str, str | None] = {}

    def hash_of(name: str) -> str | None:
        if name not in hashes:
            path = folder / name
            hashes[name] = _sha256(path) if path.is_file() else None
        return hashes[name]

    for collection in registered_collections() if among is None else among:
        if all(hash_of(name) == wanted for name, wanted in collection.sha256.items()):
            return collection
    return None


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
