"""Rendering a state for the model: variables, clues, candidates, and what is ruled out."""

import re
from collections.abc import Callable, Sequence

from search_agent.state_space.records import Elimination, State, Variable

PLACEHOLDER = re.compile(r"\[V(\d+)\]")


def fill_placeholders(text: str, state: State) -> str:
    """Replace ``[V3]`` by that variable's candidate where it has one."""

    def candidate_of(match: re.Match[str]) -> str:
        for variable in state.state:
            if variable.id == int(match.group(1)) and variable.candidate:
                return variable.candidate
        return match.group(0)

    return PLACEHOLDER.sub(candidate_of, text)


def describe_placeholders(text: str, state: State) -> str:
    """Replace ``[V3]`` by its candidate, else by its type: words that a searcher can use."""
    filled = fill_placeholders(text, state)
    types = {variable.id: variable.type.lower() for variable in state.state}
    return PLACEHOLDER.sub(lambda match: types.get(int(match.group(1)), ""), filled)


def describe_variable(variable: Variable, state: State) -> str:
    """``V1, a Person: elected to chair the committee``, placeholders filled or described."""
    clues = "; ".join(describe_placeholders(clue, state) for clue in variable.question_clues)
    return f"V{variable.id}, a {variable.type}: {clues}"


def render_known(state: State) -> str:
    """``V1 = Ilse Varga (author of the flora)`` for each candidate but the answer's; "" if none."""
    return "; ".join(
        f"{variable.candidate} ({'; '.join(clues)})"
        for variable in state.state
        if (clues := [describe_placeholders(clue, state) for clue in variable.question_clues])
        and variable.candidate
        and variable.id != state.answer_variable
    )


def render_state(state: State, *, limit_tokens: int, count_tokens: Callable[[str], int]) -> str:
    """One line per variable, within ``limit_tokens``: the oldest discovered clues yield first."""
    omitted = 0
    clues = {variable.id: list(variable.discovered_clues) for variable in state.state}
    while True:
        lines = [_line(variable, state, clues[variable.id]) for variable in state.state]
        if omitted:
            lines.append(f"({omitted} older discovered clues left out)")
        text = "\n".join(lines)
        oldest = next((kept for kept in clues.values() if kept), None)
        if oldest is None or count_tokens(text) <= limit_tokens:
            return text
        oldest.pop(0)
        omitted += 1


def _line(variable: Variable, state: State, discovered: Sequence[str]) -> str:
    asked = ", asked for" if variable.id == state.answer_variable else ""
    strength = variable.candidate_strength
    held = variable.candidate or "none yet"
    if variable.candidate and strength is not None:
        held += f" ({strength:.2f})"
    line = f"V{variable.id} ({variable.type}{asked}): {'; '.join(variable.question_clues)} = {held}"
    return "\n".join([line, *(f"  {clue}" for clue in discovered)])


def render_eliminations(
    eliminations: Sequence[Elimination], *, limit_tokens: int, count_tokens: Callable[[str], int]
) -> str:
    """``V1 not Oda Brandt (reason)``, newest first within ``limit_tokens``."""
    parts = [f"V{item.variable_id} not {item.candidate} ({item.reason})" for item in eliminations]
    while parts and count_tokens("; ".join(parts)) > limit_tokens:
        parts.pop(0)
    return "; ".join(parts)
