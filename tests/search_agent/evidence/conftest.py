"""``shown``: an evidence ledger in which every visible segment of a corpus has been registered."""

from collections.abc import Callable

import pytest

from search_agent.evidence.ledger import EvidenceLedger
from search_agent.evidence.records import Claim, UnmetClue
from search_agent.final_result import FinalResult, IndexIdentity, ModelIdentity, Rates, UsageReport


@pytest.fixture
def shown() -> Callable[..., EvidenceLedger]:
    def register_all(searcher: object, *, query: str = "halden") -> EvidenceLedger:
        ledger = EvidenceLedger()
        for hit in searcher.search([query], k=1000)[0]:
            for segment in hit.segments:
                ledger.register(
                    hit, segment, action_id="0_00", call_id="c", tool="retrieve", query=query
                )
        return ledger

    return register_all


@pytest.fixture
def make_result() -> Callable[..., FinalResult]:
    """A final result with the given claims; everything else is ordinary."""

    def make(claims: tuple[Claim, ...] = (), **changes: object) -> FinalResult:
        values: dict[str, object] = {
            "question": "Who printed the diary?",
            "strategy": "state-space",
            "status": "answered",
            "termination": "answer",
            "answer": "Halden Press",
            "claims": claims,
            "rates": Rates(citations_exist=1.0, claims_supported=0.5),
            "usage": UsageReport(prompt_evaluated=1200, prompt_reused=800, completion=90),
            "model": ModelIdentity(name="toy", sha256="ab" * 32),
            "index": IndexIdentity(corpus="toy", fingerprint="cd" * 32),
            "run_dir": "build/toy/runs/r1",
            "seconds": 12.34,
            **changes,
        }
        return FinalResult(**values)

    return make


@pytest.fixture
def unmet_clue() -> UnmetClue:
    return UnmetClue(
        variable_id=2, clue="printed in 1912", status="unmet", nearest=("S1",), method="lexical"
    )
