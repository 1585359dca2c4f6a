"""Dependencies: which unknowns the answer waits for, and what a new candidate opens up.

A clue that names ``[V1]`` depends on variable 1. Two things follow that need no model: an answer
is not due while something it depends on is open, and a clue whose placeholders have just been
filled is the next thing to search for.
"""

from search_agent.evidence.records import Evidence
from search_agent.evidence.support import content_overlap
from search_agent.session import Session
from search_agent.state_space.proposals import is_same_direction, tokens
from search_agent.state_space.records import ActionProposal, State, Variable, norm
from search_agent.state_space.render import (
    PLACEHOLDER,
    describe_placeholders,
    fill_placeholders,
)
from search_agent.tools.fence import fence, show_text

REPEATED = 0.8
REPEATED_MIN = 3
"""Share of a clue's words, of at least three, that a candidate must say to repeat it."""


def open_dependencies(state: State) -> list[int]:
    """Ids of variables without candidate that the answer's clues refer to, directly or not."""
    waiting = [state.answer_variable]
    visited = {state.answer_variable}
    found: list[int] = []
    while waiting:
        for other in referred(state.variable(waiting.pop())):
            if other in visited or all(variable.id != other for variable in state.state):
                continue
            visited.add(other)
            waiting.append(other)
            if state.variable(other).candidate is None:
                found.append(other)
    return sorted(found)


def next_unknown(state: State) -> Variable | None:
    """The open variable to find first: one that waits for no other; None when the answer is due."""
    blockers = open_dependencies(state)
    ready = [i for i in blockers if not set(referred(state.variable(i))) & set(blockers)]
    return state.variable((ready or blockers)[0]) if blockers else None


def referred(variable: Variable) -> list[int]:
    """Ids that the variable's question clues name, in order."""
    return [int(i) for clue in variable.question_clues for i in PLACEHOLDER.findall(clue)]


def opened_directions(parent: State | None, state: State) -> list[ActionProposal]:
    """Clues of open variables that this state's new candidates have completed, as directions;
    when none is open any more, the answer's own clues, so that an action can answer.
    """
    before = {variable.id: variable.candidate for variable in parent.state} if parent else {}
    fresh = {
        variable.id
        for variable in state.state
        if variable.candidate and norm(variable.candidate) != norm(before.get(variable.id) or "")
    }
    directions = []
    is_complete = all(variable.candidate for variable in state.state)
    for variable in state.state:
        is_opened = variable.candidate is None and fresh.intersection(referred(variable))
        is_to_be_confirmed = is_complete and fresh and variable.id == state.answer_variable
        if not is_opened and not is_to_be_confirmed:
            continue
        clues = [fill_placeholders(clue, state) for clue in variable.question_clues]
        complete = [clue for clue in clues if not PLACEHOLDER.search(clue)]
        if complete:
            directions.append(ActionProposal(direction="; ".join(complete)[:400], score=1.0))
    return directions


def repeats_clue(variable: Variable) -> bool:
    """Whether the candidate only says again what it is to be found by: nothing was unknown."""
    said = tokens(variable.candidate or "")
    wanted = [tokens(clue) for clue in variable.question_clues]
    return bool(said) and any(
        len(clue) >= REPEATED_MIN and len(clue & said) >= REPEATED * len(clue) for clue in wanted
    )


def first_directions(root: State, question: str) -> list[ActionProposal]:
    """The root's directions without a model: what must be found first, then the question itself."""
    target = next_unknown(root) or root.answer
    clues = "; ".join(describe_placeholders(clue, root) for clue in target.question_clues)
    first = ActionProposal(direction=clues[:400], score=0.9)
    whole = ActionProposal(direction=question[:400], score=0.6)
    return [first] if is_same_direction(first.direction, whole.direction) else [first, whole]


def known_evidence(session: Session, state: State) -> str:
    """For each candidate the seen segment that tells most of it, fenced and citable; "" if none.

    An action sees only what its own searches bring; without this an answer could not cite the
    earlier hops.
    """
    lines = []
    for variable in state.state:
        best = telling_segment(session, state, variable) if variable.candidate else None
        if best is not None:
            lines.append(f"[{best.segment_id}] {show_text(best.reading)}")
    unique = list(dict.fromkeys(lines))
    return f"Found before:\n{fence(chr(10).join(unique))}" if unique else ""


def telling_segment(session: Session, state: State, variable: Variable) -> Evidence | None:
    """The segment seen on this branch that names the variable's candidate and tells most of it."""
    clues = " ".join(fill_placeholders(clue, state) for clue in variable.question_clues)
    wanted = f"{variable.candidate} {clues}"
    seen = (session.ledger.get(sid) for sid in state.seen_segments)
    naming = [
        evidence
        for evidence in seen
        if evidence is not None and norm(variable.candidate or "") in norm(evidence.reading)
    ]
    return max(
        naming,
        key=lambda item: content_overlap(wanted, item.reading, terms=session.searcher),
        default=None,
    )
