"""Reply types: the pydantic models whose JSON schemas constrain decoding, made for what is visible.

Each call gets a type of its own: variable ids, tool names and segment ids are enumerations of what
this branch has seen, so that an unseen id cannot be sent at all (spec §8.1, DESIGN §10.4).
"""

from collections.abc import Mapping, Sequence
from types import GenericAlias
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


def _list_of(item: Any, *, at_least: int, at_most: int) -> Any:
    bounds = Field(min_length=at_least, max_length=at_most)
    return Annotated[GenericAlias(list, (item,)), bounds]


def _enumeration(values: Sequence[object]) -> Any:
    return Literal[tuple(values)]


def _model(type_name: str, /, **fields: Any) -> type[BaseModel]:
    parts: Any = {
        key: value if isinstance(value, tuple) else (value, ...) for key, value in fields.items()
    }
    return create_model(type_name, __base__=_Reply, **parts)


def _proposal() -> type[BaseModel]:
    return _model("Proposal", direction=_short(160), score=Strength)


def _thought(config: SearchConfig) -> dict[str, Any]:
    return {"thought": _short(config.llm.thought_chars, at_least=0)}


def init_reply(config: SearchConfig) -> type[BaseModel]:
    """``thought``, ``state[{id, type, question_clues}]``, ``answer_variable``."""
    ids = _enumeration(range(1, config.init.max_variables + 1))
    variable = _model(
        "InitVariable",
        id=ids,
        type=_short(40),
        question_clues=_list_of(_short(160), at_least=1, at_most=4),
    )
    return _model(
        "InitReply",
        **_thought(config),
        state=_list_of(variable, at_least=1, at_most=config.init.max_variables),
        answer_variable=ids,
    )


def find_reply(config: SearchConfig) -> type[BaseModel]:
    """``thought``, ``action_proposals[{direction, score}]``."""
    return _model(
        "FindReply",
        **_thought(config),
        action_proposals=_proposals(config),
    )


def _proposals(config: SearchConfig) -> Any:
    return _list_of(_proposal(), at_least=1, at_most=config.find.action_proposals_limit)


def _tools_reply(thought: Mapping[str, Any], tools: Sequence[str]) -> type[BaseModel]:
    arguments = _model(
        "Arguments",
        query=_list_of(_short(160), at_least=1, at_most=3),
        page=(Annotated[int, Field(ge=1, le=20)], 1),
    )
    call = _model("ToolCall", name=_enumeration(tools), arguments=arguments)
    calls = _list_of(call, at_least=1, at_most=2)
    return _model("ToolsReply", **thought, tool_calls=calls)


def _answer(segment_ids: Sequence[str], *, new_state: Any | None) -> type[BaseModel]:
    ids = _list_of(_enumeration(segment_ids), at_least=1, at_most=MAX_CLAIM_IDS)
    claim = _model("ClaimReply", text=_short(300, at_least=CLAIM_CHARS_MIN), segment_ids=ids)
    fields: dict[str, Any] = {
        "answer": _short(120),
        "claims": _list_of(claim, at_least=1, at_most=MAX_CLAIMS),
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
        sources = _list_of(_enumeration(source_ids), at_least=1, at_most=4)
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
                assumptions=(_list_of(assumption, at_least=0, at_most=2), []),
            )
            fields["eliminates"] = (_list_of(elimination, at_least=0, at_most=3), None)
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
    thought = _thought(config) if config.creation.thought else {}
    variable = _patch_variable(config, variable_ids, [*segment_ids, *document_ids])
    patch = _list_of(variable, at_least=1, at_most=len(variable_ids))
    branch = _model("Branch", state=patch)
    note: dict[str, Any] = {} if must_name else {"note": (_short(200, at_least=0), "")}
    body = _model(
        "StateBody",
        new_states=_list_of(
            branch, at_least=int(must_name), at_most=config.creation.branches_limit
        ),
        **note,
    )
    kinds: list[type[BaseModel]] = [_model("StateReply", **thought, state=body)]
    if tools:
        kinds.insert(0, _tools_reply(thought, tools))
    if segment_ids and may_answer:
        new_state = _list_of(variable, at_least=0, at_most=len(variable_ids))
        answer = _answer(segment_ids, new_state=new_state)
        kinds.append(_model("AnswerReply", **thought, answer=answer))
    return _one_of("RunReply", kinds)


def react_reply(
    config: SearchConfig, *, segment_ids: Sequence[str], tools: Sequence[str]
) -> type[BaseModel]:
    """Search, answer, or say what is missing; with tools, nothing is missing before a search."""
    thought = _thought(config)
    kinds = []
    if segment_ids or not tools:
        kinds.append(_model("MissingReply", **thought, missing=_short(200)))
    if segment_ids:
        answer = _answer(segment_ids, new_state=None)
        kinds.insert(0, _model("AnswerReply", **thought, answer=answer))
    if tools:
        kinds.insert(0, _tools_reply(thought, tools))
    return _one_of("ReactReply", kinds)


def _one_of(name: str, kinds: Sequence[type[BaseModel]]) -> type[BaseModel]:
    union: Any = kinds[0]
    for kind in kinds[1:]:
        union = union | kind
    return type(name, (RootModel[union],), {"__module__": __name__})
