"""A small share of ``make bench-kills``: killed at a lasting step, then run again to the end."""

from pathlib import Path

import pytest

from tests.bench.kills import Site, kill_at_every_step


@pytest.mark.slow
def test_a_change_that_is_killed_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    kills = kill_at_every_step(Site(tmp_path), n_files=3, every=5)
    assert kills["kills"] >= 2
