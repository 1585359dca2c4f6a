"""Options of ``bench answers`` that are more than a value: splits, modes, strategies."""

from enum import StrEnum
from typing import TYPE_CHECKING

from search_agent.cli.options import StrategyName
from search_agent.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from search_agent.bench.mode import BenchMode
    from search_agent.final_result import Strategy


class SplitOption(StrEnum):
    """Which topics of a file are asked."""

    ALL = "all"
    DEV = "dev"
    TEST = "test"


def bench_mode(*, closed_book: bool, oracle: bool, filter_gold: bool) -> "BenchMode":
    """The mode that one flag names; none names the normal one.

    Raises:
        ConfigError: more than one is set.
    """
    flags: dict[BenchMode, bool] = {
        "closed-book": closed_book,
        "oracle": oracle,
        "filter-gold": filter_gold,
    }
    chosen = [mode for mode, is_set in flags.items() if is_set]
    if len(chosen) > 1:
        message = f"{' and '.join(f'--{mode}' for mode in chosen)} exclude one another"
        raise ConfigError(message)
    return chosen[0] if chosen else "normal"


def bench_strategies(
    strategies: "Sequence[StrategyName] | None", mode: "BenchMode"
) -> "tuple[Strategy, ...]":
    """The strategies asked for, each once; a closed book is one of its own.

    Raises:
        ConfigError: strategies that search are named for a closed book.
    """
    if mode != "closed-book":
        return tuple(dict.fromkeys(name.value for name in strategies or [StrategyName.STATE_SPACE]))
    if strategies:
        message = "--closed-book searches nothing; leave out --strategy"
        raise ConfigError(message)
    return ("closed-book",)
