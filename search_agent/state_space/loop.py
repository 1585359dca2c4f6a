"""The main loop: draw, run, take in what came out, until something ends the search (spec §16)."""

import asyncio
import itertools
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from corpora.canonical_json import canonical_json
from corpora.manifest import write_atomically
from search_agent.errors import AgentError, ContextOverflow, ModelError, TrajectoryError
from search_agent.final_result import Termination
from search_agent.session import Session, Stopped
from search_agent.state_space.action_pool import ActionPool, Entry, Expansion
from search_agent.state_space.clues import resolve_mode
from search_agent.state_space.dependencies import (
    first_directions,
    opened_directions,
    repeats_clue,
)
from search_agent.state_space.find_action import Explored, find_action
from search_agent.state_space.init_state import init_state, plain_root, state_data
from search_agent.state_space.records import Action, ActionProposal, Result, State
from search_agent.state_space.run_action import run_action

T = TypeVar("T")
INTERNAL_ERROR = 211001
INTERNAL_ERRORS_LIMIT = 3

Outcome = Result | list[ActionProposal] | Stopped | AgentError | BaseException


@dataclass(kw_only=True)
class Search:
    """What the loop knows; everything of it can be rebuilt from the trajectory."""

    session: Session
    pool: ActionPool
    states: list[State] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    answers: list[Result] = field(default_factory=list)
    made_by: dict[str, Result] = field(default_factory=dict)
    """State id → the result that created it."""
    proposals_of: dict[str, int] = field(default_factory=dict)
    state_numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))
    explored: int = 0
    failures: int = 0
    internal_errors: int = 0
    depletion_retries: int = 0
    first: set[str] = field(default_factory=set)
    """Actions on the root that are still to be done."""
    is_plain_due: bool = False
    """The plain question is still to be asked, once these are done."""
    error: BaseException | None = None

    def new_state_id(self, depth: int) -> str:
        """``{depth:03x}_{n:06x}``, n counting the states of the search."""
        return f"{depth:03x}_{next(self.state_numbers):06x}"


def start(session: Session) -> Search:
    """A search before its first model call."""
    return Search(session=session, pool=ActionPool(session.config.sampling))


async def in_thread(work: Callable[..., T], *arguments: object) -> T:
    """The work's value, got in a thread; a StopIteration, which no future can carry (whoever waits
    would wait for ever), comes as a RuntimeError.
    """

    def guarded() -> T:
        try:
            return work(*arguments)
        except StopIteration as error:
            message = "StopIteration left the work of a thread"
            raise RuntimeError(message) from error

    return await asyncio.to_thread(guarded)


async def run_search(search: Search, *, workers: int) -> Termination:
    """Run to an end; never raises for what a model, a document or the clock does.

    Raises:
        OSError: the run directory cannot be written.
        ReplayDiverged: a re-run does something else than its record.
    """
    session = search.session
    try:
        root = await in_thread(init_state, session)
    except Stopped:
        return _stopped(search)
    except ModelError as error:
        search.error = error
        return "error"
    _see_state(search, root)
    _write_initial_state(search, root)
    if session.config.init.directions == "clues":
        proposals = first_directions(root, session.question)
        search.first = set(_add_actions(search, root, proposals, "clues"))
        search.is_plain_due = len(root.state) > 1
    else:
        search.pool.add([Expansion(state=root)])
    running: dict[asyncio.Task[Outcome], Entry] = {}
    termination: Termination | None = None
    while termination is None:
        termination = _limit(search)
        if termination is not None:
            break
        if search.is_plain_due and not search.first:
            _read_plainly(search)
        for draw in search.pool.sample(workers - len(running)):
            session.trajectory.record(
                "pool_sampled", {"n": draw.n, "u": draw.u, "id": draw.entry.id}
            )
            search.pool.start(draw.entry)
            running[asyncio.create_task(_work(search, draw.entry))] = draw.entry
        _write_pool(search)
        if not running:
            if search.depletion_retries >= session.config.params.retry_count_on_empty_action_space:
                termination = "action_pool_depleted"
                break
            search.depletion_retries += 1
            session.trajectory.record("depletion_retry", {"n": search.depletion_retries})
            search.pool.add([Expansion(state=_retry_of(search, root), score=1.0)])
            continue
        done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        for task in [task for task in running if task in done]:
            termination = _take(search, running.pop(task), task.result()) or termination
    if running:
        session.abandoned.set()
        await asyncio.gather(*running, return_exceptions=True)
    _write_pool(search)
    return termination


