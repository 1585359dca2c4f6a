"""Pairs of claims and sentences: how they are drawn, written, and found again in the data."""

import random
from collections import Counter
from pathlib import Path

import pytest

from corpora.errors import CorpusNotFound, MalformedRecord
from search_agent.bench.scifact import (
    Abstract,
    EvidenceSet,
    ScifactClaim,
    read_abstracts,
    read_claims,
)
from search_agent.bench.support_pairs import (
    SupportPair,
    draw_pairs,
    read_pairs,
    resolve_pairs,
    take_claims,
    write_pairs,
)

from .scifact_folder import write_scifact

CHECKED_IN = Path(__file__).parents[2] / "bench"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_scifact(tmp_path / "scifact")


def drawn(data: Path, split: str = "dev", seed: int = 0) -> list[SupportPair]:
    return draw_pairs(read_claims(data).values(), read_abstracts(data), split=split, seed=seed)  # type: ignore[arg-type]


def many(n_claims: int = 60) -> tuple[list[ScifactClaim], dict[str, Abstract]]:
    """Claims with one to four sets over abstracts of five to nine sentences."""
    made = random.Random(7)
    claims, abstracts = [], {}
    for number in range(n_claims):
        doc_id, n_sentences = f"d{number}", made.randint(5, 9)
        sentences = tuple(f"Sentence {index}." for index in range(n_sentences))
        abstracts[doc_id] = Abstract.model_validate(
            {"_id": doc_id, "metadata": {"sentences": sentences}}
        )
        sets = {
            tuple(sorted(made.sample(range(n_sentences), made.randint(1, 2)))) for _ in range(4)
        }
        evidence = tuple(
            EvidenceSet(
                doc_id=doc_id, label=made.choice(["SUPPORT", "CONTRADICT"]), sentences=indexes
            )
            for indexes in sorted(sets)[: made.randint(1, 4)]
        )
        claims.append(
            ScifactClaim(id=str(number), split="dev", claim=f"Claim {number}.", evidence=evidence)
        )
    return claims, abstracts


def test_each_evidence_set_gives_its_sentences_and_one_random_sentence(data: Path) -> None:
    rows = [(p.claim_id, p.kind, p.label) for p in drawn(data)]
    assert rows == [
        ("1", "evidence", "supported"),
        ("1", "random", "unsupported"),
        ("2", "contradicting", "unsupported"),
        ("2", "random", "unsupported"),
    ]


def test_an_abstract_without_enough_free_sentences_gives_fewer_random_ones(data: Path) -> None:
    # claim 3: sets {0} and {0, 2} of three sentences leave one that is free
    kinds = Counter(pair.kind for pair in drawn(data, "train") if pair.claim_id == "3")
    assert kinds == {"evidence": 2, "random": 1}


def test_random_sentences_are_in_no_evidence_set_and_no_pair_comes_twice() -> None:
    claims, abstracts = many()
    pairs = draw_pairs(claims, abstracts, split="dev", seed=0)
    cited = {
        (claim.claim_id, index) for claim in claims for e in claim.evidence for index in e.sentences
    }
    randoms = {(p.claim_id, p.sentences[0]) for p in pairs if p.kind == "random"}
    assert randoms
    assert cited & randoms == set()
    assert len({pair.pair_id for pair in pairs}) == len(pairs)
    n_sets = sum(len(claim.evidence) for claim in claims)
    assert sum(pair.kind != "random" for pair in pairs) == n_sets


def test_the_same_seed_draws_the_same_pairs_whatever_stands_around_them() -> None:
    claims, abstracts = many()
    pairs = draw_pairs(claims, abstracts, split="dev", seed=0)
    assert draw_pairs(claims, abstracts, split="dev", seed=0) == pairs
    last = claims[-1]
    alone = draw_pairs([last], abstracts, split="dev", seed=0)
    assert alone == [pair for pair in pairs if pair.claim_id == last.claim_id]
    assert draw_pairs(claims, abstracts, split="dev", seed=1) != pairs


