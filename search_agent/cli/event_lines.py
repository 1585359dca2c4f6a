"""Events of a search → lines a person can follow; events of no interest give no line."""

import json
from collections.abc import Callable, Mapping
from typing import Any

Event = Mapping[str, Any]


def event_line(kind: str, data: Event) -> str | None:
    """The line for an event, or None."""
    describe = LINES.get(kind)
    return None if describe is None else describe(data)


def _started(data: Event) -> str:
    corpus = data["index"]["corpus"]
    return f"searching {corpus!r} ({data['strategy']}, model {data['model']['name']})"


def _call(data: Event) -> str:
    tokens = f"{data['prompt_tokens']} + {data['completion']} tokens"
    return f"  {data['role']}: {_reply_kind(data)} ({tokens}, {data['t_s']:.0f} s)"


def _reply_kind(data: Event) -> str:
    if "labels" in data:
        return "judged"
    if data.get("finish") in {"deadline", "cancelled"}:
        return f"cut off ({data['finish']})"
    if data.get("problem"):
        return f"unreadable reply: {data['problem']}"
    try:
        content = json.loads(data["text"])
    except json.JSONDecodeError:
        return "text"
    kinds = [key for key in content if key != "thought"] if isinstance(content, dict) else []
    return ", ".join(kinds) or "text"


def _hits(data: Event) -> str:
    counts = [
        f"{query!r}: {sum(number in hit['queries'] for hit in data['hits'])}"
        for number, query in enumerate(data["queries"], start=1)
    ]
    return f"  found {'; '.join(counts)}"


def _proposals(data: Event) -> str:
    return (
        "\n".join(f"  to do: {action['direction']}" for action in data["actions"])
        or "  no directions"
    )


def _action_finished(data: Event) -> str:
    summary = data.get("summary") or data.get("error") or data["outcome"]
    return f"  done {data['id']}: {summary}"


def _rejected(data: Event) -> str:
    return f"  reply rejected: {'; '.join(map(str, data['problems']))}"


LINES: dict[str, Callable[[Event], str]] = {
    "search_started": _started,
    "model_call": _call,
    "proposals_created": _proposals,
    "action_started": lambda data: f"action {data['id']}: {data['direction']}",
    "tool_result": _hits,
    "reply_rejected": _rejected,
    "action_finished": _action_finished,
    "answer_collected": lambda data: f"answer: {data['answer']}",
    "answer_unsupported": lambda data: (
        f"answer {data['answer']!r} kept as a candidate: {data['why']}"
    ),
    "depletion_retry": lambda data: f"nothing left to do, asking for new directions ({data['n']})",
    "forced_wrap_up": lambda _: "  context is full: wrapping up",
    "stop_requested": lambda _: "stop requested",
    "internal_error": lambda data: (
        f"action {data['id']} broke: {str(data['error']).splitlines()[-1]}"
    ),
    "search_finished": lambda data: f"finished: {data['status']} ({data['termination']})",
}
