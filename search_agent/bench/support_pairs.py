"""SupportPair: a claim beside sentences that support it or do not, drawn from SciFact by ids only.

Per evidence set one pair with its sentences, and one with a random sentence of the same abstract
that is in no evidence set of the claim. The checked-in files hold ids; the texts stay in the data
folder. Made by ``python -m search_agent.bench.support_pairs DATA OUT``.
"""

import random
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from corpora.errors import CorpusNotFound, MalformedRecord
from corpora.first_fault import first_fault
from corpora.manifest import write_atomically
from search_agent.bench.scifact import (
    Abstract,
    ScifactClaim,
    Split,
    read_abstracts,
    read_claims,
)
from search_agent.evidence.records import in_context

Kind = Literal["evidence", "random", "contradicting"]

SEED = 0
N_TRAIN = 200


class SupportPair(BaseModel):
    """One line of a pairs file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    claim_id: str
    doc_id: str
    sentences: tuple[int, ...] = Field(min_length=1)
    label: Literal["supported", "unsupported"]
    kind: Kind

    @property
    def pair_id(self) -> str:
        """Unique within a file."""
        return f"{self.claim_id}:{self.doc_id}:{'+'.join(map(str, self.sentences))}"

    @property
    def is_supported(self) -> bool:
        """Whether the sentences support the claim."""
        return self.label == "supported"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedPair:
    """A pair with its words."""

    pair: SupportPair
    claim: str
    quotes: tuple[str, ...]
    title: str
    before: str
    """The sentence before the first quote; empty where that opens the abstract."""

    @property
    def in_context(self) -> tuple[str, ...]:
        """The quotes as the product shows them to its judge, the first under the title, but without
        the sentence before: that may be evidence, where the pair's own sentence is none.
        """
        first, *rest = self.quotes
        return (in_context((self.title,), "", first), *rest)


def draw_pairs(
    claims: Iterable[ScifactClaim], abstracts: Mapping[str, Abstract], *, split: Split, seed: int
) -> list[SupportPair]:
    """The pairs of a split in the order of its claims; each pair of one claim is another one.

    Random sentences are drawn without replacement, so an abstract without enough free sentences
    gives fewer of them.
    """
    return [
        pair
        for claim in claims
        if claim.split == split
        for pair in _pairs_of(claim, abstracts, seed=seed)
    ]


def take_claims(pairs: Sequence[SupportPair], *, n: int, seed: int) -> list[SupportPair]:
    """At most ``n`` pairs, of randomly drawn claims with all their pairs each; in file order."""
    groups = [list(group) for _, group in groupby(pairs, key=lambda pair: pair.claim_id)]
    order = list(range(len(groups)))
    random.Random(seed).shuffle(order)
    taken: list[int] = []
    room = n
    for place in order:
        if len(groups[place]) <= room:
            taken.append(place)
            room -= len(groups[place])
    return [pair for place in sorted(taken) for pair in groups[place]]


def write_pairs(pairs: Iterable[SupportPair], path: Path) -> None:
    """One JSON object a line."""
    write_atomically(path, "".join(f"{pair.model_dump_json()}\n" for pair in pairs))


def read_pairs(path: Path) -> list[SupportPair]:
    """The pairs of a file.

    Raises:
        CorpusNotFound: there is no such file.
        MalformedRecord: a line is no pair, or a pair stands twice.
    """
    if not path.is_file():
        message = (
            f"no pairs file {str(path)!r};"
            " `python -m search_agent.bench.support_pairs DATA OUT` writes one"
        )
        raise CorpusNotFound(message)
    pairs: dict[str, SupportPair] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            pair = SupportPair.model_validate_json(line)
        except ValidationError as error:
            message = f"{path.name} line {number}: {first_fault(error)}"
            raise MalformedRecord(message) from error
        if pair.pair_id in pairs:
            message = f"{path.name} line {number}: pair {pair.pair_id!r} stands there already"
            raise MalformedRecord(message)
        pairs[pair.pair_id] = pair
    return list(pairs.values())


def resolve_pairs(
    pairs: Iterable[SupportPair],
    claims: Mapping[str, ScifactClaim],
    abstracts: Mapping[str, Abstract],
) -> list[ResolvedPair]:
    """The pairs with their words.

    Raises:
        MalformedRecord: the data are not those the pairs were drawn from.
    """
    return [_resolve(pair, claims, abstracts) for pair in pairs]


def _pairs_of(
    claim: ScifactClaim, abstracts: Mapping[str, Abstract], *, seed: int
) -> Iterator[SupportPair]:
    for doc_id in dict.fromkeys(evidence.doc_id for evidence in claim.evidence):
        sets = [evidence for evidence in claim.evidence if evidence.doc_id == doc_id]
        cited = {index for evidence in sets for index in evidence.sentences}
        free = [index for index in range(len(abstracts[doc_id].sentences)) if index not in cited]
        # seeded by the ids: the draw of one claim does not hang on those before it
        drawn = random.Random(f"{seed}/{claim.claim_id}/{doc_id}")
        randoms = drawn.sample(free, k=min(len(sets), len(free)))
        for evidence in sets:
            is_support = evidence.label == "SUPPORT"
            yield SupportPair(
                claim_id=claim.claim_id,
                doc_id=doc_id,
                sentences=evidence.sentences,
                label="supported" if is_support else "unsupported",
                kind="evidence" if is_support else "contradicting",
            )
        for index in randoms:
            yield SupportPair(
                claim_id=claim.claim_id,
                doc_id=doc_id,
                sentences=(index,),
                label="unsupported",
                kind="random",
            )


def _resolve(
    pair: SupportPair, claims: Mapping[str, ScifactClaim], abstracts: Mapping[str, Abstract]
) -> ResolvedPair:
    claim, abstract = claims.get(pair.claim_id), abstracts.get(pair.doc_id)
    if claim is None or abstract is None:
        raise _differs(pair, "the claim or the document is not there")
    if max(pair.sentences) >= len(abstract.sentences) or min(pair.sentences) < 0:
        raise _differs(pair, f"the document has {len(abstract.sentences)} sentences")
    sets = [evidence for evidence in claim.evidence if evidence.doc_id == pair.doc_id]
    if pair.kind == "random":
        if any(index in evidence.sentences for evidence in sets for index in pair.sentences):
            raise _differs(pair, "the random sentence is in an evidence set")
    else:
        wanted = "SUPPORT" if pair.kind == "evidence" else "CONTRADICT"
        if not any(e.label == wanted and e.sentences == pair.sentences for e in sets):
            raise _differs(pair, f"no {wanted} evidence set has these sentences")
    first = pair.sentences[0]
    return ResolvedPair(
        pair=pair,
        claim=claim.text,
        quotes=tuple(abstract.sentences[index] for index in pair.sentences),
        title=abstract.title,
        before=abstract.sentences[first - 1] if first else "",
    )


def _differs(pair: SupportPair, reason: str) -> MalformedRecord:
    message = (
        f"pair {pair.pair_id!r} ({pair.kind}) does not fit the data: {reason};"
        " give the SciFact folder that the pairs were drawn from, or draw them anew"
    )
    return MalformedRecord(message)


def _write_files(data: Path, out: Path) -> None:
    """Draw the dev pairs and the train sample into ``out``."""
    claims, abstracts = read_claims(data).values(), read_abstracts(data)
    dev = draw_pairs(claims, abstracts, split="dev", seed=SEED)
    train = draw_pairs(claims, abstracts, split="train", seed=SEED)
    write_pairs(dev, out / "scifact-pairs.dev.jsonl")
    sample = take_claims(train, n=N_TRAIN, seed=SEED)
    write_pairs(sample, out / f"scifact-pairs.train{N_TRAIN}.jsonl")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python -m search_agent.bench.support_pairs DATA OUT")
    _write_files(Path(sys.argv[1]), Path(sys.argv[2]))
