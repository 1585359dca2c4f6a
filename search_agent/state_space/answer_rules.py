"""Whether an answer may be taken: a string, cited claims that state it, and what it leaves behind.

Rules R17–R20 and R22 (spec §10.3). Whether the cited text supports the claims is asked elsewhere;
here nothing is read but ids and words.
"""

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from search_agent.state_space.patch import (
    Rejected,
    apply_patch,
    held_eliminations,
    normalise_branches,
    unwrapped,
)
from search_agent.state_space.proposals import tokens
from search_agent.state_space.records import State, Variable, as_candidate, norm
from search_agent.state_space.variable_patch import (
    CANDIDATE_CHARS,
    Event,
    PatchRules,
    told_unseen,
)

ANSWER_CHARS = 500
MAX_CLAIMS = 12
CLAIM_CHARS = 400
MAX_CLAIM_IDS = 8
COVERS_ANSWER = 0.6
"""Share of the answer's tokens from which a claim carries it."""
FILLED_STRENGTH = 0.71
"""Just strong, so that an answer's own candidate outranks every state that was clamped to 0.70."""

Claims = tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerOutcome:
    """An answer as read, usable only if ``problems`` is empty; claims are (text, segment ids)."""

    text: str
    claims: Claims
    variables: tuple[Variable, ...]
    problems: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()


def check_answer(
    raw: Mapping[str, object], base: State, rules: PatchRules, *, is_last_try: bool
) -> AnswerOutcome:
    """Read answer, claims and patch. On the last try claims lose unknown ids instead of failing."""
    problems: list[str] = []
    flags: list[str] = []
    if not rules.seen_segments:
        problems.append(
            "nothing has been retrieved; search first, or if no calls are left send the empty patch"
        )
    text = answer_text(raw.get("answer"))
    if text is None:
        problems.append(
            f"answer {raw.get('answer')!r} must be one string of 1 to {ANSWER_CHARS} characters"
        )
    variables, patch_problems, events = _patched(raw.get("new_state"), base, rules, is_last_try)
    problems += patch_problems
    variables, filled = _filled(variables, text, base, rules)
    events += filled
    if filled:
        problems += held_eliminations(variables, rules, cited=set())[0]
    claims, claim_problems = _read_claims(raw.get("claims"), rules)
    if is_last_try and claims:
        kept = tuple((claim, _seen(ids, rules)) for claim, ids in claims)
        if claim_problems:
            flags.append("answer_not_claimed")
        claims, claim_problems = kept, []
    problems += claim_problems
    if text is not None and claims and not claim_problems:
        candidate = next(v.candidate for v in variables if v.id == base.answer_variable)
        if any(_carries(claim, name) for claim, _ in claims for name in (text, candidate) if name):
            pass
        elif is_derived(text) and any(ids for _, ids in claims):
            flags.append("answer_derived")
        elif is_last_try:
            flags.append("answer_not_claimed")
        else:
            problems.append(f"no claim states the answer {text!r}; one of them must name it")
    return AnswerOutcome(
        text=text or "",
        claims=claims,
        variables=variables,
        problems=tuple(dict.fromkeys(problems)),
        flags=tuple(dict.fromkeys(flags)),
        events=tuple(events),
    )


def answer_text(value: object) -> str | None:
    """R17: the answer as a string; None for anything but a non-blank string or a finite number."""
    if isinstance(value, float) and math.isfinite(value) and value.is_integer():
        value = int(value)
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        value = str(value)
    if not isinstance(value, str) or not norm(value) or len(value.strip()) > ANSWER_CHARS:
        return None
    return value.strip()


def _patched(
    new_state: object, base: State, rules: PatchRules, is_last_try: bool
) -> tuple[tuple[Variable, ...], list[str], list[Event]]:
    """The answer's own patch; on the last try a bad one is dropped and the answer is kept."""
    branches = normalise_branches([] if new_state is None else new_state)
    if isinstance(branches, Rejected):
        problems = list(branches.problems)
    elif len(branches) > 1:
        problems = ["new_state of an answer is one list of variables, each id once"]
    else:
        patch = branches[0] if branches else []
        outcome = apply_patch(base, patch, rules, must_change=False)
        if not outcome.problems:
            return outcome.variables, [], list(outcome.events)
        problems = list(outcome.problems)
    unpatched = apply_patch(base, [], rules, must_change=False)
    if is_last_try and not unpatched.problems:
        dropped: Event = ("branches_salvaged", {"kept": [], "dropped": {"1": problems}})
        return unpatched.variables, [], [dropped]
    return unpatched.variables, problems, []


def _filled(
    variables: tuple[Variable, ...], text: str | None, base: State, rules: PatchRules
) -> tuple[tuple[Variable, ...], list[Event]]:
    """R20: an empty answer variable takes the answer."""
    answer = next(variable for variable in variables if variable.id == base.answer_variable)
    # An answer such as "unknown" is none of a candidate, and is left for the claims to judge.
    candidate = as_candidate(text[:CANDIDATE_CHARS]) if text else None
    if answer.candidate is not None or candidate is None:
        return variables, []
    strength = FILLED_STRENGTH if rules.creation.use_candidate_strength else None
    filled = replace(answer, candidate=candidate, candidate_strength=strength)
    event: Event = ("answer_filled", {"variable_id": answer.id, "candidate": candidate})
    return tuple(filled if v.id == filled.id else v for v in variables), [event]