async def _work(search: Search, entry: Entry) -> Outcome:
    """One action or expansion in a thread. Every exception comes back as a value: the boundary at
    which an unknown fault costs one action and not the search.
    """
    work = _expand if isinstance(entry, Expansion) else _act
    try:
        return await in_thread(work, search, entry)
    except (Stopped, AgentError, OSError) as known:
        return known
    except Exception as unknown:  # noqa: BLE001 (task boundary, spec §9)
        return unknown


def _act(search: Search, action: Action) -> Result:
    return run_action(search.session, action, new_state_id=search.new_state_id)


def _expand(search: Search, expansion: Expansion) -> list[ActionProposal]:
    state = expansion.state
    is_retry = search.depletion_retries > 0 and state.parent_id is None
    dependent = search.session.config.find.action_pool_depleted_strategy == "dependent_retry"
    made_by = search.made_by.get(state.id)
    return find_action(
        search.session,
        state,
        unit=f"{expansion.id}{search.depletion_retries or ''}/find",
        used=search.pool.used_directions(state),
        last_result=made_by.summary if made_by else "",
        ledger=_ledger(search) if is_retry and dependent else (),
    )


def _ledger(search: Search) -> list[Explored]:
    rows = []
    for done in search.pool.completed.values():
        if isinstance(done.entry, Action):
            summary = done.result.summary if done.result else ""
            rows.append(Explored(direction=done.entry.proposal.direction, summary=summary))
    return rows


def _retry_of(search: Search, root: State) -> State:
    """The root under a fresh pool id, so that its expansion can be drawn again."""
    return replace(root, id=f"{root.id}r{search.depletion_retries}")


def _take(search: Search, entry: Entry, outcome: Outcome) -> Termination | None:
    """Take one finished task in; a termination if it ends the search."""
    match outcome:
        case Stopped():
            search.pool.record_completed(entry.id, None)
            return _stopped(search)
        case OSError() | TrajectoryError():
            raise outcome
        case ContextOverflow():
            return _take_fault(search, entry, outcome)
        case ModelError():
            search.pool.record_completed(entry.id, None)
            search.error = outcome
            return "error"
        case Result():
            return _take_result(search, entry, outcome)
        case list():
            return _take_proposals(search, entry, outcome)
        case BaseException():
            return _take_fault(search, entry, outcome)


def _take_result(search: Search, entry: Entry, result: Result) -> Termination | None:
    session = search.session
    search.pool.record_completed(entry.id, result)
    search.first.discard(entry.id)
    search.explored += 1
    search.results.append(result)
    session.trajectory.record("action_finished", {"id": entry.id, **result_data(result)})
    if result.outcome == "error":
        search.failures += 1
    for state in result.new_states:
        search.made_by[state.id] = result
        is_new = _see_state(search, state)
        if any(map(repeats_clue, state.state)):
            search.first.clear()  # the reading describes something given as unknown
            continue
        if is_new and session.config.find.expand_when_drawn:
            _follow(search, entry.state, state)
            search.pool.add([Expansion(state=state)])
        elif is_new:
            search.pool.add_immediate(Expansion(state=state))
    if result.outcome != "answer" or result.answer_state is None:
        return None
    search.states.append(result.answer_state)
    search.answers.append(result)
    session.trajectory.record("answer_collected", {"id": entry.id, "answer": result.found_answer})
    wanted = max(1, session.config.params.answer_mode_top_k)
    return "answer" if len(search.answers) >= wanted else None


def _take_proposals(
    search: Search, entry: Entry, proposals: list[ActionProposal]
) -> Termination | None:
    search.pool.record_completed(entry.id, None)
    search.session.trajectory.record(
        "expansion_finished", {"id": entry.id, "proposals": len(proposals)}
    )
    if not proposals:
        search.failures += 1
    _add_actions(search, entry.state, proposals, entry.id)
    return None


