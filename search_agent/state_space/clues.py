"""Discovered clues: what a branch has learnt about a variable, stored as text of a fixed shape.

``ELIMINATES: <target> - <reason> [assumes <id>=<value>; …] | Sources: <ids>`` in mode blacklist,
``REPORT: History: … Candidate: … | Sources: <ids>`` in mode report, nothing in mode none. In the
constrained protocol the model sends the parts and code renders the text; in the tagged protocol
it writes the text. Both are read and checked here, by one parser: format, checks and meaning of an
entry stay together, at the price of a file longer than most.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import get_args

from search_agent.state_space.records import (
    Assumption,
    CluesMode,
    Elimination,
    State,
    Variable,
    binds,
    norm,
)

_ELIMINATES = "ELIMINATES:"
_REPORT = "REPORT:"
_SOURCES = re.compile(r"\|\s*Sources:")
_SEPARATOR = re.compile(r" [-–—] ")
_ASSUMES = re.compile(r"^(.*?)\s*\[assumes\s+(.*)\]$")
_ASSUMPTION = re.compile(r"^\[?V?(\d+)\]?\s*=\s*(.+)$")
_TRAILING_PARENTHESIS = re.compile(r"\s*\([^()]*\)\s*$")
_MARKERS = re.compile(r"\b(History|Candidate):")


def resolve_mode(mode: str) -> tuple[CluesMode, bool]:
    """The clue mode of any string, and whether it is a fallback; total: unknown means blacklist."""
    for known in get_args(CluesMode):
        if mode == known:
            return known, False
    return "blacklist", True


def parse_elimination(clue: str, *, variable_id: int) -> Elimination | list[str]:
    """The elimination an entry states, or the parts that it lacks."""
    body, sources = split_sources(clue)
    lacks: list[str] = []
    if body.startswith(_ELIMINATES):
        body = body.removeprefix(_ELIMINATES).strip()
    else:
        lacks.append(f"`{_ELIMINATES}` at its start")
    assumptions: list[Assumption] = []
    if "[assumes" in body:
        bracket = _ASSUMES.match(body)
        parts = re.split(r";\s*(?=\[?V?\d+\]?\s*=)", bracket[2]) if bracket else []
        read = [_ASSUMPTION.match(part.strip()) for part in parts]
        if bracket is None or not all(read):
            lacks.append("a readable `[assumes <id>=<value>]`")
        else:
            body = bracket[1]
            assumptions = [
                Assumption(int(part[1]), part[2].strip()) for part in read if part is not None
            ]
    separator = _SEPARATOR.search(f" {body} ")
    target, reason = "", ""
    if separator is None:
        lacks.append("the separator ` - ` before its reason")
    else:
        target = f" {body} "[: separator.start()].strip()
        reason = f" {body} "[separator.end() :].strip()
        lacks += [f"a {name}" for name, part in _named(target, reason) if not part]
    if not sources:
        lacks.append("`| Sources:` with at least one id")
    return lacks or Elimination(
        variable_id=variable_id,
        candidate=target,
        reason=reason,
        sources=sources,
        assumptions=tuple(assumptions),
    )


def _named(target: str, reason: str) -> list[tuple[str, str]]:
    return [("target", target), ("reason", reason)]


def split_sources(clue: str) -> tuple[str, tuple[str, ...]]:
    """What stands before the last ``| Sources:``, and the sources behind it without repeats."""
    text = " ".join(clue.split())
    marks = list(_SOURCES.finditer(text))
    if not marks:
        return text, ()
    parts = (part.strip(" []") for part in text[marks[-1].end() :].split(","))
    return text[: marks[-1].start()].strip(), tuple(dict.fromkeys(part for part in parts if part))


def rewrite_sources(clue: str, aliases: Mapping[str, str]) -> str:
    """The entry with every source that is a known URI or title replaced by its ``D`` id.

    Titles may hold commas, so the longest run of comma-separated parts that is known wins.
    """
    body, parts = split_sources(clue)
    if not parts:
        return body
    known = {norm(text): document for text, document in aliases.items()}
    ids: list[str] = []
    start = 0
    while start < len(parts):
        for end in range(len(parts), start, -1):
            document = known.get(norm(", ".join(parts[start:end])))
            if document is not None:
                break
        else:
            end, document = start + 1, parts[start]
        ids.append(document)
        start = end
    return f"{body} | Sources: {', '.join(dict.fromkeys(ids))}"


def render_elimination(
    target: str,
    reason: str,
    sources: Sequence[str],
    assumptions: Sequence[tuple[int, str]] = (),
) -> str:
    """The ``ELIMINATES:`` entry of these parts; marks of the format inside a part are defused."""
    bracket = "; ".join(
        f"{number}={_plain(value).replace(';', ',')}" for number, value in assumptions
    )
    return (
        f"{_ELIMINATES} {_SEPARATOR.sub('-', _plain(target))} - {_plain(reason)}"
        f"{f' [assumes {bracket}]' if bracket else ''} | Sources: {', '.join(sources)}"
    )


def render_report(history: str, candidate_note: str, sources: Sequence[str]) -> str:
    """The ``REPORT:`` entry of these parts; marks of the format inside a part are defused."""
    body = f"{_REPORT} History: {_unmarked(history)} Candidate: {_unmarked(candidate_note)}"
    return f"{body.rstrip()} | Sources: {', '.join(sources)}"


def _plain(part: str) -> str:
    collapsed = " ".join(part.split()).replace("[assumes", "(assumes")
    return _SOURCES.sub("/ Sources:", collapsed)


def _unmarked(part: str) -> str:
    return _MARKERS.sub(r"\1", _plain(part))


def check_blacklist(entries: Sequence[str], *, variable_id: int) -> list[str]:
    """What is wrong with a list of ``ELIMINATES:`` entries, one fault per bad entry."""
    faults = []
    for number, entry in enumerate(entries, start=1):
        parsed = parse_elimination(entry, variable_id=variable_id)
        if not isinstance(parsed, Elimination):
            faults.append(f"entry {number} lacks {', '.join(parsed)}")
    return faults


def check_report(
    entries: Sequence[str],
    *,
    previous: Variable,
    candidate: str | None,
    count_tokens: Callable[[str], int],
    limit: int,
) -> list[str]:
    """What is wrong with a variable's report: its shape, its length, its history (spec §11.1).

    ``previous`` is the variable before the patch, ``candidate`` its candidate after it.
    """
    if not entries:
        return [f"no entry; exactly one `{_REPORT}` entry is needed"]
    faults = [] if len(entries) == 1 else [f"{len(entries)} entries; exactly one is allowed"]
    entry = " ".join(entries[0].split())
    body, sources = split_sources(entry)
    if not entry.startswith(_REPORT):
        faults.append(f"`{_REPORT}` is missing at the start")
    for marker in ("History:", "Candidate:"):
        if (count := body.count(marker)) != 1:
            faults.append(f"`{marker}` {'is missing' if not count else f'stands {count} times'}")
    if len(_SOURCES.findall(entry)) > 1:
        faults.append("`| Sources:` stands more than once")
    if not sources:
        faults.append("no sources")
    if (tokens := count_tokens(entry)) > limit:
        faults.append(f"{tokens} tokens; at most {limit} are allowed")
    if body.count("History:") == body.count("Candidate:") == 1:
        faults += _check_report_parts(entry, previous=previous, candidate=candidate)
    return faults


def _check_report_parts(entry: str, *, previous: Variable, candidate: str | None) -> list[str]:
    body, _ = split_sources(entry)
    if body.index("History:") > body.index("Candidate:"):
        return ["`History:` must come before `Candidate:`"]
    history, note = _report_parts(body)
    faults = []
    if not history:
        faults.append("`History:` is blank")
    if candidate is None and note:
        faults.append("`Candidate:` must be blank while the variable has no candidate")
    if candidate is not None and norm(candidate) not in norm(note):
        faults.append(f"`Candidate:` does not name the candidate {candidate!r}")
    if any(_repeats(entry, history, old) for old in previous.discovered_clues):
        faults.append("`History:` repeats the previous report; rewrite it shorter")
    dropped = previous.candidate
    if dropped and norm(dropped) != norm(candidate or "") and norm(dropped) not in norm(history):
        faults.append(f"`History:` does not say why {dropped!r} was dropped")
    return faults


def _report_parts(body: str) -> tuple[str, str]:
    history, _, note = body.partition("History:")[2].partition("Candidate:")
    return history.strip(), note.strip()


def _repeats(entry: str, history: str, old: str) -> bool:
    """Whether the old report stands in the new one: as it was, or its text moved into History."""
    old = " ".join(old.split())
    old_history, old_note = _report_parts(split_sources(old)[0])
    # Without a note the old text is history alone, which a longer history may begin with.
    moved = bool(old_note) and f"{old_history} {old_note}" in history
    return old in entry or moved


def merge_repeats(entries: Sequence[str], variable_id: int) -> list[str]:
    """The entries with repeats of a target under equal assumptions made one, sources united."""
    merged: dict[object, str | Elimination] = {}
    for entry in entries:
        parsed = parse_elimination(entry, variable_id=variable_id)
        if not isinstance(parsed, Elimination):
            merged.setdefault(entry, entry)
            continue
        key = (
            norm(parsed.candidate),
            tuple(sorted((a.variable_id, norm(a.value)) for a in parsed.assumptions)),
        )
        first = merged.get(key)
        if isinstance(first, Elimination):
            parsed = Elimination(
                variable_id=variable_id,
                candidate=first.candidate,
                reason=first.reason,
                sources=tuple(dict.fromkeys([*first.sources, *parsed.sources])),
                assumptions=first.assumptions,
            )
        merged[key] = parsed
    return [
        item
        if isinstance(item, str)
        else render_elimination(item.candidate, item.reason, item.sources, item.assumptions)
        for item in merged.values()
    ]


def eliminations_of_variable(variable: Variable) -> list[Elimination]:
    """The eliminations among a variable's discovered clues."""
    parsed = (
        parse_elimination(clue, variable_id=variable.id) for clue in variable.discovered_clues
    )
    return [item for item in parsed if isinstance(item, Elimination)]


def eliminations_of(state: State) -> list[Elimination]:
    """The eliminations a branch has recorded, in order of its variables."""
    return [item for variable in state.state for item in eliminations_of_variable(variable)]


def binding_eliminations(
    state: State, search_wide: Iterable[Elimination] = ()
) -> list[Elimination]:
    """The branch's eliminations, then the search's, whose assumptions hold in this state."""
    return [item for item in [*eliminations_of(state), *search_wide] if binds(item, state.state)]


def rules_out(elimination: Elimination, candidate: str) -> bool:
    """Whether the target, one of its ``;`` parts, or that less a parenthesis, is the candidate."""
    whole = unicodedata.normalize("NFKC", elimination.candidate)
    targets = [whole, *whole.split(";")]
    targets += [_TRAILING_PARENTHESIS.sub("", target) for target in targets]
    return _comparable(candidate) in {_comparable(target) for target in targets if target.strip()}


def _comparable(name: str) -> str:
    # Rendering closes up ` - ` in a target, or its name would end there; so both sides close it up.
    return norm(_SEPARATOR.sub("-", " ".join(name.split())))
