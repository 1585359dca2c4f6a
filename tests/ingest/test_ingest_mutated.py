"""A small share of ``make bench-robust``: damaged files end in a state and break no address."""

import json
from pathlib import Path

import pytest

from tests.bench.mutated_files import MUTATIONS, mutants, samples
from tests.bench.robust import main

N = 60


@pytest.mark.slow
def test_damaged_files_break_neither_the_run_nor_an_address(tmp_path: Path) -> None:
    out = tmp_path / "figures.json"
    assert main(["--n", str(N), "--seed", "1", "--out", str(out)]) == 0
    figures = json.loads(out.read_text())
    assert (figures["n"], figures["violations"]) == (N, [])
    assert sum(figures["states"].values()) >= N + 1  # the control file, and members of containers


def test_mutants_are_drawn_alike_for_equal_seeds_and_take_every_format_in_turn() -> None:
    drawn = list(mutants(200, seed=3))
    assert drawn == list(mutants(200, seed=3))
    assert {Path(mutant.path).suffix for mutant in drawn} == {s.suffix for s in samples()}
    assert {mutant.path.split(" ", 1)[1].rpartition(".")[0] for mutant in drawn} == set(MUTATIONS)
