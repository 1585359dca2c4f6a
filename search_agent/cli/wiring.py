"""Wiring: what a command line takes from its surroundings: the model, the time, the guard.

Given through Typer's context, so that every command can be run with a scripted model and a fixed
clock without a patch.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from search_agent.config import SearchConfig
    from search_agent.final_result import ModelIdentity, Strategy
    from search_agent.model.protocol import Model


def load_registered_model(config: "SearchConfig", strategy: "Strategy") -> "Model":
    """The model the configuration names, loaded and with the strategy's prompts prepared."""
    from search_agent.cli.models_loading import load_configured_model

    return load_configured_model(config, strategy)


def identify_registered_model(config: "SearchConfig") -> "ModelIdentity":
    """Name and hash of that model without loading it."""
    from search_agent.cli.models_loading import identify_configured_model

    return identify_configured_model(config)


def utc_now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


def forbid_connections() -> None:
    """From now on this process opens no connection."""
    from search_agent.egress import deny_egress

    deny_egress()


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """Defaults are the real things."""

    load_model: Callable[["SearchConfig", "Strategy"], "Model"] = load_registered_model
    identify_model: Callable[["SearchConfig"], "ModelIdentity"] = identify_registered_model
    now: Callable[[], datetime] = utc_now
    forbid_connections: Callable[[], None] = forbid_connections
    """The guard cannot be taken off again, so a process that runs many commands brings its own."""


def wiring_of(context: typer.Context) -> Wiring:
    """What ``main`` put into the context."""
    wiring = context.obj
    if not isinstance(wiring, Wiring):
        message = f"the context carries {wiring!r}; commands are started by main()"
        raise TypeError(message)
    return wiring
