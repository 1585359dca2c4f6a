"""The citations bench put together: pairs resolved, the judge asked, every scorer measured."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from threading import Event

from corpora.canonical_json import sha256_hex
from index.encoder import Encoder
from search_agent.bench.citations_result import CitationsResult, PairsIdentity, QuestionCost
from search_agent.bench.machine import current_commit, this_machine
from search_agent.bench.scifact import read_abstracts, read_claims
from search_agent.bench.support_answers import (
    Answer,
    AnswerFile,
    ask_calls,
    heard,
    missing_calls,
)
from search_agent.bench.support_columns import SupportColumns, score_pairs
from search_agent.bench.support_features import CorpusTerms, dense_similarities
from search_agent.bench.support_pairs import Kind, ResolvedPair, read_pairs, resolve_pairs
from search_agent.bench.support_report import score_rows
from search_agent.bench.support_variants import questions_of
from search_agent.config import Citations
from search_agent.final_result import ModelIdentity
from search_agent.model.protocol import Model


@dataclass(frozen=True, slots=True, kw_only=True)
class PairsFile:
    """A pairs file with its words."""

    path: Path
    pairs: Sequence[ResolvedPair]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedPairs:
    """The pairs to report on, those to choose on, and the terms of their corpus."""

    report: PairsFile
    train: PairsFile | None
    terms: CorpusTerms


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSetup:
    """Whom to ask what; answers lie in ``folder``."""

    identity: ModelIdentity
    load_model: Callable[[], Model]
    variants: tuple[str, ...]
    folder: Path


def load_pairs(data: Path, report: Path, train: Path | None, *, n: int) -> LoadedPairs:
    """Both files resolved against the data folder; the first ``n`` pairs to report on (0: all).

    Raises:
        CorpusNotFound: a file is absent.
        MalformedRecord: a file is damaged, or pairs and data do not fit each other.
    """
    claims, abstracts = read_claims(data), read_abstracts(data)

    def resolved(path: Path, n_wanted: int) -> PairsFile:
        pairs = read_pairs(path)[: n_wanted or None]
        return PairsFile(path=path, pairs=resolve_pairs(pairs, claims, abstracts))

    texts = (f"{abstract.title}\n{' '.join(abstract.sentences)}" for abstract in abstracts.values())
    return LoadedPairs(
        report=resolved(report, n),
        train=None if train is None else resolved(train, 0),
        terms=CorpusTerms(texts),
    )


def ask_judge(
    loaded: LoadedPairs,
    setup: JudgeSetup,
    *,
    on_progress: Callable[[int, int], None],
    stop: Event,
) -> AnswerFile:
    """All answers there are, after asking for the missing ones; the model is loaded only for these.

    Train pairs come first: variants are compared on them.
    """
    known = AnswerFile(setup.folder, model_sha256=setup.identity.sha256)
    questions = questions_of(setup.variants)
    files = [file for file in (loaded.train, loaded.report) if file is not None]
    calls = {
        call.key: call for file in files for call in missing_calls(file.pairs, questions, known)
    }
    if calls:
        ask_calls(
            list(calls.values()), known, setup.load_model(), on_progress=on_progress, stop=stop
        )
    return known


def report_citations(
    loaded: LoadedPairs,
    *,
    judge: JudgeSetup | None,
    answers: AnswerFile | None,
    encoder: Encoder | None,
    settings: Citations,
    now: datetime,
) -> CitationsResult:
    """The result; pairs that lack an answer are left out of every row, and counted."""
    variants = judge.variants if judge is not None else ()
    questions = questions_of(variants)

    def scored(file: PairsFile) -> tuple[SupportColumns, list[dict[str, Answer]], PairsIdentity]:
        answered = [
            (pair, found)
            for pair in file.pairs
            if (found := {} if answers is None else heard(pair, questions, answers)) is not None
        ]
        pairs = [pair for pair, _ in answered]
        columns = score_pairs(
            pairs,
            loaded.terms,
            dense=None if encoder is None else dense_similarities(pairs, encoder),
            answers=[found for _, found in answered],
            variants=variants,
            settings=settings,
        )
        return columns, [found for _, found in answered], _identity(file, pairs)

    columns, found, identity = scored(loaded.report)
    train = None if loaded.train is None else scored(loaded.train)
    rows, mixes = score_rows(columns, train[0] if train else None, settings=settings)
    identities = [identity, *([train[2]] if train else [])]
    return CitationsResult(
        pairs=identity,
        train=train[2] if train else None,
        complete=all(one.n_unanswered == 0 for one in identities),
        model=judge.identity if judge is not None else None,
        encoder=encoder.card.name if encoder is not None else "",
        supported_min=settings.supported_min,
        scorers=tuple(rows),
        mixes=mixes,
        questions=_costs([*found, *(train[1] if train else [])], questions),
        commit=current_commit(Path(__file__).parent),
        machine=this_machine(),
        made_at=f"{now:%Y-%m-%dT%H:%M:%SZ}",
    )


def _identity(file: PairsFile, scored: Sequence[ResolvedPair]) -> PairsIdentity:
    counts: Counter[Kind] = Counter(row.pair.kind for row in scored)
    return PairsIdentity(
        file=file.path.name,
        sha256=sha256_hex(file.path.read_text(encoding="utf-8")),
        n=len(scored),
        by_kind=dict(sorted(counts.items())),
        n_unanswered=len(file.pairs) - len(scored),
    )


def _costs(found: Sequence[dict[str, Answer]], questions: Sequence[str]) -> dict[str, QuestionCost]:
    costs = {}
    for question in questions:
        asked = list({row[question].prompt_sha256: row[question] for row in found}.values())
        if asked:
            costs[question] = QuestionCost(
                n=len(asked),
                seconds=round(sum(a.seconds for a in asked) / len(asked), 3),
                prompt_evaluated=round(sum(a.prompt_evaluated for a in asked) / len(asked), 1),
                prompt_reused=round(sum(a.prompt_reused for a in asked) / len(asked), 1),
            )
    return costs
