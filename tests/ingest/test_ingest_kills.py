"""A small share of ``make bench-kills``: killed at some times and steps, then run to the end."""

import json
from pathlib import Path

import pytest

from tests.bench.kills import main


@pytest.mark.slow
def test_a_change_that_is_killed_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    out = tmp_path / "figures.json"
    small = ["--files", "20", "--runs", "1", "--kills", "2", "--every", "15"]
    assert main([*small, "--out", str(out)]) == 0
    figures = json.loads(out.read_text())
    assert figures["every_step"]["kills"] >= 2
    assert len(figures["random"]) == 1
