"""Mutants: well-made files of every format, damaged at random places."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bench.written_samples import written_samples
from tests.ingest.nasty_folder import nasty_files

DEMO = Path(__file__).resolve().parents[2] / "corpora" / "demo"
_MOST_BYTES = 2 * 2**20
"""Of a sample: a mutant is to be read within seconds."""

_DATED = ("08 ", "19 ", "20 ")
"""Cases written by libraries that put the time of writing in: scans, sheets, decks."""

Mutation = Callable[[bytes, bytes, random.Random], bytes]


@dataclass(frozen=True, slots=True)
class Sample:
    """A file that can be read as it is."""

    suffix: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Mutant:
    """A damaged sample under the name of its format."""

    path: str
    content: bytes


def samples() -> list[Sample]:
    """Files of the demo corpus, nasty files that end well, without the bombs, and written ones."""
    found = [
        Sample(path.suffix, path.read_bytes())
        for path in sorted(DEMO.rglob("*"))
        if path.is_file() and path.name not in {"corpus.toml", "topics.jsonl"}
    ]
    found += [
        Sample(Path(nasty.path).suffix, nasty.content)
        for nasty in nasty_files()
        if isinstance(nasty.content, bytes)
        and nasty.ends in {"ok", "partial"}
        and not nasty.path.startswith(_DATED)
    ]
    found += [Sample(suffix, content) for suffix, content in written_samples().items()]
    return [sample for sample in found if 0 < len(sample.content) <= _MOST_BYTES]


def mutants(n: int, *, seed: int) -> Iterator[Mutant]:
    """``n`` mutants, every format in turn; equal seeds give equal bytes."""
    draws = random.Random(seed)
    by_suffix: dict[str, list[Sample]] = {}
    for sample in samples():
        by_suffix.setdefault(sample.suffix, []).append(sample)
    suffixes = sorted(by_suffix)
    for number in range(n):
        suffix = suffixes[number % len(suffixes)]
        name = draws.choice(sorted(MUTATIONS))
        sample = draws.choice(by_suffix[suffix])
        other = draws.choice(by_suffix[draws.choice([suffix, *suffixes])])
        content = MUTATIONS[name](sample.content, other.content, draws)
        yield Mutant(f"{number:05d} {name}{suffix}", content)


def _flipped(content: bytes, _: bytes, draws: random.Random) -> bytes:
    """Up to 32 bytes replaced."""
    changed = bytearray(content)
    for _n in range(draws.randint(1, 32)):
        changed[draws.randrange(len(changed))] = draws.randrange(256)
    return bytes(changed)


def _truncated(content: bytes, _: bytes, draws: random.Random) -> bytes:
    return content[: draws.randrange(len(content))]


def _spliced(content: bytes, other: bytes, draws: random.Random) -> bytes:
    """The head of one and the tail of another."""
    return content[: draws.randrange(len(content))] + other[draws.randrange(len(other)) :]


def _repeated(content: bytes, _: bytes, draws: random.Random) -> bytes:
    """A stretch of it again and again."""
    start, end = _stretch(content, draws)
    return content[:end] + content[start:end] * draws.randint(1, 20) + content[end:]


def _blanked(content: bytes, _: bytes, draws: random.Random) -> bytes:
    """A stretch of it zeroed, as after a crash of the file system."""
    start, end = _stretch(content, draws)
    return content[:start] + bytes(end - start) + content[end:]


def _cut_out(content: bytes, _: bytes, draws: random.Random) -> bytes:
    start, end = _stretch(content, draws)
    return content[:start] + content[end:]


def _stretch(content: Sequence[int], draws: random.Random) -> tuple[int, int]:
    start = draws.randrange(len(content))
    return start, min(len(content), start + draws.randint(1, 4096))


MUTATIONS: dict[str, Mutation] = {
    "flipped": _flipped,
    "truncated": _truncated,
    "spliced": _spliced,
    "repeated": _repeated,
    "blanked": _blanked,
    "cut out": _cut_out,
}
