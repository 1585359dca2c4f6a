"""Each prompt file and its dataclass name the same variables, and its rendering is pinned.

A change of wording shows in review as a change of ``tests/golden/prompts``; renew with
``python -m tests.prompts.test_catalogue``.
"""

from dataclasses import fields
from pathlib import Path

import jinja2
import jinja2.meta
import pytest

from prompts.catalogue import (
    FOLDER,
    PROMPTS,
    ActNow,
    AnswersQuestion,
    ClosedBook,
    CluesBlacklist,
    CluesNone,
    CluesReport,
    FindAction,
    FindTurn,
    InitializeState,
    MustAnswer,
    PromptError,
    QuestionTurn,
    React,
    ReplyNow,
    ReplyRejected,
    RunAction,
    RunTurn,
    Shared,
    SingleShot,
    Support,
    ToolDoc,
    WrapUp,
    prompt_hashes,
)

GOLDEN = Path(__file__).parents[1] / "golden" / "prompts"
TOOL = ToolDoc("retrieve", "searches the collection.")
EXAMPLES = [
    Shared(),
    InitializeState(max_variables=4),
    FindAction(action_proposals_limit=3),
    RunAction(tools=(TOOL,), clues_section="(clues)", use_candidate_strength=True),
    CluesReport(),
    CluesBlacklist(),
    CluesNone(),
    QuestionTurn(question="Who wrote the flora?"),
    FindTurn(
        question="Who wrote the flora?",
        state="V1 (Person, asked for): wrote the flora = none yet",
        eliminations="V1 not Oda Brandt (joined in 1915)",
        last_result="empty patch",
        explored=("author of the flora",),
        omitted=2,
    ),
    RunTurn(direction="author of the flora", eliminations="V1 not Oda Brandt (joined in 1915)"),
    ActNow(
        asked="Who wrote the flora?",
        wanted="",
        nearest="<corpus>[S1] The flora is by Varga.</corpus>",
        known="V1 = Varga",
        may_answer=True,
        may_search=True,
        with_thought=True,
    ),
    ReplyNow(question="Who wrote the flora?", may_answer=True, may_search=False),
    WrapUp(),
    ReplyRejected(problems=("id 3 is unknown",), allowed=("1", "2")),
    MustAnswer(candidate="Ilse Varga"),
    Support(claim="Varga wrote it.", quotes=("The flora is by Varga.",)),
    AnswersQuestion(question="Who wrote it?", answer="Varga", passages=("The flora is by Varga.",)),
    React(tools=(TOOL,)),
    SingleShot(),
    ClosedBook(),
]


@pytest.mark.parametrize("prompt", PROMPTS, ids=lambda prompt: prompt.__name__)
def test_file_and_class_have_the_same_variables(prompt):
    source = prompt.file().read_text(encoding="utf-8")
    used = jinja2.meta.find_undeclared_variables(jinja2.Environment().parse(source))
    assert used == {field.name for field in fields(prompt)}


def test_every_file_has_a_class():
    assert {prompt.file().name for prompt in PROMPTS} == {path.name for path in FOLDER.glob("*.md")}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: type(example).__name__)
def test_renderings_are_as_reviewed(example):
    golden = GOLDEN / example.file().name
    assert example.render() == golden.read_text(encoding="utf-8")


def test_every_prompt_is_pinned():
    assert {type(example) for example in EXAMPLES} == set(PROMPTS)


def test_prompts_name_no_date_path_or_host():
    for prompt in PROMPTS:
        text = prompt.file().read_text(encoding="utf-8")
        assert "http" not in text
        assert "/" not in text.replace("and/or", "")


def test_a_hash_is_recorded_for_each_prompt():
    assert len(prompt_hashes()) == len(PROMPTS)
    assert all(len(digest) == 64 for digest in prompt_hashes().values())


def test_document_text_with_template_marks_is_not_executed():
    hostile = "{{ 7 * 7 }} {% for x in y %}"
    assert hostile in Support(claim=hostile, quotes=(hostile,)).render()


def test_prompt_errors_carry_their_code():
    assert str(PromptError("gone", code=200100)) == "[200100] gone"


if __name__ == "__main__":
    for example in EXAMPLES:
        (GOLDEN / example.file().name).write_text(example.render(), encoding="utf-8")
