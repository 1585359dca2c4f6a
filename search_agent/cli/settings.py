"""Flags of the command line → overrides of a profile → SearchConfig."""

import tomllib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from search_agent.errors import ConfigError

if TYPE_CHECKING:
    from pydantic import BaseModel

    from search_agent.config import SearchConfig

_Settings = TypeVar("_Settings", bound="BaseModel")
_PARAMS = "search_workflow_per_question_params"


def search_config(
    profile: str,
    *,
    assignments: Sequence[str] | None = None,
    model: str = "",
    time_limit: float | None = None,
    guess: bool | None = None,
) -> "SearchConfig":
    """The profile with everything the command line says on top; a named flag wins over ``--set``.

    Raises:
        ConfigError: unknown profile or key, or a value of the wrong type.
    """
    from search_agent.config import load_config

    overrides: dict[str, object] = dict(parse_assignments(assignments or ()))
    if model:
        overrides["llm_config.general.model_path"] = model
    if time_limit is not None:
        overrides[f"{_PARAMS}.time_limit"] = time_limit
    if guess is not None:
        overrides[f"{_PARAMS}.provide_best_guess"] = guess
    return load_config(profile, overrides)


def parse_assignments(assignments: Sequence[str]) -> Mapping[str, object]:
    """``key=value`` pairs; a value is read as TOML, and as plain text where it is no TOML.

    Raises:
        ConfigError: a pair has no ``=`` or no key.
    """
    values: dict[str, object] = {}
    for assignment in assignments:
        key, equals, written = assignment.partition("=")
        if not equals or not key.strip():
            message = f"--set {assignment!r} is not KEY=VALUE (e.g. {_PARAMS}.time_limit=60)"
            raise ConfigError(message)
        values[key.strip()] = _read_value(written.strip())
    return values


def validate_settings(kind: type[_Settings], values: Mapping[str, object]) -> _Settings:
    """The settings that ``--set`` asks for, the defaults under them.

    Raises:
        ConfigError: an unknown key or a value out of range.
    """
    from pydantic import ValidationError

    from corpora.first_fault import first_fault

    try:
        return kind.model_validate(values)
    except ValidationError as error:
        fault = first_fault(error)
        known = ", ".join(kind.model_fields)
        message = f"--set {fault.key}={fault.given!r}: {fault.reason}; keys are {known}"
        raise ConfigError(message) from error


def _read_value(written: str) -> object:
    try:
        parsed = tomllib.loads(f"value = {written}")
    except tomllib.TOMLDecodeError:
        return written
    return parsed["value"] if len(parsed) == 1 else written
