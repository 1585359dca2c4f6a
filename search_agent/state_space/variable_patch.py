"""One variable of a patch: what a reply says about it, read under R3, R6–R9 and R12–R15 (spec §10).

Nothing here knows a model: faults are sentences for the model, deviations events for the
trajectory.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from search_agent.config import StateCreationAgent
from search_agent.state_space.clues import (
    check_blacklist,
    check_report,
    merge_repeats,
    rewrite_sources,
    split_sources,
)
from search_agent.state_space.records import CluesMode, Elimination, Variable, as_candidate, norm

Event = tuple[str, dict[str, object]]
"""Kind and data of an event of the trajectory."""

DEFAULT_STRENGTH = 0.4
CANDIDATE_CHARS = 200
_PATCH_KEYS = {"id", "candidate", "candidate_strength", "discovered_clues"}
_FIXED_KEYS = {"type", "question_clues"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PatchRules:
    """What the checks need to know besides the base state."""

    creation: StateCreationAgent
    mode: CluesMode
    seen_segments: frozenset[str]
    seen_documents: Mapping[str, str] = field(default_factory=dict)
    """``D`` id → URI or title, of the documents shown on this branch."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """URI or title → ``D`` id, of the same documents."""
    search_eliminations: tuple[Elimination, ...] = ()
    first_seen: Mapping[str, int] = field(default_factory=dict)
    """Segment id → sequence number of the event that first showed it."""
    count_tokens: Callable[[str], int] = len


def coerced_id(value: object) -> int | None:
    """R3: a variable id, also from a digit string or a whole float; a bool is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and re.fullmatch(r"\s*[0-9]{1,9}\s*", value):
        return int(value)
    return None


def differs(old: Variable, new: Variable) -> bool:
    """Whether candidate, strength or clues are not the same; spelling of a candidate is."""
    return (
        norm(old.candidate or "") != norm(new.candidate or "")
        or old.candidate_strength != new.candidate_strength
        or old.discovered_clues != new.discovered_clues
    )


class VariablePatch:
    """One raw patch variable being read; faults, events and cited ids gather on the way."""

    def __init__(self, old: Variable, raw: Mapping[str, object], rules: PatchRules) -> None:
        self.old = old
        self.raw = raw
        self.rules = rules
        self.faults: list[str] = []
        self.events: list[Event] = []
        self.cited: set[str] = set()

    def apply(self) -> Variable:
        """The variable after the patch; a field at fault keeps its old value."""
        self._check_keys()
        candidate = self._candidate()
        strength = self._strength(candidate)
        new = replace(self.old, candidate=candidate, candidate_strength=strength)
        clues = self._sent_clues()
        if self.rules.mode == "report":
            self._check_report(new, clues)
        elif self.rules.mode == "blacklist" and clues is not None:
            self.faults += check_blacklist(clues, variable_id=self.old.id)
            self._check_seen(clues)
            clues = tuple(merge_repeats(clues, self.old.id))
        return new if clues is None else replace(new, discovered_clues=clues)

    def _check_keys(self) -> None:
        kind = self.raw.get("type", self.old.type)
        given = self.raw.get("question_clues", self.old.question_clues)
        clues = tuple(given) if isinstance(given, list | tuple) else (given,)
        if kind != self.old.type or clues != self.old.question_clues:
            self.faults.append("type and question_clues are fixed; leave them out")
        if unknown := sorted(self.raw.keys() - _PATCH_KEYS - _FIXED_KEYS):
            self.events.append(("keys_dropped", {"variable_id": self.old.id, "keys": unknown}))

    def _candidate(self) -> str | None:
        value = self.raw.get("candidate", self.old.candidate)
        if isinstance(value, int | float) and not isinstance(value, bool):
            value = str(value)
        if value is not None and not isinstance(value, str):
            self.faults.append(f"candidate {value!r} must be a string, or null to clear it")
            return self.old.candidate
        candidate = as_candidate(value)
        if candidate is not None and len(candidate) > CANDIDATE_CHARS:
            self.faults.append(
                f"candidate has {len(candidate)} characters; at most {CANDIDATE_CHARS} are allowed"
            )
            return self.old.candidate
        return candidate

    def _strength(self, candidate: str | None) -> float | None:
        if not self.rules.creation.use_candidate_strength:
            return None
        sent = self.raw.get("candidate_strength")
        if sent is not None:
            strength = _number(sent)
            if strength is None or not 0 <= strength <= 1:
                self.faults.append(f"candidate_strength {sent!r} must be a number from 0 to 1")
                strength = self.old.candidate_strength
            return strength if candidate is not None else None
        if candidate is None:
            return None
        if norm(candidate) == norm(self.old.candidate or ""):
            return self.old.candidate_strength
        data: dict[str, object] = {"variable_id": self.old.id, "strength": DEFAULT_STRENGTH}
        self.events.append(("strength_defaulted", data))
        return DEFAULT_STRENGTH

    def _sent_clues(self) -> tuple[str, ...] | None:
        """The clues sent, sources rewritten to ids; None if none were sent or the mode has none."""
        sent = self.raw.get("discovered_clues")
        if sent is None or self.rules.mode == "none":
            return None
        if not isinstance(sent, list | tuple) or not all(isinstance(clue, str) for clue in sent):
            self.faults.append("discovered_clues must be a list of strings")
            return None
        rewritten = (rewrite_sources(clue, self.rules.aliases) for clue in sent if clue.strip())
        clues = tuple(dict.fromkeys(rewritten))
        self.cited = {source for clue in clues for source in split_sources(clue)[1]}
        return clues

    def _check_report(self, new: Variable, clues: tuple[str, ...] | None) -> None:
        unchanged = not differs(self.old, new) and clues in {None, self.old.discovered_clues}
        if unchanged:
            return
        if clues is None:
            self.faults.append("candidate or strength changed; send a new REPORT with it")
            return
        self.faults += check_report(
            clues,
            previous=self.old,
            candidate=new.candidate,
            count_tokens=self.rules.count_tokens,
            limit=self.rules.creation.report_tokens_max,
        )
        self._check_seen(clues)

    def _check_seen(self, clues: Sequence[str]) -> None:
        cited = dict.fromkeys(source for clue in clues for source in split_sources(clue)[1])
        seen = self.rules.seen_segments | self.rules.seen_documents.keys()
        if unseen := [source for source in cited if source not in seen]:
            self.faults.append(told_unseen(unseen, self.rules))


def _number(value: object) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and re.fullmatch(r"\s*[-+]?[0-9]*\.?[0-9]+\s*", value):
        return float(value)
    if isinstance(value, int | float) and not math.isnan(value):
        return float(value)
    return None


def told_unseen(unseen: Sequence[str], rules: PatchRules) -> str:
    """The fault of citing what this branch was not shown, with ids that it was."""
    visible = ", ".join(visible_ids(rules)) or "none yet"
    return f"sources {', '.join(map(repr, unseen))} were not shown here; visible are {visible}"


def visible_ids(rules: PatchRules, limit: int = 20) -> list[str]:
    """Up to ``limit`` ids that may be cited: the newest segments in order, then documents."""
    segments, documents = (
        sorted(ids, key=lambda short: int(short[1:]))
        for ids in (rules.seen_segments, rules.seen_documents)
    )
    chosen = segments[-limit:]
    room = limit - len(chosen)
    return [*chosen, *(documents[-room:] if room else [])]
