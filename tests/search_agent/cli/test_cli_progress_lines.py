"""Events and counts as lines: which are shown, and how."""

import io
from collections.abc import Mapping
from typing import Any

import pytest

from search_agent.cli.event_lines import event_line
from search_agent.cli.printable import printable
from search_agent.cli.progress import PlainProgress


@pytest.mark.parametrize(
    ("kind", "data", "line"),
    [
        (
            "search_started",
            {"index": {"corpus": "toy"}, "strategy": "react", "model": {"name": "m"}},
            "searching 'toy' (react, model m)",
        ),
        (
            "action_started",
            {"id": "0_00", "direction": "find the press"},
            "action 0_00: find the press",
        ),
        (
            "tool_result",
            {"queries": ["a", "b"], "hits": [{"queries": [1]}, {"queries": [1, 2]}]},
            "  found 'a': 2; 'b': 1",
        ),
        (
            "model_call",
            {
                "role": "run",
                "text": '{"thought":"","tool_calls":[]}',
                "problem": None,
                "prompt_tokens": 900,
                "completion": 40,
                "t_s": 12.4,
            },
            "  run: tool_calls (900 + 40 tokens, 12 s)",
        ),
        (
            "model_call",
            {
                "role": "judge",
                "labels": {"yes": 1.0},
                "prompt_tokens": 90,
                "completion": 0,
                "t_s": 3.0,
            },
            "  judge: judged (90 + 0 tokens, 3 s)",
        ),
        (
            "model_call",
            {
                "role": "run",
                "text": '{"thought":"half a',
                "finish": "deadline",
                "prompt_tokens": 900,
                "completion": 5,
                "t_s": 60.2,
            },
            "  run: cut off (deadline) (900 + 5 tokens, 60 s)",
        ),
        (
            "reply_rejected",
            {"problems": ["no such id", "too long"]},
            "  reply rejected: no such id; too long",
        ),
        (
            "action_finished",
            {"id": "0_00", "outcome": "empty_patch", "summary": "", "error": ""},
            "  done 0_00: empty_patch",
        ),
        (
            "proposals_created",
            {"actions": [{"direction": "a"}, {"direction": "b"}]},
            "  to do: a\n  to do: b",
        ),
        (
            "search_finished",
            {"status": "guess", "termination": "timeout_guess"},
            "finished: guess (timeout_guess)",
        ),
        ("evidence_registered", {}, None),
        ("an_event_of_a_later_version", {}, None),
    ],
)
def test_an_event_is_told_in_one_way(kind: str, data: Mapping[str, Any], line: str | None) -> None:
    assert event_line(kind, data) == line


def test_counts_are_told_at_most_every_five_seconds_and_at_the_end() -> None:
    stream = io.StringIO()
    times = iter([0.0, 1.0, 5.0, 6.0, 7.0])
    progress = PlainProgress(stream, clock=lambda: next(times))
    progress.count("files", 1, 100)  # at 0 s: the first
    progress.count("files", 2, 100)  # at 1 s: too soon
    progress.count("files", 50, 100, "half")  # at 5 s
    progress.count("files", 100, 100)  # at 6 s: the last is always told
    progress.count("files", 100, 100)  # at 7 s: once
    assert stream.getvalue() == "files 1/100\nfiles 50/100 half\nfiles 100/100\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("a\x1b[31mred", "a\ufffd[31mred"),
        ("bell\x07", "bell\ufffd"),
        ("c1\x9b", "c1\ufffd"),
        ("北京 👩‍🚒", "北京 👩‍🚒"),
    ],
)
def test_corpus_text_cannot_drive_the_terminal(text: str, shown: str) -> None:
    assert printable(text) == shown
