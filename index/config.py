"""IndexConfig: every choice that changes what a search returns."""

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from index.fuse import FusionMethod
from index.scoring import Variant


class BridgeWeights(BaseModel):
    """How much of the leading score each kind of link passes on (``bridges.py``).

    Chosen on hotpotqa-200, musique-200 and scifact together, each to one digit; the figures are in
    tests/bench/LOG.md.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: float = Field(default=0.4, ge=0, le=1)
    """From the question to what bears a name in it."""
    title: float = Field(default=0.7, ge=0, le=1)
    """From a hit to what bears a name in it."""
    shared: float = Field(default=0.4, ge=0, le=1)
    """From a hit to other documents that mention a rare name in it."""
    sources: int = Field(default=5, ge=0)
    """How many of the best hits are followed."""


class IndexConfig(BaseModel):
    """Settings of one index; part of its fingerprint, written into its manifest."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    backend: Literal["postings", "rank_bm25"] = "postings"
    """``rank_bm25`` scores with that library: the reference, linear in the number of chunks."""
    variant: Variant = "lucene"
    """BM25 formula. ``lucene`` because its idf is positive for every document frequency; the
    variants differ by at most 0.015 nDCG on the collections of the benchmark."""
    k1: float = Field(default=1.5, ge=0)
    """Saturation of term frequency. 1.5 / 0.75 beats Lucene's 0.9 / 0.4 on six of the eight
    collections (scifact .687 against .677, cisi .384 against .363) and loses by .008 on musique."""
    b: float = Field(default=0.75, ge=0, le=1)
    """Length normalisation, 0 for none."""
    delta: float = Field(default=0.5, ge=0)
    """Lower bound on a matching term's weight (``bm25plus``, ``bm25l``; papers use 1.0 and 0.5)."""
    epsilon: float = 0.25
    """``okapi``: a negative idf becomes this share of the average idf."""
    fusion: FusionMethod = "min_max"
    """How the legs' rankings become one."""
    weight_dense: float = Field(default=0.5, ge=0, le=1)
    """Share of the dense leg; the lexical leg has the rest."""
    foreign: float = Field(default=0.6, ge=0, le=1)
    """What a chunk in another language than the query's can reach by meaning alone. More finds more
    of them and drowns those in the query's own language (tests/bench/LOG.md). Where most answers
    stand in another language, 0.95."""
    rrf_k: int = Field(default=60, ge=1)
    """Constant of reciprocal rank fusion."""
    bridges: BridgeWeights = BridgeWeights()
    """Links by name in mode ``hybrid``."""
    depth: int = Field(default=1000, ge=1)
    """Hits fetched from each leg, and kept of the fused ranking: pages end there. The last of them
    is the zero of min-max, so a shallow ranking makes much of small differences. 1000 is what
    published fusions take; from 200 on little changes (tests/bench/LOG.md)."""
    exact_up_to: int = Field(default=200_000, ge=0)
    """Chunks up to which every dense search is exact: some 30 ms a query on one thread, no recall
    to measure. This and the two below act when the index is built."""
    recall_at_10: float = Field(default=0.98, gt=0, le=1)
    """Share of the exact 10 best that a search in clusters must find on the build's own sample,
    which is harder than the public collections' queries: those then find .99."""
    recall_at_100: float = Field(default=0.95, gt=0, le=1)
    """The same of the exact 100 best."""

    @model_validator(mode="after")
    def _reference_is_okapi(self) -> Self:
        if self.backend == "rank_bm25" and self.variant != "okapi":
            message = f"backend 'rank_bm25' scores with variant 'okapi' only, not {self.variant!r}"
            raise ValueError(message)
        return self
