"""ScriptedSearch: whole searches over a small corpus, from the question to the files, by script.

The corpus holds a two-hop question. A script is a list of replies in call order, or a function of
the call. Every setting a test depends on is given by the test, on top of ``SETTINGS``: the profile
``reference`` with one worker, directions made when a state is drawn, and a first search by code.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from search_agent.ask import ask
from search_agent.config import SearchConfig, load_config
from search_agent.final_result import FinalResult
from search_agent.model.scripted import Labels, Scripted, ScriptedCall, ScriptedModel, Words
from search_agent.trajectory.event import Event
from search_agent.trajectory.log import read_trajectory

QUESTION = "Which press printed the diary of the author of the Korren flora?"
ONE_HOP = "Which press printed the diary of Ilse Varga?"
AUTHOR_CLUE = "author of the Korren flora"
PRINTED = "The diary of Ilse Varga was printed by the Halden Press in 1912."
WRITTEN = "The Korren flora was written by Ilse Varga in 1911."

SECTIONS = {
    "params": "search_workflow_per_question_params",
    "sampling": "search_workflow.action_sampling",
    "init": "search_workflow.init_state_agent",
    "find": "search_workflow.find_action_agent",
    "creation": "search_workflow.state_creation_agent",
    "retrieval": "search_workflow.state_creation_agent.retrieval_settings",
    "react": "search_workflow.react_agent",
    "citations": "search_workflow.citations",
    "llm": "llm_config.general",
    "output": "llm_config.general.max_output_tokens",
}
SETTINGS: dict[str, Any] = {
    "params__max_workers": 1,
    "params__time_limit": 600,
    "params__answer_min_support": 0.4,
    "find__expand_when_drawn": True,
    "creation__first_retrieve": True,
    "creation__patches": "keep_good",
    "creation__max_llm_calls_per_run": 8,
    "llm__n_ctx": 4096,
    "output__init": 512,
    "output__run": 512,
    "output__find": 512,
    "output__react": 512,
}


def configured(**settings: Any) -> SearchConfig:
    """The settings of these tests, with some changed: ``params__time_limit=3``."""
    dotted = {}
    for name, value in {**SETTINGS, **settings}.items():
        section, key = name.split("__")
        dotted[f"{SECTIONS[section]}.{key}"] = value
    return load_config("reference", dotted)


def add_korren_documents(corpus: Any) -> None:
    """Two documents that answer the question together, and one that has nothing to do with it."""
    corpus.add("flora.md", WRITTEN, "It lists 212 plants.", title="The Korren flora")
    corpus.add(
        "press.md", PRINTED, "Three hundred copies were made.", title="Ledger of the Halden Press"
    )
    corpus.add("ships.md", "The mail boat calls on Thursdays.", title="Timetable")


# ---- replies


def variables() -> dict[str, Any]:
    """The question read into author and press."""
    return {
        "thought": "Author, then press.",
        "state": [
            {"id": 1, "type": "Person", "question_clues": [AUTHOR_CLUE]},
            {"id": 2, "type": "Press", "question_clues": ["printed the diary of [V1]"]},
        ],
        "answer_variable": 2,
    }


def one_variable(clue: str = "printed the diary of Ilse Varga") -> dict[str, Any]:
    """The question read into one unknown."""
    return {
        "thought": "",
        "state": [{"id": 1, "type": "Press", "question_clues": [clue]}],
        "answer_variable": 1,
    }


def directions(*texts: str, score: float = 0.8) -> dict[str, Any]:
    """A find_action reply with directions of equal score."""
    return {
        "thought": "",
        "action_proposals": [{"direction": text, "score": score} for text in texts],
    }


def candidates(*branches: dict[int, tuple[str, float]], note: str = "") -> dict[str, Any]:
    """A state reply: per branch, variable id → (candidate, strength); none is the empty patch."""
    states = [
        {
            "state": [
                {"id": number, "candidate": name, "candidate_strength": strength}
                for number, (name, strength) in branch.items()
            ]
        }
        for branch in branches
    ]
    body: dict[str, Any] = {"new_states": states, **({"note": note} if note else {})}
    return {"thought": "", "state": body}


def searching(*queries: str) -> dict[str, Any]:
    """A reply with one tool call."""
    call = {"name": "retrieve", "arguments": {"query": list(queries)}}
    return {"thought": "", "tool_calls": [call]}


def answering(
    *segments: str, text: str = "Halden Press", claim: str | None = None
) -> dict[str, Any]:
    """An answer with one claim on these segments."""
    said = claim or f"The diary of Ilse Varga was printed by the {text}."
    return {
        "thought": "",
        "answer": {"claims": [{"text": said, "segment_ids": list(segments)}], "answer": text},
    }


TWO_HOPS: tuple[Scripted, ...] = (
    variables(),
    directions(AUTHOR_CLUE),
    candidates({1: ("Ilse Varga", 0.8)}),
    answering("S3"),
)
"""S1, S2 are the flora's segments, S3, S4 the ledger's, in the order of first sight."""


class Clock:
    """Seconds that move only when told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class ScriptedSearch:
    """Asks with a script; ``model``, ``told`` and ``run_dir`` are those of the last search."""

    searcher: Any
    source_root: Path
    folder: Path
    model: ScriptedModel = field(default_factory=ScriptedModel)
    told: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    run_dir: Path = Path()
    question: str = QUESTION

    def ask(
        self,
        replies: Iterable[Scripted] = (),
        *,
        by_call: Callable[[ScriptedCall], Words] | None = None,
        labels: Labels | None = None,
        question: str | None = None,
        strategy: Any = "state-space",
        name: str = "run",
        seed: int = 7,
        cancelled: Any = None,
        clock: Clock | None = None,
        gold_answer: str | None = None,
        **settings: Any,
    ) -> FinalResult:
        """One search in the folder ``name``."""
        config = configured(**settings)
        self.model = ScriptedModel(
            replies,
            by_call=by_call,
            label_probabilities=labels or {"yes": 0.95, "no": 0.05},
            context_length=config.llm.n_ctx,
        )
        self.told = []
        self.run_dir = self.folder / name
        return ask(
            self.question if question is None else question,
            searcher=self.searcher,
            model=self.model,
            config=config,
            run_dir=self.run_dir,
            strategy=strategy,
            seed=seed,
            source_root=self.source_root,
            on_event=lambda kind, data: self.told.append((kind, dict(data))),
            cancelled=cancelled,
            clock=clock or Clock(),
            gold_answer=gold_answer,
        )

    def events(self, kind: str) -> list[dict[str, Any]]:
        """Data of the last search's events of one kind."""
        return [data for told, data in self.told if told == kind]

    def recorded(self) -> list[Event]:
        """The last search's trajectory."""
        return read_trajectory(self.run_dir)

    def prompts(self, prefix: str = "") -> list[str]:
        """All text of each call whose path starts with ``prefix``, system message included."""
        return [
            "\n".join(message.content for message in call.messages)
            for call in self.model.calls
            if call.call_path.startswith(prefix)
        ]

    def queries(self) -> list[list[str]]:
        """What the searcher was asked, call by call."""
        return [call["queries"] for call in self.searcher.calls]
