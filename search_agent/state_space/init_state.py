"""init_state: question → root state (and, where asked for, the root's first directions)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from prompts.catalogue import InitializeState, QuestionTurn, ReplyRejected
from search_agent.evidence.guard import missing_facts
from search_agent.evidence.support import is_same_script
from search_agent.model.protocol import Message
from search_agent.session import Session, payload
from search_agent.state_space.records import State, Variable
from search_agent.state_space.render import PLACEHOLDER
from search_agent.state_space.replies import init_reply

BAD_REPLY_TOKENS = 300
PROBLEMS_TOLD = 6
PROBLEM_CHARS = 300
BARE_NAME_WORDS = 3
BARE_NAME_CHARS = 8


def init_system(session: Session) -> Message:
    """The role's system message, the same for every question."""
    prompt = InitializeState(max_variables=session.config.init.max_variables)
    return session.system(prompt.render())


def init_state(session: Session) -> State:
    """The root state; after ``max_tries`` bad replies a degraded root with one variable.

    Raises:
        ModelError: the model cannot be called at all.
        Stopped: time was over before a root existed.
    """
    config = session.config
    reply_type = init_reply(config)
    opening = [
        init_system(session),
        Message(role="user", content=QuestionTurn(question=session.question).render()),
    ]
    messages = opening
    for attempt in range(1, config.init.max_tries + 1):
        reply = session.call(
            "init",
            messages,
            unit="init",
            call_path=f"init/{attempt}",
            reply_type=reply_type,
            max_tokens=config.output_tokens("init"),
            temperature=config.llm.temperature.init if attempt == 1 else 0.4,
        )
        content = payload(reply)
        problems = check_init(content) if content else [reply.problem or "nothing readable found"]
        if not problems:
            read = build_root(content)
            root, dropped = linked_root(read)
            if whole := whole_question(root, session):
                root = replace(root, state=(whole,), answer_variable=whole.id)
                dropped = [variable.id for variable in read.state if variable.id != whole.id]
            if dropped:
                session.trajectory.record("variables_dropped", {"ids": dropped})
            if config.init.keeps_facts and (lost := lost_facts(root, session)):
                session.trajectory.record("reading_given_up", {"lost": list(lost)})
                root = plain_root(session.question)
            session.trajectory.record("state_created", {"id": root.id, "state": state_data(root)})
            return root
        session.trajectory.record(
            "reply_rejected", {"workflow": "init_state", "problems": problems, "text": reply.text}
        )
        messages = [*opening, *rejection_turns(reply.text, problems)]
    return degraded_root(session)


def rejection_turns(
    text: str, problems: Sequence[str], allowed: Sequence[str] = ()
) -> list[Message]:
    """The bad reply (shortened) and what was wrong with it, as two turns."""
    shown = text if len(text) <= BAD_REPLY_TOKENS * 3 else text[: BAD_REPLY_TOKENS * 3] + " …"
    told = tuple(problem[:PROBLEM_CHARS] for problem in problems[:PROBLEMS_TOLD])
    fault = ReplyRejected(problems=told, allowed=tuple(allowed)).render()
    return [
        Message(role="assistant", content=shown or "(empty)"),
        Message(role="user", content=fault),
    ]


def check_init(content: Mapping[str, Any]) -> list[str]:
    """Faults of an init reply (spec §6.4), each told to the model."""
    variables = _items(content.get("state"))
    ids = [variable["id"] for variable in variables]
    problems = [
        f"id {repeated} is used twice; ids must differ"
        for repeated in sorted({i for i in ids if ids.count(i) > 1})
    ]
    if content.get("answer_variable") not in ids:
        problems.append(
            f"answer_variable {content.get('answer_variable')!r} is none of the ids {ids}"
        )
    for variable in variables:
        clues = [clue for clue in variable["question_clues"] if clue.strip()]
        if not clues:
            problems.append(f"variable {variable['id']} has no clue")
        for clue in map(normalise_placeholders, clues):
            for other in map(int, PLACEHOLDER.findall(clue)):
                if other not in ids:
                    problems.append(f"[V{other}] names no variable; ids are {ids}")
                elif other == variable["id"]:
                    problems.append(f"a clue of variable {other} refers to itself as [V{other}]")
    return problems


def normalise_placeholders(clue: str) -> str:
    """``[3]``, ``[V3_person]`` and ``[3_person]`` become ``[V3]``."""
    return re.sub(r"\[[Vv]?(\d+)(?:_\w+)?\]", r"[V\1]", clue).strip()


def build_root(content: Mapping[str, Any]) -> State:
    """The root state of a checked reply."""
    variables = [
        Variable(
            id=item["id"],
            type=item["type"].strip(),
            question_clues=tuple(
                normalise_placeholders(clue) for clue in item["question_clues"] if clue.strip()
            ),
        )
        for item in sorted(_items(content["state"]), key=lambda item: int(item["id"]))
    ]
    return State(state=tuple(variables), answer_variable=content["answer_variable"])


