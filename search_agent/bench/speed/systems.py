"""The systems that ``bench speed`` measures: how each builds from given terms, opens, and answers.

Every system is set up for BM25 with k1 1.5 and b 0.75, builds and answers with one thread, and gets
the documents in the form that costs it least: numbers for bm25s, terms for the others.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

import numpy as np

from search_agent.bench.speed.corpus import Question, SpeedCorpus
from search_agent.bench.speed.leg import LEGS, Leg, OpenLeg
from search_agent.bench.speed.ours import build_ours, open_ours

_K1, _B = 1.5, 0.75
_TANTIVY_HEAP_BYTES = 200_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """One system."""

    legs: tuple[Leg, ...]
    """What it can search with."""
    builds: tuple[Leg, ...]
    """What is built apart, in a folder each."""
    build: Callable[[SpeedCorpus, Path, Leg], None]
    open: Callable[[Path, Leg], OpenLeg]
    """A leg over the system's folder, which holds a folder for each leg built."""
    package: str
    """The distribution it comes from."""
    modules: tuple[str, ...]
    """What it imports; that is part of neither building nor opening."""
    build_bytes_per_chunk: int
    """Private memory of a build, measured at 100,000 chunks (rank-bm25: 10,000), rounded up."""
    most_chunks: int | None = None
    """Above, it is not measured: a query takes seconds."""

    def load(self) -> None:
        """Import the system's libraries."""
        for name in self.modules:
            import_module(name)

    def is_installed(self) -> bool:
        """Whether the libraries are there."""
        return all(find_spec(name) is not None for name in self.modules)


def _build_bm25s(corpus: SpeedCorpus, folder: Path, _leg: Leg) -> None:
    import bm25s

    present, numbers = np.unique(corpus.tokens, return_inverse=True)
    documents = [part.tolist() for part in np.split(numbers.astype(np.int32), corpus.offsets[1:-1])]
    names = {corpus.name(number): place for place, number in enumerate(present.tolist())}
    retriever = bm25s.BM25(method="lucene", k1=_K1, b=_B)
    retriever.index((documents, names), show_progress=False)
    retriever.save(str(folder))


def _open_bm25s(folder: Path, backend: str) -> OpenLeg:
    import bm25s

    retriever = bm25s.BM25.load(str(folder / "sparse"), show_progress=False)
    retriever.backend = backend
    if backend == "numba":
        retriever.activate_numba_scorer()
    n_documents = int(retriever.scores["num_docs"])

    def search(question: Question, k: int) -> Any:
        return retriever.retrieve([[*question.terms]], k=min(k, n_documents), show_progress=False)

    def rows(found: Any) -> list[int]:
        return [
            int(row)
            for row, score in zip(found.documents[0], found.scores[0], strict=True)
            if score > 0
        ]

    return OpenLeg(search, rows)


def _build_tantivy(corpus: SpeedCorpus, folder: Path, _leg: Leg) -> None:
    import tantivy

    schema = tantivy.SchemaBuilder()
    schema.add_text_field("body", stored=False, tokenizer_name="whitespace", index_option="freq")
    schema.add_unsigned_field("row", stored=False, fast=True)
    index = tantivy.Index(schema.build(), path=str(folder))
    writer = index.writer(heap_size=_TANTIVY_HEAP_BYTES, num_threads=1)
    for row, terms in enumerate(corpus.documents()):
        document = tantivy.Document(body=" ".join(terms))
        document.add_unsigned("row", row)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()


def _open_tantivy(folder: Path, _leg: Leg) -> OpenLeg:
    import tantivy

    index = tantivy.Index.open(str(folder / "sparse"))
    schema, searcher = index.schema, index.searcher()

    def search(question: Question, k: int) -> Any:
        clauses = [
            (tantivy.Occur.Should, tantivy.Query.term_query(schema, "body", term, "freq"))
            for term in question.terms
        ]
        return searcher.search(tantivy.Query.boolean_query(clauses), k, count=False)

    def rows(found: Any) -> list[int]:
        return cast("list[int]", searcher.fast_field_values("row", [at for _, at in found.hits]))

    return OpenLeg(search, rows)


def _build_rank_bm25(corpus: SpeedCorpus, folder: Path, _leg: Leg) -> None:
    from rank_bm25 import BM25Okapi

    documents = list(corpus.documents())
    BM25Okapi(documents, k1=_K1, b=_B)
    # It has no form on disk: what is kept are the terms, and opening is building again.
    (folder / "documents.json").write_text(json.dumps(documents), encoding="utf-8")


def _open_rank_bm25(folder: Path, _leg: Leg) -> OpenLeg:
    from rank_bm25 import BM25Okapi

    documents = json.loads((folder / "sparse" / "documents.json").read_text(encoding="utf-8"))
    okapi = BM25Okapi(documents, k1=_K1, b=_B)

    def search(question: Question, k: int) -> Any:
        scores = okapi.get_scores(list(question.terms))
        best = np.argpartition(-scores, min(k, len(scores)) - 1)[:k]
        return best[np.argsort(-scores[best], kind="stable")]

    return OpenLeg(search, lambda best: [int(row) for row in best])


def _build_faiss(corpus: SpeedCorpus, folder: Path, _leg: Leg) -> None:
    import faiss

    index = faiss.IndexFlatIP(corpus.vectors.shape[1])
    index.add(corpus.vectors)
    faiss.write_index(index, str(folder / "flat.faiss"))


def _open_faiss(folder: Path, _leg: Leg) -> OpenLeg:
    import faiss

    index = faiss.read_index(str(folder / "dense" / "flat.faiss"))

    def search(question: Question, k: int) -> Any:
        return index.search(question.vector[None], k)  # type: ignore[index] # has vectors

    return OpenLeg(search, lambda found: [int(row) for row in found[1][0] if row >= 0])


def _bm25s(backend: str) -> System:
    return System(
        legs=("sparse",),
        builds=("sparse",),
        build=_build_bm25s,
        open=lambda folder, _leg: _open_bm25s(folder, backend),
        package="bm25s",
        modules=("bm25s", "numba"),
        build_bytes_per_chunk=8_000,
    )


SYSTEMS: dict[str, System] = {
    "ours": System(
        legs=LEGS,
        builds=("sparse", "dense"),
        build=build_ours,
        open=open_ours,
        package="deepsearch",
        modules=("faiss", "numba", "index.hybrid"),
        build_bytes_per_chunk=2_500,
    ),
    "bm25s": _bm25s("numpy"),
    "bm25s-numba": _bm25s("numba"),
    "tantivy": System(
        legs=("sparse",),
        builds=("sparse",),
        build=_build_tantivy,
        open=_open_tantivy,
        package="tantivy",
        modules=("tantivy",),
        build_bytes_per_chunk=1_000,
    ),
    "rank-bm25": System(
        legs=("sparse",),
        builds=("sparse",),
        build=_build_rank_bm25,
        open=_open_rank_bm25,
        package="rank-bm25",
        modules=("rank_bm25",),
        build_bytes_per_chunk=5_000,
        most_chunks=10_000,
    ),
    "faiss-flat": System(
        legs=("dense",),
        builds=("dense",),
        build=_build_faiss,
        open=_open_faiss,
        package="faiss-cpu",
        modules=("faiss",),
        build_bytes_per_chunk=2_000,
    ),
}
DEFAULT_SYSTEMS = tuple(name for name in SYSTEMS if name != "bm25s-numba")
