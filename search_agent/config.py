"""SearchConfig: every number of a search, with the ``reference`` profile as defaults.

Section and key names are those of the system whose configurations should be comparable; a profile
is a checked-in TOML that names only what differs. Unknown keys and wrong types are refused.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from corpora.first_fault import first_fault
from search_agent.errors import ConfigError

PROFILES = Path(__file__).parent / "profiles"


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RunParams(_Section):
    """Limits of one search."""

    max_workers: int = Field(5, ge=1)
    """Concurrent tasks; 1 is in effect when the model is in process."""
    retry_count_on_empty_action_space: int = Field(3, ge=0)
    """Times the root is asked for new directions when nothing is pending."""
    time_limit: float = Field(4800, gt=0)
    """Seconds of wall clock."""
    finalise_grace_s: float = Field(60, ge=0)
    """Seconds for citation checks after any stop."""
    tool_map: Literal["retrieve"] = "retrieve"
    actions_explored_limit: int = Field(200, ge=0)
    """0: unlimited."""
    fail_limit: int = Field(0, ge=0)
    """Failed actions and expansions; 0: unlimited."""
    answer_mode_top_k: int = Field(1, ge=0)
    """Up to 1: the first accepted answer ends the search; more: that many are collected."""
    provide_best_guess: bool = False
    guess_min_strength: float = Field(0.0, ge=0, le=1)
    answer_min_support: float = Field(0.0, ge=0, le=1)
    """A lower support rate keeps an answer as a state; above 0 the claim that carries the answer
    must also not be unsupported."""
    labels_any: tuple[str, ...] = ()
    """Access filter passed to every tool call."""


class ActionSampling(_Section):
    """The draw from the action pool."""

    scoring: Literal["depth_weighted", "balanced"] = "depth_weighted"
    depth_weight: bool = True
    promote_unique_states: bool = False
    random_sample: bool = False
    seed: int = Field(0, ge=0)
    dedupe_states: bool = True


class InitStateAgent(_Section):
    """Reading the question into variables."""

    max_tries: int = Field(4, ge=1)
    max_variables: int = Field(8, ge=1, le=16)
    directions: Literal["model", "clues"] = "model"
    """Who makes the root's first directions: find_action, or code from the clues."""
    keeps_facts: bool = False
    """A reading whose clues lose a name, number or date of the question gives way to the question
    asked as one unknown.
    """


class FindActionAgent(_Section):
    """Proposing directions."""

    max_tries: int = Field(4, ge=1)
    action_proposals_limit: int = Field(5, ge=1, le=20)
    action_pool_depleted_strategy: Literal["dependent_retry", "simple_retry"] = "dependent_retry"
    result_summary_tokens: int = Field(200, ge=20)
    expand_when_drawn: bool = False
    """A new state gets its directions when it is drawn, not when it is made."""


class RetrievalSettings(_Section):
    """What one query brings."""

    mode: Literal["hybrid", "dense", "sparse"] = "hybrid"
    top_k: int = Field(3, ge=1)
    """Documents per query."""
    top_k_multiply_factor: int = Field(5, ge=1)
    """Chunks fetched are top_k times this."""
    repeat_seen: Literal["collapse", "full"] = "collapse"


class StateCreationAgent(_Section):
    """Running one action."""

    use_candidate_strength: bool = True
    discovered_clues_mode: Literal["report", "blacklist", "none"] = "blacklist"
    max_llm_calls_per_run: int = Field(100, ge=1)
    branches_limit: int = Field(5, ge=1)
    max_consecutive_errors: int = Field(4, ge=1)
    context_limit_reached_strategy: Literal[
        "fail",
        "reduced_retrieval_request",
        "delete_tool_responses",
        "delete_tool_input_and_responses",
    ] = "reduced_retrieval_request"
    overflow_ladder: bool = True
    tool_output_tokens_max: int = Field(0, ge=0)
    """Tokens of one tool row; 0: a fifth of the context."""
    keep_recent_tool_rows: int = Field(1, ge=0)
    report_tokens_max: int = Field(320, ge=40)
    patches: Literal["all_or_nothing", "keep_good"] = "all_or_nothing"
    first_retrieve: bool = False
    """Code searches for the direction before the model is asked."""
    thought: bool = True
    """Whether a reply begins with a sentence of thought."""
    tools_from_turn: int = Field(1, ge=1)
    """The model may search from this reply of an action on; later where code has searched first."""
    retrieval_settings: RetrievalSettings = RetrievalSettings()


class Citations(_Section):
    """Support check; thresholds are reported with the rates."""

    support_weight: float = Field(0.7, ge=0, le=1)
    supported_min: float = Field(0.70, ge=0, le=1)
    partial_min: float = Field(0.40, ge=0, le=1)
    answers_min: float = Field(0.0, ge=0, le=1)
    """Probability, by the judge, that the passages answer the very question; 0: not asked."""
    quote_fuzzy_min: float = Field(0.90, ge=0, le=1)


class ReactAgent(_Section):
    """The ReAct sibling."""

    max_steps: int = Field(1000, ge=1)


class SearchWorkflow(_Section):
    """The workflow's parts."""

    action_sampling: ActionSampling = ActionSampling()
    init_state_agent: InitStateAgent = InitStateAgent()
    find_action_agent: FindActionAgent = FindActionAgent()
    state_creation_agent: StateCreationAgent = StateCreationAgent()
    citations: Citations = Citations()
    react_agent: ReactAgent = ReactAgent()


