"""Closed book: an answer from memory, or none; no search, no citation."""

from search_agent.ask import role_prefixes
from tests.search_agent.scripted_search import Clock, configured

KNOWN = {"thought": "", "answer": "Halden  Press"}
UNKNOWN = {"thought": "", "missing": "who printed it"}


def closed(search, replies, **settings):
    return search.ask(replies, strategy="closed-book", **settings)


def test_the_model_alone_is_asked_once(search):
    result = closed(search, [KNOWN])
    assert (result.status, result.answer, result.strategy) == (
        "answered",
        "Halden Press",
        "closed-book",
    )
    assert search.queries() == []
    assert (result.claims, result.rates.citations_exist, result.flags) == (
        (),
        None,
        ("closed_book",),
    )
    assert result.usage.by_role.keys() == {"closed-book"}


def test_it_is_not_told_to_use_evidence_alone(search):
    closed(search, [KNOWN])
    [prompt] = search.prompts()
    assert search.question in prompt
    assert "from memory" in prompt
    assert "corpus" not in prompt


def test_it_may_abstain(search):
    result = closed(search, [UNKNOWN])
    assert (result.status, result.answer) == ("abstained", None)
    assert "missing: who printed it" in result.flags


def test_a_bad_reply_is_told_and_the_second_counts(search):
    result = closed(search, [{"thought": "", "answer": " "}, KNOWN])
    assert result.status == "answered"
    [event] = search.events("reply_rejected")
    assert event["problems"] == ["the answer is blank; send answer or missing"]


def test_two_bad_replies_end_it(search):
    result = closed(search, ["bad", "worse"])
    assert (result.status, result.termination) == ("abstained", "fail_limit")


def test_a_deadline_ends_it(search):
    clock = Clock()

    def slow(_messages):
        clock.now += 11
        return "bad"

    result = closed(search, [slow, KNOWN], clock=clock, params__time_limit=10)
    assert (result.status, result.termination) == ("abstained", "time_limit")


def test_its_system_message_can_be_prepared(search):
    [system] = role_prefixes(configured(), "closed-book")
    closed(search, [KNOWN])
    assert search.model.calls[0].messages[0] == system


def test_the_run_directory_is_an_ordinary_one(search):
    closed(search, [KNOWN])
    assert {"trajectory.jsonl", "final_result.json", "answer.md", "manifest.json"} <= {
        path.name for path in search.run_dir.iterdir()
    }
    assert "Halden Press" in (search.run_dir / "answer.md").read_text(encoding="utf-8")
