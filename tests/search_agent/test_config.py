"""Configuration: shipped profiles, defaults of the reference, refusals that name the way out."""

from pathlib import Path
from typing import Any

import pytest

from search_agent.config import PROFILES, SearchConfig, load_config
from search_agent.errors import ConfigError
from search_agent.state_space.clues import resolve_mode

REFERENCE_DEFAULTS: list[tuple[str, Any]] = [
    ("params.max_workers", 5),
    ("params.retry_count_on_empty_action_space", 3),
    ("params.time_limit", 4800),
    ("params.finalise_grace_s", 60),
    ("params.tool_map", "retrieve"),
    ("params.actions_explored_limit", 200),
    ("params.fail_limit", 0),
    ("params.answer_mode_top_k", 1),
    ("params.provide_best_guess", False),
    ("params.guess_min_strength", 0.0),
    ("params.answer_min_support", 0.0),
    ("sampling.scoring", "depth_weighted"),
    ("sampling.depth_weight", True),
    ("sampling.promote_unique_states", False),
    ("sampling.random_sample", False),
    ("sampling.seed", 0),
    ("sampling.dedupe_states", True),
    ("init.max_tries", 4),
    ("init.max_variables", 8),
    ("find.max_tries", 4),
    ("find.action_proposals_limit", 5),
    ("find.action_pool_depleted_strategy", "dependent_retry"),
    ("find.result_summary_tokens", 200),
    ("creation.use_candidate_strength", True),
    ("creation.discovered_clues_mode", "blacklist"),
    ("creation.max_llm_calls_per_run", 100),
    ("creation.branches_limit", 5),
    ("creation.max_consecutive_errors", 4),
    ("creation.context_limit_reached_strategy", "reduced_retrieval_request"),
    ("creation.overflow_ladder", True),
    ("creation.keep_recent_tool_rows", 1),
    ("creation.report_tokens_max", 320),
    ("creation.patches", "all_or_nothing"),
    ("retrieval.top_k", 3),
    ("retrieval.top_k_multiply_factor", 5),
    ("retrieval.mode", "hybrid"),
    ("retrieval.repeat_seen", "collapse"),
    ("citations.support_weight", 0.7),
    ("citations.supported_min", 0.70),
    ("citations.partial_min", 0.40),
    ("citations.quote_fuzzy_min", 0.90),
    ("search_workflow.react_agent.max_steps", 1000),
    ("llm.model_type", "gguf"),
    ("llm.n_ctx", 8192),
    ("llm.n_batch", 512),
    ("llm.temperature.init", 0.0),
    ("llm.temperature.find", 0.7),
    ("llm.temperature.run", 0.3),
    ("llm.temperature.judge", 0.0),
]

STANDARD: list[tuple[str, Any]] = [
    ("llm.n_ctx", 4096),
    ("llm.max_output_tokens.init", 224),
    ("llm.max_output_tokens.find", 128),
    ("llm.max_output_tokens.run", 224),
    ("llm.thought_chars", 200),
    ("init.max_variables", 3),
    ("find.action_proposals_limit", 3),
    ("creation.branches_limit", 2),
    ("creation.max_llm_calls_per_run", 4),
    ("creation.max_consecutive_errors", 2),
    ("creation.patches", "keep_good"),
    ("retrieval.top_k", 3),
    ("retrieval.top_k_multiply_factor", 5),
    ("params.actions_explored_limit", 5),
    ("params.time_limit", 180),
    ("params.answer_min_support", 0.4),
]


def value_at(config: SearchConfig, dotted: str) -> object:
    value: object = config
    for part in dotted.split("."):
        value = getattr(value, part)
    return value


@pytest.mark.parametrize("name", sorted(path.stem for path in PROFILES.glob("*.toml")))
def test_every_shipped_profile_loads_and_knows_its_name(name: str) -> None:
    assert load_config(name).profile == name


@pytest.mark.parametrize(("key", "default"), REFERENCE_DEFAULTS)
def test_the_reference_profile_has_the_documented_default(key: str, default: object) -> None:
    assert value_at(load_config("reference"), key) == default
    assert value_at(SearchConfig(), key) == default


@pytest.mark.parametrize(("key", "value"), STANDARD)
def test_the_standard_profile_has_the_values_of_the_design(key: str, value: object) -> None:
    assert value_at(load_config("standard"), key) == value


def test_a_configuration_in_the_references_own_words_loads(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        """
[search_workflow_per_question_params]
max_workers = 5
time_limit = 4800
tool_map = "retrieve"
[search_workflow.action_sampling]
scoring = "depth_weighted"
seed = 0
[search_workflow.find_action_agent]
action_proposals_limit = 5
action_pool_depleted_strategy = "dependent_retry"
[search_workflow.state_creation_agent]
discovered_clues_mode = "blacklist"
max_llm_calls_per_run = 100
context_limit_reached_strategy = "reduced_retrieval_request"
retrieval_settings = { mode = "hybrid", top_k = 3, top_k_multiply_factor = 5 }
[llm_config.general]
model_type = "gguf"
model_path = "models/general.gguf"
n_ctx = 8192
""",
        encoding="utf-8",
    )
    assert load_config(str(path)).llm.model_path == "models/general.gguf"


REFUSED: list[tuple[str, object, list[str]]] = [
    ("search_workflow.action_sampling.sead", 1, ["action_sampling.sead", "1", "seed"]),
    ("search_workflow_per_question_params.max_workers", "many", ["max_workers", "'many'"]),
    ("search_workflow_per_question_params.max_workers", 0, ["max_workers", "0", "1"]),
    (
        "search_workflow.state_creation_agent.discovered_clues_mode",
        "blaklist",
        ["discovered_clues_mode", "'blaklist'", "'report'", "'blacklist'", "'none'"],
    ),
    ("llm_config.general.n_ctx", 1024, ["n_ctx", "1024", "2048"]),
]


@pytest.mark.parametrize(("key", "value", "named"), REFUSED)
def test_a_refused_setting_names_its_path_its_value_and_what_is_allowed(
    key: str, value: object, named: list[str]
) -> None:
    with pytest.raises(ConfigError) as refused:
        load_config("reference", {key: value})
    assert all(part in str(refused.value) for part in named), str(refused.value)


def test_an_unknown_profile_is_refused_with_those_there_are() -> None:
    with pytest.raises(ConfigError, match=r"'fastest'.*quick, reference, standard, thorough"):
        load_config("fastest")


def test_a_context_too_small_for_a_prompt_is_refused() -> None:
    tight = {"llm_config.general.n_ctx": 2048, "llm_config.general.max_output_tokens.run": 600}
    with pytest.raises(ConfigError, match=f"leaves {2048 - 600 - 64} tokens"):
        load_config("reference", tight)


def test_an_override_changes_its_key_and_nothing_else() -> None:
    changed = load_config("standard", {"search_workflow.action_sampling.seed": 7})
    assert changed.sampling.seed == 7
    assert changed.find == load_config("standard").find


@pytest.mark.parametrize(
    ("given", "mode", "is_fallback"),
    [
        ("report", "report", False),
        ("blacklist", "blacklist", False),
        ("none", "none", False),
        ("anything", "blacklist", True),
        ("blaklist", "blacklist", True),
        ("", "blacklist", True),
        ("REPORT", "blacklist", True),
    ],
)
def test_the_clue_mode_of_any_string_is_known_and_unknown_ones_mean_blacklist(
    given: str, mode: str, is_fallback: bool
) -> None:
    assert resolve_mode(given) == (mode, is_fallback)
