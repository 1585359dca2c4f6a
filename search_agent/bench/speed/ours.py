"""Our own legs for ``bench speed``, of the modules that the index is made of, without its texts.

Hybrid is what a search does between having terms and a vector and having ranked rows: both legs to
the configured depth, in two threads, fused. Bridges and equal texts need texts and are left out.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from corpora.manifest import write_atomically
from index.arrange import arrange_vectors
from index.config import IndexConfig
from index.dense import DenseIndex
from index.fuse_legs import fuse_legs
from index.hash_encoder import hash_card
from index.lexical import Bm25
from index.manifest import DenseSearch
from index.postings import Postings
from index.postings_writer import PostingsWriter
from index.ranking import Ranking
from index.vectors_by_key import VectorsByKey
from search_agent.bench.speed.corpus import Question, SpeedCorpus
from search_agent.bench.speed.leg import Leg, OpenLeg

_CONFIG = IndexConfig()
_SEARCH_FILE = "search.json"
_BLOCK = 16_384
_THREADS = 4
"""Dense legs that may be under way at once, as in a search."""


def build_ours(corpus: SpeedCorpus, folder: Path, leg: Leg) -> None:
    """Write one leg to ``folder``, as a build of an index does."""
    if leg == "sparse":
        writer = PostingsWriter(folder / "content")
        for terms in corpus.documents():
            writer.add(terms, length=len(terms))
        writer.finish()
        return
    vectors = corpus.vectors
    keys = np.zeros((len(vectors), 32), dtype=np.uint8)
    keys[:, :8] = np.arange(len(vectors), dtype="<u8").view(np.uint8).reshape(-1, 8)
    by_key = VectorsByKey(folder, keys, vectors.shape[1])
    for start in range(0, len(vectors), _BLOCK):
        by_key.take(keys[start : start + _BLOCK], vectors[start : start + _BLOCK])
    search = arrange_vectors(
        folder, queries=lambda: corpus.samples, config=_CONFIG, tell=lambda _: None
    )
    write_atomically(folder / _SEARCH_FILE, search.model_dump_json())


def open_ours(folder: Path, leg: Leg) -> OpenLeg:
    """A leg over the folders that ``build_ours`` has written."""
    match leg:
        case "sparse":
            return OpenLeg(_sparse(folder), _rows)
        case "dense":
            return OpenLeg(_dense(folder), _rows)
        case "hybrid":
            return OpenLeg(_hybrid(_sparse(folder), _dense(folder)), _rows)


_Search = Callable[[Question, int], Ranking]


def _sparse(folder: Path) -> _Search:
    bm25 = Bm25(Postings(folder / "sparse" / "content"), _CONFIG)
    return lambda question, k: bm25.best(question.terms, k=k, admitted=None)


def _dense(folder: Path) -> _Search:
    path = folder / "dense" / _SEARCH_FILE
    search = DenseSearch.model_validate_json(path.read_text("utf-8"))
    compared = None if search.index_type == "flat" else search.compared
    index = DenseIndex(folder / "dense", hash_card(), compared=compared)  # it encodes nothing here

    def ranking(question: Question, k: int) -> Ranking:
        assert question.vector is not None, "a dense leg is measured where there are vectors"
        return index.search_vector(question.vector, k=k)

    return ranking


def _hybrid(sparse: _Search, dense: _Search) -> _Search:
    threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="dense")

    def search(question: Question, k: int) -> Ranking:
        depth = max(k, _CONFIG.depth)
        coming = threads.submit(dense, question, depth)
        by_words = sparse(question, depth)
        return fuse_legs(by_words, coming.result(), _CONFIG)[:k]

    return search


def _rows(ranking: Ranking) -> list[int]:
    return [*map(int, ranking.rows)]
