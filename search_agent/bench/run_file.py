"""Run files: rankings as TREC files, which every evaluation tool reads.

    query_id Q0 doc_id rank score tag

Tools sort by score alone, in single precision, and each breaks ties its own way. So each score is
written as a float32 that is below the one before it, by the least step if need be: what a tool
computes from the file is what was measured here.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from corpora.errors import MalformedRecord
from corpora.manifest import write_atomically
from search_agent.bench.rank_topics import Ranking, TopicRankings


def write_run(path: Path, rankings: TopicRankings, *, tag: str) -> None:
    """Write the rankings in the order given; the same rankings give the same bytes.

    Raises:
        MalformedRecord: an id has a blank in it, which the format cannot hold.
    """
    lines: list[str] = []
    for query_id, ranking in rankings.items():
        for rank, (scored, score) in enumerate(
            zip(ranking, falling_scores(ranking), strict=True), start=1
        ):
            for name in (query_id, scored.doc_id):
                if len(name.split()) != 1:
                    message = f"id {name!r} is not one word, which a TREC run file needs"
                    raise MalformedRecord(message)
            lines.append(f"{query_id} Q0 {scored.doc_id} {rank} {score!s} {tag}\n")
    write_atomically(path, "".join(lines))


def falling_scores(ranking: Ranking) -> Iterator[np.float32]:
    """The scores in single precision, each below the one before."""
    before = np.float32(np.inf)
    for scored in ranking:
        before = min(np.float32(scored.score), np.nextafter(before, np.float32(-np.inf)))
        yield before