class OutputTokens(_Section):
    """Output reserved per role; 0: clamp(n_ctx // 5, 512, 2048)."""

    init: int = Field(0, ge=0)
    find: int = Field(0, ge=0)
    run: int = Field(0, ge=0)
    react: int = Field(0, ge=0)


class Temperature(_Section):
    """Sampling temperature per role."""

    init: float = Field(0.0, ge=0)
    find: float = Field(0.7, ge=0)
    run: float = Field(0.3, ge=0)
    judge: float = Field(0.0, ge=0)


class GeneralModel(_Section):
    """The language model."""

    model_type: Literal["gguf"] = "gguf"
    model_path: str = ""
    """A registry name or a GGUF file; empty: the registry's default."""
    n_ctx: int = Field(8192, ge=2048)
    n_threads: int = Field(0, ge=0)
    """0: the physical cores."""
    n_batch: int = Field(512, ge=32)
    max_output_tokens: OutputTokens = OutputTokens()
    thought_chars: int = Field(400, ge=40, le=400)
    temperature: Temperature = Temperature()


class LlmConfig(_Section):
    """Models by role; one serves all."""

    general: GeneralModel = GeneralModel()


class SearchConfig(_Section):
    """Everything a search depends on besides model, index and question."""

    profile: str = "reference"
    search_workflow_per_question_params: RunParams = RunParams()
    search_workflow: SearchWorkflow = SearchWorkflow()
    llm_config: LlmConfig = LlmConfig()

    @property
    def params(self) -> RunParams:
        """Limits of one search."""
        return self.search_workflow_per_question_params

    @property
    def sampling(self) -> ActionSampling:
        """The draw."""
        return self.search_workflow.action_sampling

    @property
    def init(self) -> InitStateAgent:
        """init_state."""
        return self.search_workflow.init_state_agent

    @property
    def find(self) -> FindActionAgent:
        """find_action."""
        return self.search_workflow.find_action_agent

    @property
    def creation(self) -> StateCreationAgent:
        """run_action."""
        return self.search_workflow.state_creation_agent

    @property
    def retrieval(self) -> RetrievalSettings:
        """What one query brings."""
        return self.search_workflow.state_creation_agent.retrieval_settings

    @property
    def citations(self) -> Citations:
        """Support thresholds."""
        return self.search_workflow.citations

    @property
    def llm(self) -> GeneralModel:
        """The model that serves all roles."""
        return self.llm_config.general

    def output_tokens(self, role: Literal["init", "find", "run", "react"]) -> int:
        """Tokens reserved for a reply of this role."""
        given: int = getattr(self.llm.max_output_tokens, role)
        return given or max(512, min(self.llm.n_ctx // 5, 2048))

    @property
    def tool_row_tokens(self) -> int:
        """Cap of one tool row."""
        return self.creation.tool_output_tokens_max or self.llm.n_ctx // 5

    @model_validator(mode="after")
    def _fits(self) -> "SearchConfig":
        room = self.llm.n_ctx - self.output_tokens("run") - 64
        if room < 700 + 120 + 600:
            message = (
                f"n_ctx {self.llm.n_ctx} leaves {room} tokens for a prompt, 1420 are needed;"
                " raise llm_config.general.n_ctx or lower max_output_tokens.run"
            )
            raise ValueError(message)
        if self.citations.partial_min > self.citations.supported_min:
            message = "citations.partial_min must not exceed citations.supported_min"
            raise ValueError(message)
        return self


def load_config(profile: str, overrides: Mapping[str, Any] | None = None) -> SearchConfig:
    """A shipped profile by name, or a TOML file, with dotted ``overrides`` on top.

    Raises:
        ConfigError: unknown profile, unreadable TOML, unknown key, wrong type.
    """
    shipped = {path.stem: path for path in sorted(PROFILES.glob("*.toml"))}
    path = shipped.get(profile, Path(profile))
    if not path.is_file():
        message = f"profile {profile!r} is neither a file nor one of {', '.join(shipped)}"
        raise ConfigError(message)
    try:
        content: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        message = f"profile {str(path)!r} is no TOML: {error}"
        raise ConfigError(message) from error
    content.setdefault("profile", path.stem)
    for dotted, value in (overrides or {}).items():
        section = content
        *parents, key = dotted.split(".")
        for parent in parents:
            section = section.setdefault(parent, {})
            if not isinstance(section, dict):
                message = f"{dotted}: {parent!r} holds a value and has no keys of its own"
                raise ConfigError(message)
        section[key] = value
    try:
        return SearchConfig.model_validate(content)
    except ValidationError as error:
        fault = first_fault(error)
        where = fault.key or "profile"
        choices = _choices(error.errors()[0]["loc"])
        message = f"{path.name}: {where} = {fault.given!r}: {fault.reason}{choices}"
        raise ConfigError(message) from error


def _choices(location: tuple[int | str, ...]) -> str:
    section: type[BaseModel] = SearchConfig
    for part in location[:-1]:
        field = section.model_fields.get(str(part))
        if field is None or not isinstance(field.annotation, type):
            return ""
        section = field.annotation
    if location and str(location[-1]) not in section.model_fields:
        return f"; keys here are {', '.join(section.model_fields)}"
    return ""
