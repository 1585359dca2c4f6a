"""init_state: what a question's reading must be, and what happens when it is not."""

import json

import pytest

from search_agent.errors import EmptyQuestion, QuestionTooLong
from search_agent.state_space.init_state import build_root, linked_root, nested_root
from tests.search_agent.scripted_search import (
    AUTHOR_CLUE,
    QUESTION,
    TWO_HOPS,
    candidates,
    directions,
    one_variable,
    variables,
)


def read_as(*rows, answer_variable=1):
    """A reading with rows of (id, clues)."""
    return {
        "thought": "",
        "state": [{"id": n, "type": "Person", "question_clues": list(c)} for n, c in rows],
        "answer_variable": answer_variable,
    }


def test_two_bad_readings_are_fed_back_and_the_third_is_taken(search):
    double = read_as((1, ["wrote a flora"]), (1, ["kept a diary"]))
    result = search.ask(["no json at all", double, *TWO_HOPS])
    assert result.answer == "Halden Press"
    rejected = [d for d in search.events("reply_rejected") if d.get("workflow") == "init_state"]
    assert len(rejected) == 2
    assert [c.call_path for c in search.model.calls[:3]] == ["init/1", "init/2", "init/3"]
    third = search.prompts("init/3")[0]
    assert "id 1 is used twice" in third
    assert "no json at all" not in third  # only the last bad reply is shown


@pytest.mark.parametrize(
    ("reading", "told"),
    [
        (read_as((1, ["a"]), (1, ["b"])), "id 1 is used twice"),
        (read_as((1, ["a"]), answer_variable=2), "answer_variable 2 is none of the ids [1]"),
        (read_as((1, ["pupil of [V3]"])), "[V3] names no variable"),
        (read_as((1, ["pupil of [3_person]"])), "[V3] names no variable"),
        (read_as((1, ["  "])), "variable 1 has no clue"),
        (read_as((1, ["friend of [V1]"])), "refers to itself"),
    ],
)
def test_each_fault_of_a_reading_has_its_own_message(search, reading, told):
    search.ask([reading, *TWO_HOPS])
    (rejected,) = [d for d in search.events("reply_rejected") if d.get("workflow") == "init_state"]
    assert told in " ".join(rejected["problems"])
    assert told in search.prompts("init/2")[0]


def test_after_four_bad_readings_the_whole_question_is_the_only_clue(search):
    result = search.ask(
        ["", "{}", "[]", "no", directions("diary of Ilse Varga"), candidates()],
        init__max_tries=4,
        params__retry_count_on_empty_action_space=0,
    )
    root = json.loads((search.run_dir / "initial_state.json").read_text())
    assert (root["origin"], root["answer_variable"]) == ("fallback", 1)
    assert [v["question_clues"] for v in root["state"]] == [[QUESTION]]
    assert "init_degraded" in result.flags
    assert [d["tries"] for d in search.events("init_degraded")] == [4]
    assert result.termination == "action_pool_depleted"  # the search went on
    search.model.assert_finished()


@pytest.mark.parametrize("written", ["[1]", "[V1]", "[v1]", "[1_person]", "[V1_person]"])
def test_placeholders_are_written_in_one_way(search, written):
    reading = variables()
    reading["state"][1]["question_clues"] = [f"printed the diary of {written}"]
    search.ask([reading, *TWO_HOPS[1:]])
    root = json.loads((search.run_dir / "initial_state.json").read_text())
    assert root["state"][1]["question_clues"] == ["printed the diary of [V1]"]


def test_what_does_not_lead_to_the_answer_is_dropped_and_recorded(search):
    reading = variables()
    reading["state"].append({"id": 3, "type": "Year", "question_clues": ["a year of no use"]})
    search.ask([reading, *TWO_HOPS[1:]])
    assert search.events("variables_dropped")[0]["ids"] == [3]
    assert search.events("state_created")[0]["state"]["state"][0]["question_clues"] == [AUTHOR_CLUE]


@pytest.mark.parametrize("blank", ["", "  \n\t "])
def test_a_blank_question_starts_nothing(search, blank):
    with pytest.raises(EmptyQuestion) as told:
        search.ask([], question=blank)
    assert told.value.code == 200028
    assert search.model.calls == []
    assert not search.run_dir.exists()


def test_a_question_longer_than_an_eighth_of_the_context_starts_nothing(search):
    with pytest.raises(QuestionTooLong, match="513 tokens, 512 fit n_ctx 4096"):
        search.ask([], question="word " * 513)
    assert not search.run_dir.exists()


COST = "cost of water in the village that took the most water"
VILLAGE = "village that took the most water"


@pytest.mark.parametrize("asked", [1, 2])
def test_a_description_inside_another_is_linked_and_the_outer_one_is_asked(asked):
    reading = read_as((1, [COST]), (2, [VILLAGE]), answer_variable=asked)
    root, dropped = linked_root(build_root(reading))
    assert root.answer_variable == 1
    assert [v.question_clues for v in root.state] == [("cost of water in the [V2]",), (VILLAGE,)]
    assert dropped == []


def test_equal_descriptions_and_short_names_are_not_taken_for_nested_ones():
    same = build_root(read_as((1, [VILLAGE]), (2, [VILLAGE])))
    assert nested_root(same) == same
    short = build_root(read_as((1, ["mesh of the village Tamsel"]), (2, ["Tamsel"])))
    assert nested_root(short) == short


def test_an_unknown_that_says_all_of_the_question_is_the_question(search):
    reading = read_as((1, [QUESTION.rstrip("?")]), (2, ["press of [V1]"]), answer_variable=2)
    search.ask([reading, *TWO_HOPS[1:]])
    root = json.loads((search.run_dir / "initial_state.json").read_text())
    assert [v["id"] for v in root["state"]] == [1]
    assert root["answer_variable"] == 1


def test_a_reading_that_loses_a_name_of_the_question_gives_way_to_the_question(search):
    reading = one_variable("printed the diary of an author of a flora")
    search.ask(
        [reading, directions("diary"), candidates()],
        init__keeps_facts=True,
        params__retry_count_on_empty_action_space=0,
    )
    assert [event["lost"] for event in search.events("reading_given_up")] == [["Korren"]]
    root = json.loads((search.run_dir / "initial_state.json").read_text())
    assert (root["origin"], [v["question_clues"] for v in root["state"]]) == (
        "fallback",
        [[QUESTION]],
    )


def test_a_reading_that_keeps_all_names_stands(search):
    search.ask(TWO_HOPS, init__keeps_facts=True)
    assert search.events("reading_given_up") == []
    assert len(search.events("state_created")[0]["state"]["state"]) == 2
