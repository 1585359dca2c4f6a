"""Reply types: the pydantic models whose JSON schemas constrain decoding, made for what is visible.

Each call gets a type of its own: variable ids, tool names and segment ids are enumerations of what
this branch has seen, so that an unseen id cannot be sent at all (spec §8.1, DESIGN §10.4).
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel, WithJsonSchema, create_model

from search_agent.config import SearchConfig

STRENGTHS = tuple(step / 20 for step in range(21))
MAX_CLAIMS = 3
CLAIM_CHARS_MIN = 12
"""A claim is a sentence, not a word; Chinese says one in a dozen characters."""
MAX_CLAIM_IDS = 3

Strength = Annotated[float, Field(ge=0, le=1), WithJsonSchema({"enum": list(STRENGTHS)})]


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid")


def _short(limit: int, *, at_least: int = 1) -> Any:
    return Annotated[str, Field(min_length=at_least, max_length=limit)]


def _enumeration(values: Sequence[object]) -> Any:
    return Literal[tuple(values)]


def _model(type_name: str, /, **fields: Any) -> type[BaseModel]:
    parts: Any = {
        key: value if isinstance(value, tuple) else (value, ...) for key, value in fields.items()
    }
    return create_model(type_name, __base__=_Reply, **parts)


def _proposal() -> type[BaseModel]:
    return _model("Proposal", direction=_short(160), score=Strength)


def init_reply(config: SearchConfig) -> type[BaseModel]:
    """``thought``, ``state[{id, type, question_clues}]``, ``answer_variable``."""
    ids = _enumeration(range(1, config.init.max_variables + 1))
    variable = _model(
        "InitVariable",
        id=ids,
        type=_short(40),
        question_clues=Annotated[list[_short(160)], Field(min_length=1, max_length=4)],  # type: ignore[misc]
    )
    return _model(
        "InitReply",
        thought=_short(config.llm.thought_chars, at_least=0),
        state=Annotated[
            list[variable],  # type: ignore[valid-type]
            Field(min_length=1, max_length=config.init.max_variables),
        ],
        answer_variable=ids,
    )


def find_reply(config: SearchConfig) -> type[BaseModel]:
    """``thought``, ``action_proposals[{direction, score}]``."""
    return _model(
        "FindReply",
        thought=_short(config.llm.thought_chars, at_least=0),
        action_proposals=_proposals(config),
    )


def _proposals(config: SearchConfig) -> Any:
    return Annotated[
        list[_proposal()],  # type: ignore[misc]
        Field(min_length=1, max_length=config.find.action_proposals_limit),
    ]


def _tools_reply(thought: Any, tools: Sequence[str]) -> type[BaseModel]:
    arguments = _model(
        "Arguments",
        query=Annotated[list[_short(160)], Field(min_length=1, max_length=3)],  # type: ignore[misc]
        page=(Annotated[int, Field(ge=1, le=20)], 1),
    )
    call = _model("ToolCall", name=_enumeration(tools), arguments=arguments)
    calls = Annotated[list[call], Field(min_length=1, max_length=2)]  # type: ignore[valid-type]
    return _model("ToolsReply", thought=thought, tool_calls=calls)


def _answer(segment_ids: Sequence[str], *, new_state: Any | None) -> type[BaseModel]:
    ids = Annotated[
        list[_enumeration(segment_ids)],  # type: ignore[misc]
        Field(min_length=1, max_length=MAX_CLAIM_IDS),
    ]
    claim = _model("ClaimReply", text=_short(300, at_least=CLAIM_CHARS_MIN), segment_ids=ids)
    fields: dict[str, Any] = {
        "answer": _short(120),
        "claims": Annotated[list[claim], Field(min_length=1, max_length=MAX_CLAIMS)],  # type: ignore[valid-type]
    }
    if new_state is not None:
        fields["new_state"] = (new_state, [])
    return _model("AnswerBody", **fields)


def _patch_variable(
    config: SearchConfig, variable_ids: Sequence[int], source_ids: Sequence[str]
) -> type[BaseModel]:
    fields: dict[str, Any] = {
        "id": _enumeration(variable_ids),
        "candidate": _short(120) | None,
    }
    if config.creation.use_candidate_strength:
        fields["candidate_strength"] = Strength
    if source_ids and config.creation.discovered_clues_mode != "none":
        sources = Annotated[
            list[_enumeration(source_ids)],  # type: ignore[misc]
            Field(min_length=1, max_length=4),
        ]
        if config.creation.discovered_clues_mode == "report":
            report = _model(
                "Report",
                history=_short(240),
                candidate_note=_short(240, at_least=0),
                sources=sources,
            )
            fields["report"] = (report, None)
        else:
            assumption = _model("AssumptionReply", id=_enumeration(variable_ids), value=_short(120))
            elimination = _model(
                "EliminationReply",
                target=_short(120),
                reason=_short(160),
                sources=sources,
                assumptions=(Annotated[list[assumption], Field(max_length=2)], []),  # type: ignore[valid-type]
            )
            fields["eliminates"] = (Annotated[list[elimination], Field(max_length=3)], None)  # type: ignore[valid-type]
    return _model("PatchVariable", **fields)


def run_reply(
    config: SearchConfig,
    *,
    variable_ids: Sequence[int],
    segment_ids: Sequence[str],
    document_ids: Sequence[str],
    tools: Sequence[str],
    may_answer: bool,
    must_name: bool,
) -> type[BaseModel]:
    """The kinds of reply that are possible now: no tools at the end of the budget, no answer
    before a segment has been seen or while an unknown it depends on is open.

    ``must_name`` asks for at least one branch, whose candidate may be null: a small model closes
    an empty list although its thought has just named the candidate.
    """
    thought = _short(config.llm.thought_chars, at_least=0)
    variable = _patch_variable(config, variable_ids, [*segment_ids, *document_ids])
    patch = Annotated[list[variable], Field(min_length=1, max_length=len(variable_ids))]  # type: ignore[valid-type]
    branch = _model("Branch", state=patch)
    body = _model(
        "StateBody",
        new_states=Annotated[
            list[branch],  # type: ignore[valid-type]
            Field(min_length=int(must_name), max_length=config.creation.branches_limit),
        ],
        note=(_short(200, at_least=0), ""),
    )
    kinds: list[type[BaseModel]] = [_model("StateReply", thought=thought, state=body)]
    if tools:
        kinds.insert(0, _tools_reply(thought, tools))
    if segment_ids and may_answer:
        new_state = Annotated[list[variable], Field(max_length=len(variable_ids))]  # type: ignore[valid-type]
        answer = _answer(segment_ids, new_state=new_state)
        kinds.append(_model("AnswerReply", thought=thought, answer=answer))
    return _one_of("RunReply", kinds)


def react_reply(
    config: SearchConfig, *, segment_ids: Sequence[str], tools: Sequence[str]
) -> type[BaseModel]:
    """Search, answer, or say what is missing."""
    thought = _short(config.llm.thought_chars, at_least=0)
    kinds = [_model("MissingReply", thought=thought, missing=_short(200))]
    if segment_ids:
        answer = _answer(segment_ids, new_state=None)
        kinds.insert(0, _model("AnswerReply", thought=thought, answer=answer))
    if tools:
        kinds.insert(0, _tools_reply(thought, tools))
    return _one_of("ReactReply", kinds)


def _one_of(name: str, kinds: Sequence[type[BaseModel]]) -> type[BaseModel]:
    union: Any = kinds[0]
    for kind in kinds[1:]:
        union = union | kind
    return type(name, (RootModel[union],), {"__module__": __name__})