def _read_claims(raw: object, rules: PatchRules) -> tuple[Claims, list[str]]:
    """R18, R19: the claims that can be read, and every fault among them."""
    items = unwrapped(raw)
    if not isinstance(items, list) or not 1 <= len(items) <= MAX_CLAIMS:
        return (), [f"an answer needs 1 to {MAX_CLAIMS} claims, each with the ids of its segments"]
    claims: list[tuple[str, tuple[str, ...]]] = []
    problems: list[str] = []
    for number, item in enumerate(items, start=1):
        text = item.get("text") if isinstance(item, Mapping) else None
        if not isinstance(text, str) or not norm(text) or len(text.strip()) > CLAIM_CHARS:
            problems.append(f"claim {number} needs a text of 1 to {CLAIM_CHARS} characters")
            continue
        ids = _ids(item.get("segment_ids"))
        if not 1 <= len(ids) <= MAX_CLAIM_IDS:
            problems.append(
                f"claim {number} needs 1 to {MAX_CLAIM_IDS} segment ids, has {len(ids)}"
            )
        if unseen := [short for short in ids if short not in rules.seen_segments]:
            problems.append(f"claim {number}: {told_unseen(unseen, rules)}")
        claims.append((text.strip(), ids))
    return tuple(claims), problems


def _ids(raw: object) -> tuple[str, ...]:
    value = unwrapped(raw)
    listed = value.split(",") if isinstance(value, str) else value
    if not isinstance(listed, list | tuple):
        return ()
    ids = (str(short).strip(" []") for short in listed)
    return tuple(dict.fromkeys(short for short in ids if short))


def _seen(ids: Sequence[str], rules: PatchRules) -> tuple[str, ...]:
    return tuple(short for short in ids if short in rules.seen_segments)[:MAX_CLAIM_IDS]


def _carries(claim: str, name: str) -> bool:
    """Whether the claim names it, or covers at least 60 % of its tokens."""
    said, wanted = norm(claim), norm(name)
    # "12" does not stand in "1912": digits at an edge must end there.
    before = r"(?<![0-9])" if wanted[:1].isdigit() else ""
    after = r"(?![0-9])" if wanted[-1:].isdigit() else ""
    if re.search(before + re.escape(wanted) + after, said):
        return True
    needed = tokens(name)
    return bool(needed) and len(needed & tokens(claim)) / len(needed) >= COVERS_ANSWER


_YES_NO = re.compile(
    "yes|no|true|false|是|否|不是|是的|对|不对|有|没有|ja|nein|oui|non|sí|si|não|sim|да|нет|はい|いいえ|예|네|아니요|아니오"
)
_DATE_WORD = re.compile(
    "jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?"
    "|nov(ember)?|dec(ember)?|spring|summer|autumn|fall|winter|early|mid|late|ca?|circa|about"
    "|bce?|ad|ce|of|the|st|nd|rd|th|century"
)
_NUMBER_WORD = re.compile(
    "zero|none|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(thir|four|fif|six"
    "|seven|eigh|nine)teen|(twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|[mb]illion"
    "|once|twice"
)
_CHINESE_NUMBER = r"[零〇一二两三四五六七八九十百千万亿第约]*"
_CHINESE_COUNT = re.compile(rf"^(?:{_CHINESE_NUMBER}[0-9]*(?:\.[0-9]+)?)+[年月日号岁世纪]?")


def is_derived(answer: str) -> bool:
    """Whether an answer may follow from a claim without standing in it: yes, number, date, count.

    A count may carry up to two words of unit in lower case (``300 copies``); a name that merely
    begins with a number (``7 Samurai``) is no count.
    """
    if _YES_NO.fullmatch(norm(answer).rstrip("。")):
        return True
    raw = unicodedata.normalize("NFKC", answer).strip(" .。!！")
    if _is_chinese_count(raw):
        return True
    words = re.findall(r"[^\W\d_]+|[0-9]+(?:[.,:][0-9]+)*", raw)
    numeric = [bool(_NUMBER_WORD.fullmatch(word.casefold())) or word[0].isdigit() for word in words]
    rest = [
        word
        for word, is_number in zip(words, numeric, strict=True)
        if not is_number and word != "and" and not _DATE_WORD.fullmatch(word.casefold())
    ]
    if not any(numeric):
        return False
    units_follow = words[len(words) - len(rest) :] == rest
    return not rest or (len(rest) <= 2 and units_follow and all(unit.islower() for unit in rest))


def _is_chinese_count(raw: str) -> bool:
    """A Chinese number or date with at most two characters of measure word behind it."""
    left = raw.replace(" ", "")
    read = False
    while (match := _CHINESE_COUNT.match(left)) and match.end():
        if not match[0].strip("年月日号岁世纪第约"):
            break
        left, read = left[match.end() :], True
    return read and len(left) <= 2 and all("\u4e00" <= character <= "\u9fff" for character in left)
