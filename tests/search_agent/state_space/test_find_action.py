"""find_action: new directions, and what happens when a model has none."""

import pytest

from tests.search_agent.scripted_search import (
    AUTHOR_CLUE,
    ONE_HOP,
    answering,
    candidates,
    directions,
    one_variable,
    variables,
)

FIRST = "press of the Varga diary"


@pytest.fixture
def search(search):
    """Searches for the second hop alone."""
    search.question = ONE_HOP
    return search


def rejections(search):
    return [d for d in search.events("reply_rejected") if d.get("workflow") == "find_action"]


def test_only_used_directions_are_rejected_with_a_list_of_them(search):
    search.ask(
        [
            one_variable(),
            directions(FIRST),
            candidates(),
            directions("Press of the Varga diary."),
            directions("who sold the diary"),
            candidates(),
        ],
        params__retry_count_on_empty_action_space=1,
    )
    (rejected,) = rejections(search)
    assert FIRST in rejected["problems"][0]
    assert FIRST in search.prompts("0r1_x1/find/2")[0]
    search.model.assert_finished()


def test_four_rejected_replies_are_a_counted_failure_and_no_end(search):
    result = search.ask(
        [
            one_variable(),
            *[directions("one way"), candidates()],
            *[directions("one way")] * 4,
            directions("a better way"),
            answering("S1", claim="Halden Press printed the diary of Ilse Varga."),
        ],
        find__max_tries=4,
        params__retry_count_on_empty_action_space=2,
    )
    assert len(rejections(search)) == 4
    assert [d["error_code"] for d in search.events("find_action_failed")] == [211004]
    assert (result.fail_count, result.status) == (1, "answered")


@pytest.mark.parametrize(
    ("item", "told"),
    [
        ({"direction": "x", "score": 1.2}, "action_proposals.1.score"),
        ({"score": 0.5}, "action_proposals.1.direction"),
        ({"direction": "", "score": 0.5}, "action_proposals.1.direction"),
        ({"direction": "x"}, "action_proposals.1.score"),
    ],
)
def test_a_bad_item_rejects_the_reply_and_names_its_place(search, item, told):
    bad = directions("a way", "another way")
    bad["action_proposals"][1] = item
    search.ask(
        [one_variable(), bad, directions("a way"), candidates()],
        params__retry_count_on_empty_action_space=0,
    )
    (rejected,) = rejections(search)
    assert told in rejected["problems"][0]


def test_the_limit_keeps_the_best_directions(search):
    reply = directions("low", "high", "middle")
    for item, score in zip(reply["action_proposals"], (0.1, 0.9, 0.5), strict=True):
        item["score"] = score
    search.ask(
        [one_variable(), reply, candidates(), candidates(), candidates()],
        find__action_proposals_limit=3,
        params__retry_count_on_empty_action_space=0,
        params__actions_explored_limit=1,
    )
    actions = search.events("proposals_created")[0]["actions"]
    assert [a["direction"] for a in actions] == ["high", "middle", "low"]


def test_the_direction_that_made_a_state_is_told_when_it_is_expanded(search):
    search.ask(
        [
            variables(),
            directions(AUTHOR_CLUE),
            candidates({1: ("Ilse Varga", 0.6)}),
            directions("the printer of the diary"),
            answering("S3"),
        ],
        find__expand_when_drawn=False,
    )
    (prompt,) = search.prompts("001_000001_x/find")
    assert "Ilse Varga (0.60)" in prompt


def test_a_ledger_over_budget_loses_summaries_first_then_the_oldest_and_says_how_many(search):
    ways = [f"way {n} " + "through every register of the harbour " * 2 for n in range(40)]
    ended = candidates(note="nothing in the registers of " + "the town and the coast " * 6)

    def script(call):
        if call.call_path == "init/1":
            return one_variable()
        if "/find/" in call.call_path:
            batch = int(call.call_path[2]) if call.call_path[1] == "r" else 0
            return directions(*(f"{w[:150]}" for w in ways[batch * 10 : batch * 10 + 10]))
        return ended

    search.ask(
        by_call=script,
        find__action_proposals_limit=10,
        params__retry_count_on_empty_action_space=3,
        llm__n_ctx=2048,
    )
    ledgers = search.events("ledger_rendered")
    counts = [(d["full"], d["short"], d["omitted"]) for d in ledgers]
    assert [sum(row) for row in counts] == [10, 20, 30]
    assert counts[-1][0] < 30  # summaries went
    if counts[-1][2]:  # directions only when no summary is left
        assert counts[-1][0] == 0
    assert all(len(p) > 500 for p in search.prompts("0r"))