def linked_root(root: State) -> tuple[State, list[int]]:
    """The root with only what leads to the answer, and the ids of what was dropped.

    A small model lists named things as unknowns. Such a variable (its only clue is a bare name) is
    put into the clues that refer to it; one that no chain of clues ties to the answer cannot help.
    It also repeats an unknown's words where it should name the unknown: see ``nested_root``.
    """
    root = nested_root(root)
    variables = {variable.id: variable for variable in root.state}
    for named in root.state:
        if named.id != root.answer_variable and _is_bare_name(named):
            name, mark = named.question_clues[0], f"[V{named.id}]"
            for other in root.state:
                clues = (clue.replace(mark, name) for clue in variables[other.id].question_clues)
                variables[other.id] = replace(variables[other.id], question_clues=tuple(clues))
    tied = _tied(variables, root.answer_variable)
    kept = tuple(variable for variable in variables.values() if variable.id in tied)
    return replace(root, state=kept), sorted(variables.keys() - tied)


def whole_question(root: State, session: Session) -> Variable | None:
    """A variable beside others whose clues, without placeholder, say all that the question says:
    the others are made up, and what it describes is what is asked.
    """
    words = session.searcher.content_tokens
    wanted = set(words(session.question))
    if len(root.state) == 1 or not wanted:
        return None
    for variable in root.state:
        clues = " ".join(variable.question_clues)
        if not PLACEHOLDER.search(clues) and wanted <= set(words(clues)):
            return variable
    return None


def lost_facts(root: State, session: Session) -> tuple[str, ...]:
    """Names, numbers and dates of the question that no clue holds: what such a reading searches
    for is another thing than the question asks.
    """
    clues = "\n".join(clue for variable in root.state for clue in variable.question_clues)
    return missing_facts(
        session.question,
        [clues],
        same_script=is_same_script(session.question, clues),
        content_tokens=session.searcher.content_tokens,
    )


def nested_root(root: State) -> State:
    """The root with a clue that stands word for word within another's replaced by ``[V<n>]``.

    What is described inside a description is not what is asked: if the answer variable is such an
    inner one, the outer becomes the answer.
    """
    variables = {variable.id: variable for variable in root.state}
    answer = root.answer_variable
    for inner in root.state:
        phrase = inner.question_clues[0] if len(inner.question_clues) == 1 else ""
        if len(phrase.split()) <= BARE_NAME_WORDS and len(phrase) <= BARE_NAME_CHARS:
            continue
        for outer in root.state:
            clues = variables[outer.id].question_clues
            filled = tuple(clue.replace(phrase, f"[V{inner.id}]") for clue in clues)
            is_nested = outer.id != inner.id and filled != clues
            if is_nested and all(clue != f"[V{inner.id}]" for clue in filled):
                variables[outer.id] = replace(variables[outer.id], question_clues=filled)
                answer = outer.id if answer == inner.id else answer
    return replace(root, state=tuple(variables.values()), answer_variable=answer)


def _is_bare_name(variable: Variable) -> bool:
    """One clue of at most three words (eight characters without blanks) and no placeholder."""
    if len(variable.question_clues) != 1:
        return False
    (clue,) = variable.question_clues
    words = clue.split()
    is_short = len(words) <= BARE_NAME_WORDS if len(words) > 1 else len(clue) <= BARE_NAME_CHARS
    return is_short and not PLACEHOLDER.search(clue)


def _tied(variables: Mapping[int, Variable], start: int) -> set[int]:
    tied: set[int] = set()
    waiting = [start]
    while waiting:
        here = waiting.pop()
        if here in tied or here not in variables:
            continue
        tied.add(here)
        for clue in variables[here].question_clues:
            waiting.extend(int(i) for i in PLACEHOLDER.findall(clue))
    return tied


def plain_root(question: str) -> State:
    """One unknown, described by the whole question."""
    variable = Variable(id=1, type="Answer", question_clues=(question,))
    return State(state=(variable,), answer_variable=1, origin="fallback")


def degraded_root(session: Session) -> State:
    """One variable with the whole question as its clue; flagged, and the search goes on."""
    root = plain_root(session.question)
    session.trajectory.record("init_degraded", {"tries": session.config.init.max_tries})
    session.trajectory.record("state_created", {"id": root.id, "state": state_data(root)})
    session.flag("init_degraded")
    return root


def state_data(state: State) -> dict[str, Any]:
    """The state as JSON data (spec §21)."""
    return {
        "state": [
            {
                "id": variable.id,
                "type": variable.type,
                "question_clues": list(variable.question_clues),
                "discovered_clues": list(variable.discovered_clues),
                "candidate": variable.candidate,
                "candidate_strength": variable.candidate_strength,
            }
            for variable in state.state
        ],
        "answer_variable": state.answer_variable,
        "id": state.id,
        "depth": state.depth,
        "parent_id": state.parent_id,
        "parent_action_id": state.parent_action_id,
        "retrieved_evidence_ids": list(state.retrieved_evidence_ids),
        "seen_segments": list(state.seen_segments),
        "origin": state.origin,
    }


def _items(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