def _take_fault(search: Search, entry: Entry, fault: BaseException) -> Termination | None:
    search.pool.record_completed(entry.id, None)
    search.first.discard(entry.id)
    search.explored += isinstance(entry, Action)
    search.failures += 1
    if isinstance(fault, AgentError):
        data = {"id": entry.id, "outcome": "error", "error": str(fault), "error_code": fault.code}
        search.session.trajectory.record("action_finished", data)
        return None
    search.internal_errors += 1
    lines = traceback.format_exception_only(fault)
    search.session.trajectory.record(
        "internal_error", {"id": entry.id, "code": INTERNAL_ERROR, "error": "".join(lines).strip()}
    )
    search.error = fault
    return "error" if search.internal_errors >= INTERNAL_ERRORS_LIMIT else None


def _see_state(search: Search, state: State) -> bool:
    """Record a state; False if an equal one was seen before, which is ranked but not expanded."""
    mode, _ = resolve_mode(search.session.config.creation.discovered_clues_mode)
    search.states.append(state)
    duplicate_of = search.pool.duplicate_of(state, mode)
    if state.origin == "patch":
        search.session.trajectory.record(
            "state_created", {"id": state.id, "state": state_data(state)}
        )
    if duplicate_of is None:
        return True
    search.session.trajectory.record(
        "duplicate_state", {"id": state.id, "duplicate_of": duplicate_of}
    )
    return False


def _follow(search: Search, parent: State, state: State) -> None:
    """Put the directions that code reads off the new candidates before all draws."""
    opened = opened_directions(parent, state)
    if opened:
        _add_actions(search, state, opened, "code", is_immediate=True)


def _read_plainly(search: Search) -> None:
    """Ask the question as one unknown, once: its reading has led nowhere so far, and a small model
    reads into unknowns what is none.
    """
    search.is_plain_due = False
    session = search.session
    state = replace(plain_root(session.question), id=search.new_state_id(0))
    session.trajectory.record("state_created", {"id": state.id, "state": state_data(state)})
    if _see_state(search, state):
        direction = ActionProposal(direction=session.question[:400], score=0.6)
        _add_actions(search, state, [direction], "code", is_immediate=True)


def _add_actions(
    search: Search,
    state: State,
    proposals: list[ActionProposal],
    call_id: str,
    *,
    is_immediate: bool = False,
) -> list[str]:
    """Put the proposals into the pool as actions; their ids."""
    actions = []
    for proposal in proposals[: search.session.config.find.action_proposals_limit]:
        number = search.proposals_of.get(state.id, 0)
        search.proposals_of[state.id] = number + 1
        actions.append(
            Action(
                id=f"{state.id}_{number:02x}",
                question=search.session.question,
                state=state,
                proposal=proposal,
                proposal_call_id=call_id,
                queue="immediate" if is_immediate else "pool",
            )
        )
    search.session.trajectory.record(
        "proposals_created",
        {
            "state": state.id,
            "actions": [
                {"id": a.id, "direction": a.proposal.direction, "score": a.proposal.score}
                for a in actions
            ],
        },
    )
    if is_immediate:
        for action in actions:
            search.pool.add_immediate(action)
    else:
        search.pool.add(actions)
    return [action.id for action in actions]


def _limit(search: Search) -> Termination | None:
    """The first limit that is met, in the order of spec §16.1."""
    params = search.session.config.params
    if search.session.stop_requested():
        return _stopped(search)
    if search.session.time_is_over():
        return "time_limit"
    if params.actions_explored_limit and search.explored >= params.actions_explored_limit:
        return "actions_explored_limit"
    if params.fail_limit and search.failures >= params.fail_limit:
        return "fail_limit"
    return None


def _stopped(search: Search) -> Termination:
    if search.session.stop_requested():
        search.session.trajectory.record("stop_requested", {})
        return "cancelled"
    return "time_limit"


def result_data(result: Result) -> dict[str, object]:
    """The result as event data."""
    return {
        "outcome": result.outcome,
        "answer": result.found_answer,
        "new_states": [state.id for state in result.new_states],
        "summary": result.summary,
        "note": result.note,
        "error_code": result.error_code,
        "error": result.error,
    }


def _write_initial_state(search: Search, root: State) -> None:
    _write(search, "initial_state.json", state_data(root))


def _write_pool(search: Search) -> None:
    _write(search, "action_pool.json", search.pool.snapshot())


def _write(search: Search, name: str, content: object) -> None:
    if search.session.trajectory.is_replaying:
        return
    write_atomically(search.session.trajectory.folder / name, canonical_json(content) + "\n")