def test_a_sample_takes_whole_claims_in_file_order() -> None:
    claims, abstracts = many()
    pairs = draw_pairs(claims, abstracts, split="dev", seed=0)
    sample = take_claims(pairs, n=50, seed=0)
    assert 45 < len(sample) <= 50
    chosen = {pair.claim_id for pair in sample}
    assert sample == [pair for pair in pairs if pair.claim_id in chosen]


def test_a_written_file_reads_as_what_was_written(data: Path, tmp_path: Path) -> None:
    pairs = drawn(data)
    write_pairs(pairs, tmp_path / "pairs.jsonl")
    assert read_pairs(tmp_path / "pairs.jsonl") == pairs


def test_a_file_holds_ids_and_no_words_of_the_data(data: Path, tmp_path: Path) -> None:
    write_pairs(drawn(data), tmp_path / "pairs.jsonl")
    assert "spirin" not in (tmp_path / "pairs.jsonl").read_text(encoding="utf-8")


def test_a_pair_is_resolved_to_claim_sentences_title_and_the_sentence_before(data: Path) -> None:
    [first, *_] = resolve_pairs(drawn(data), read_claims(data), read_abstracts(data))
    assert first.claim == "Aspirin lowers heart rate."
    assert first.quotes == ("Daily aspirin lowered the heart rate of runners.",)
    assert (first.title, first.before) == ("Study 10", "We studied the heart rate of runners.")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"claim_id": "99"}, "is not there"),
        ({"doc_id": "99"}, "is not there"),
        ({"sentences": (9,)}, "has 4 sentences"),
        ({"sentences": (2,)}, "no SUPPORT evidence set"),
        ({"kind": "contradicting"}, "no CONTRADICT evidence set"),
        ({"kind": "random"}, "is in an evidence set"),
    ],
)
def test_data_that_differ_from_the_pairs_are_refused(
    change: dict[str, object], reason: str, data: Path
) -> None:
    pair = drawn(data)[0].model_copy(update=change)
    with pytest.raises(MalformedRecord, match=reason):
        resolve_pairs([pair], read_claims(data), read_abstracts(data))


def test_a_missing_or_damaged_file_says_what_to_do(data: Path, tmp_path: Path) -> None:
    with pytest.raises(CorpusNotFound, match=r"search_agent\.bench\.support_pairs"):
        read_pairs(tmp_path / "none.jsonl")
    with pytest.raises(CorpusNotFound, match=r"claims\.jsonl"):
        read_claims(tmp_path)
    path = tmp_path / "pairs.jsonl"
    write_pairs([*drawn(data), drawn(data)[0]], path)
    with pytest.raises(MalformedRecord, match="line 5: pair '1:10:1' stands there already"):
        read_pairs(path)
    path.write_text('{"claim_id": "1"}\n', encoding="utf-8")
    with pytest.raises(MalformedRecord, match="line 1"):
        read_pairs(path)


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("dev", {"evidence": 216, "contradicting": 122, "random": 336}),
        ("train200", {"evidence": 73, "contradicting": 30, "random": 97}),
    ],
)
def test_the_checked_in_pairs_are_these(name: str, kinds: dict[str, int]) -> None:
    pairs = read_pairs(CHECKED_IN / f"scifact-pairs.{name}.jsonl")
    assert Counter(pair.kind for pair in pairs) == kinds
    assert all((pair.kind == "evidence") == pair.is_supported for pair in pairs)
    assert all(len(pair.sentences) == 1 for pair in pairs if pair.kind == "random")


def test_the_checked_in_files_share_no_claim() -> None:
    dev, train = (
        {pair.claim_id for pair in read_pairs(CHECKED_IN / f"scifact-pairs.{name}.jsonl")}
        for name in ("dev", "train200")
    )
    assert dev & train == set()
