"""Merged postings against postings written anew: the same files, byte for byte."""

import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from index.merge_postings import Source, merge_postings
from index.postings import Postings
from index.postings_writer import PostingsWriter

Corpus = list[list[str]]
WORDS = ["a", "ab", "b", "c", "d", "水库", "é"]
CORPORA = st.lists(st.lists(st.sampled_from(WORDS), max_size=6), max_size=8)


def write(folder: Path, corpus: Sequence[Sequence[str]]) -> Postings:
    writer = PostingsWriter(folder)
    for terms in corpus:
        writer.add(terms, length=len(terms))
    writer.finish()
    return Postings(folder)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@given(CORPORA, CORPORA, st.randoms(use_true_random=False), st.integers(1, 9))
@settings(max_examples=80, deadline=None)
def test_any_choice_and_order_of_rows_gives_the_files_of_a_rebuild(
    old: Corpus, added: Corpus, chance: random.Random, block_postings: int
) -> None:
    kept = [row for row in range(len(old)) if chance.random() < 0.7]
    order = [(0, row) for row in kept] + [(1, row) for row in range(len(added))]
    chance.shuffle(order)
    corpora = (old, added)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        new_rows = [np.full(len(corpus), -1, dtype=np.int64) for corpus in corpora]
        for new, (source, row) in enumerate(order):
            new_rows[source][row] = new
        sources = [
            Source(postings=write(folder / str(i), corpus), new_rows=new_rows[i])
            for i, corpus in enumerate(corpora)
        ]
        merge_postings(
            folder / "merged", sources, n_documents=len(order), block_postings=block_postings
        )
        write(folder / "rebuilt", [corpora[source][row] for source, row in order])
        assert files(folder / "merged") == files(folder / "rebuilt")


def test_a_thousand_additions_and_deletions_leave_no_trace(tmp_path: Path) -> None:
    chance = random.Random(7)
    names = iter(range(10**6))

    def document() -> tuple[int, list[str]]:
        words = [f"w{int(60 * chance.random() ** 3)}" for _ in range(chance.randrange(9))]
        return next(names), [*words, f"rare{chance.randrange(3000)}"]

    corpus = [document() for _ in range(300)]
    folder = tmp_path / "0"
    write(folder, [terms for _, terms in corpus])
    changes = 0
    while changes < 1000:
        dropped = set(chance.sample([name for name, _ in corpus], 25))
        added = [document() for _ in range(25)]
        changes += 50
        after = [entry for entry in corpus if entry[0] not in dropped]
        for entry in added:
            after.insert(chance.randrange(len(after) + 1), entry)
        place = {name: row for row, (name, _) in enumerate(after)}
        write(tmp_path / f"added{changes}", [terms for _, terms in added])
        sources = [
            Source(
                postings=Postings(folder),
                new_rows=np.array([place.get(name, -1) for name, _ in corpus]),
            ),
            Source(
                postings=Postings(tmp_path / f"added{changes}"),
                new_rows=np.array([place[name] for name, _ in added]),
            ),
        ]
        folder = tmp_path / str(changes)
        merge_postings(folder, sources, n_documents=len(after))
        corpus = after
    write(tmp_path / "rebuilt", [terms for _, terms in corpus])
    assert files(folder) == files(tmp_path / "rebuilt")
