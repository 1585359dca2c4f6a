"""``make bench-kills``: ingest and index are killed, and must end as if nothing had happened.

Runs of about 1,000 files with random kills, then one kill before every lasting step of a change to
a small corpus. After each kill an index must answer, that before the change or that after it. The
figures go to ``build/bench-kills.json``.
"""

import argparse
import json
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from index import open_index
from search_agent.bench.machine import current_commit, this_machine
from tests.bench.killed_run import run_killed

N_RUNS = 5
N_KILLS = 10


@dataclass(frozen=True, slots=True)
class Site:
    """A corpus folder, and builds of it side by side."""

    folder: Path
    workers: int = 0
    """Processes that read files; steps are counted in the one that writes."""

    @property
    def corpus(self) -> Path:
        """The folder of documents."""
        return self.folder / "corpus"

    def write(self, n: int, *, version: int) -> None:
        """``n`` files, some of which differ from version to version."""
        self.corpus.mkdir(exist_ok=True)
        for number in range(n):
            words = f"version {version}" if number % 3 == 0 else "no version"
            text = f"# Pump {number}\n\nPump {number} has {words} of the seal. It is green.\n" * 3
            (self.corpus / f"pump-{number}.md").write_text(text, encoding="utf-8")

    def commands(self, build: str) -> Iterator[list[str]]:
        """Ingest, then index, both with the encoder for tests."""
        shared = ["--quiet", "--build-folder", str(self.folder / build)]
        reading = ["--encoder", "hash", "--workers", str(self.workers)]
        yield ["ingest", str(self.corpus), *reading, *shared]
        yield ["index", "build", "--corpus", "corpus", *shared]

    def finish(self, build: str) -> str:
        """Both commands to their end; the index's fingerprint."""
        for words in self.commands(build):
            run_killed(words, step=0)
        return self.fingerprint(build)

    def fingerprint(self, build: str) -> str:
        """Of the index that answers."""
        searcher = open_index(self.folder / build / "corpus")
        try:
            return searcher.fingerprint
        finally:
            searcher.close()

    def answers(self, build: str) -> bool:
        """Whether the index finds a pump, be it that before the change or that after it."""
        searcher = open_index(self.folder / build / "corpus", admit_stale=True)
        try:
            [hits] = searcher.search(["green pump 1"], k=3)
        finally:
            searcher.close()
        return bool(hits)


def kill_at_every_step(site: Site, *, n_files: int, every: int = 1) -> dict[str, int]:
    """A change to an indexed corpus, killed before each ``every``-th of its lasting steps.

    Raises:
        AssertionError: a run after a kill ends otherwise than an undisturbed one, or none answers.
    """
    site.write(n_files, version=1)
    site.finish("before")
    site.write(n_files, version=2)
    shutil.copytree(site.folder / "before", site.folder / "whole")
    wanted = site.finish("whole")
    n_steps = n_kills = 0
    for stage in range(2):
        step = 1
        while True:
            shutil.rmtree(site.folder / "killed", ignore_errors=True)
            shutil.copytree(site.folder / "before", site.folder / "killed")
            commands = list(site.commands("killed"))
            for words in commands[:stage]:
                run_killed(words, step=0)
            if run_killed(commands[stage], step=step) != -1:
                break
            n_kills += 1
            assert site.answers("killed"), f"no answer after {commands[stage][:2]}, step {step}"
            found = site.finish("killed")
            assert found == wanted, f"step {step} of {commands[stage][:2]}: {found} != {wanted}"
            step += every
        n_steps += step - 1
    return {"steps": n_steps, "kills": n_kills}


def kill_at_random(site: Site, *, n_files: int, n_kills: int, seed: int) -> dict[str, int]:
    """A change to an indexed corpus, killed at random times until the kills are used up.

    Raises:
        AssertionError: the last run ends otherwise than an undisturbed one, or none answers.
    """
    site.write(n_files, version=1)
    site.finish("killed")
    site.write(n_files, version=2)
    shutil.copytree(site.folder / "killed", site.folder / "whole")
    started = time.monotonic()
    wanted = site.finish("whole")
    longest = time.monotonic() - started
    draws = random.Random(seed)
    n_struck = 0
    for _ in range(n_kills):
        for words in site.commands("killed"):
            if run_killed(words, step=0, kill_after_s=draws.uniform(0, longest / 2)) == -1:
                n_struck += 1
                assert site.answers("killed"), f"no answer after kill {n_struck}, seed {seed}"
                break
        else:
            site.write(n_files, version=3 + n_struck)
            site.finish("whole")
    found = site.finish("killed")
    wanted = site.finish("whole")
    assert found == wanted, f"seed {seed}: {found} != {wanted}"
    return {"kills": n_struck}


def main(words: list[str] | None = None) -> int:
    """0; a difference ends it with an AssertionError."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=1_000)
    parser.add_argument("--runs", type=int, default=N_RUNS)
    parser.add_argument("--kills", type=int, default=N_KILLS, help="in each run")
    parser.add_argument("--every", type=int, default=1, help="of the lasting steps")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("build/bench-kills.json"))
    given = parser.parse_args(words)
    runs = []
    for number in range(given.runs):
        with tempfile.TemporaryDirectory() as folder:
            site = Site(Path(folder), workers=2)
            seed = given.seed + number
            runs.append(kill_at_random(site, n_files=given.files, n_kills=given.kills, seed=seed))
        print(f"run {number + 1}/{given.runs} (seed {seed}): {runs[-1]}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        steps = kill_at_every_step(Site(Path(folder)), n_files=12, every=given.every)
    print(f"every step: {steps}", flush=True)
    figures = {
        "files": given.files,
        "seed": given.seed,
        "random": runs,
        "every_step": steps,
        "commit": current_commit(Path()),
        "machine": this_machine().model_dump(),
    }
    given.out.parent.mkdir(parents=True, exist_ok=True)
    given.out.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
