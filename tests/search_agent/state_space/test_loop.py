"""A whole search from the question to its files, driven by scripted replies over a small corpus."""

import asyncio
import json
import threading
from pathlib import Path

import pytest

from search_agent.ask import ask
from search_agent.config import load_config
from search_agent.model.scripted import ScriptedModel
from search_agent.trajectory.log import read_trajectory

QUESTION = "Which press printed the diary of the author of the Korren flora?"
INIT = {
    "thought": "Author, then press.",
    "state": [
        {"id": 1, "type": "Person", "question_clues": ["author of the Korren flora"]},
        {"id": 2, "type": "Press", "question_clues": ["printed the diary of [V1]"]},
    ],
    "answer_variable": 2,
    "action_proposals": [{"direction": "author of the Korren flora", "score": 0.9}],
}
AUTHOR = {
    "thought": "Varga wrote it.",
    "state": {
        "new_states": [
            {"state": [{"id": 1, "candidate": "Ilse Varga", "candidate_strength": 0.8}]}
        ]
    },
}
NEXT = {
    "thought": "Now the press.",
    "action_proposals": [{"direction": "press that printed the diary of Ilse Varga", "score": 0.8}],
}


def answer(ids, text="Halden Press"):
    return {
        "thought": "Stated.",
        "answer": {
            "claims": [
                {"text": f"The diary of Ilse Varga was printed by the {text}.", "segment_ids": ids}
            ],
            "answer": text,
        },
    }


@pytest.fixture
def searcher(corpus):
    corpus.add(
        "flora.md",
        "The Korren flora was written by Ilse Varga in 1911.",
        "It lists 212 plants.",
        title="The Korren flora",
    )
    corpus.add(
        "press.md",
        "The diary of Ilse Varga was printed by the Halden Press in 1912.",
        "Three hundred copies were made.",
        title="Ledger of the Halden Press",
    )
    corpus.add("ships.md", "The mail boat calls on Thursdays.", title="Timetable")
    return corpus.open()


@pytest.fixture
def run(searcher, corpus, tmp_path):
    """Asks QUESTION with a script, in profile ``standard`` with single settings changed."""

    def ask_with(replies, *, strategy="state-space", labels=None, question=QUESTION, **settings):
        changed = {key.replace("__", "."): value for key, value in settings.items()}
        model = ScriptedModel(replies, label_probabilities=labels or {"yes": 0.95, "no": 0.05})
        ask_with.model = model
        ask_with.events = []
        return ask(
            question,
            searcher=searcher,
            model=model,
            config=load_config("standard", changed),
            run_dir=tmp_path / "run",
            strategy=strategy,
            seed=7,
            source_root=corpus.source_root,
            on_event=lambda kind, data: ask_with.events.append((kind, data)),
        )

    return ask_with


def test_two_hops_end_in_an_answer_with_checked_citations(run):
    result = run([INIT, AUTHOR, NEXT, answer(["S3"])])
    assert (result.status, result.termination, result.answer) == ("answered", "answer", "Halden Press")
    (claim,) = result.claims
    (citation,) = claim.citations
    assert citation.quote == "The diary of Ilse Varga was printed by the Halden Press in 1912."
    assert (citation.exists, citation.source_check) == (True, "match")
    assert claim.support.label == "supported"
    assert (result.rates.citations_exist, result.rates.claims_supported) == (1.0, 1.0)
    run.model.assert_finished()


def test_debug(run, tmp_path):
    result = run([INIT, AUTHOR, NEXT, answer(["S3"])])
    for kind, data in run.events:
        print(kind, str(data)[:300])
    print(sorted(p.name for p in (tmp_path / "run").iterdir()))
    print((tmp_path / "run" / "answer.md").read_text())
