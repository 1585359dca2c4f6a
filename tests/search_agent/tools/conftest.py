"""``call``: retrieve with the values of an ordinary call, each of which a test may change."""

from collections.abc import Callable

import pytest

from search_agent.config import RetrievalSettings
from search_agent.evidence.ledger import EvidenceLedger
from search_agent.tools.retrieve import ToolRow, retrieve


@pytest.fixture
def ledger() -> EvidenceLedger:
    return EvidenceLedger()


@pytest.fixture
def call(ledger: EvidenceLedger) -> Callable[..., ToolRow]:
    def make_call(searcher: object, **changes: object) -> ToolRow:
        arguments = {"query": changes.pop("query", "halden"), "page": changes.pop("page", 1)}
        settings = {
            "top_k": changes.pop("top_k", 3),
            "top_k_multiply_factor": changes.pop("factor", 2),
            "repeat_seen": changes.pop("repeat_seen", "collapse"),
            "mode": changes.pop("mode", "hybrid"),
        }
        values: dict[str, object] = {
            "ledger": ledger,
            "filters": None,
            "token_limit": 500,
            "count_tokens": lambda text: len(text.split()),
            "in_context": frozenset(),
            "action_id": "0_00",
            "call_id": "0_00/t1/0",
            **changes,
        }
        return retrieve(
            arguments, searcher=searcher, settings=RetrievalSettings(**settings), **values
        )

    return make_call
