"""What the user gets: an answer, a guess that says so, or an abstention with its reasons."""

import threading

from search_agent.errors import ModelCallFailed
from tests.search_agent.scripted_search import (
    PRINTED,
    TWO_HOPS,
    answering,
    candidates,
    directions,
    one_variable,
    variables,
)

NO_RETRY = {"params__retry_count_on_empty_action_space": 0}
OFF_CORPUS = "Which zeppelin moored above Quetzal Tower?"
ZEPPELIN = one_variable("moored above Quetzal Tower")


def test_a_question_off_the_corpus_is_abstained_with_unmet_clues_and_no_citation(search):
    result = search.ask(
        [ZEPPELIN, directions("zeppelin moored above Quetzal Tower"), candidates()],
        question=OFF_CORPUS,
        **NO_RETRY,
    )
    assert (result.status, result.answer, result.exit_code) == ("abstained", None, 3)
    assert result.claims == ()
    assert [(c.variable_id, c.clue, c.status) for c in result.unmet_clues] == [
        (1, "moored above Quetzal Tower", "unmet")
    ]
    assert "no search found anything" in result.message


def test_every_citation_is_a_cut_of_the_stored_text(search):
    result = search.ask(TWO_HOPS)
    texts = {document.doc_id: document.text for document in search.searcher.store.documents()}
    for claim in result.claims:
        for citation in claim.citations:
            assert texts[citation.doc_id][citation.start : citation.end] == citation.quote


def test_neighbouring_segments_are_one_citation(search):
    result = search.ask([*TWO_HOPS[:-1], answering("S3", "S4")])
    ((citation,),) = (claim.citations for claim in result.claims)
    assert citation.quote == f"{PRINTED}\nThree hundred copies were made."


def test_a_source_that_was_edited_makes_its_citation_not_exist(search):
    (search.source_root / "press.md").write_text("something else")
    result = search.ask(TWO_HOPS)
    ((citation,),) = (claim.citations for claim in result.claims)
    assert (citation.source_check, citation.exists) == ("changed", False)
    assert (result.rates.citations_exist, result.rates.claims_supported) == (0.0, 1.0)


def test_a_source_that_is_not_at_hand_still_exists_in_the_store(search):
    (search.source_root / "press.md").unlink()
    result = search.ask(TWO_HOPS)
    ((citation,),) = (claim.citations for claim in result.claims)
    assert (citation.source_check, citation.exists) == ("absent", True)


def test_a_guess_says_so_and_lists_what_is_met_and_what_is_not(search):
    result = search.ask(
        [
            variables(),
            directions("author of the Korren flora"),
            candidates({1: ("Ilse Varga", 0.6)}),
            candidates({2: ("Halden Press", 0.5)}),
        ],
        params__actions_explored_limit=2,
        params__provide_best_guess=True,
    )
    assert (result.status, result.answer) == ("guess", "Halden Press")
    assert "guess" in result.flags
    assert len(result.claims) + len(result.unmet_clues) == 2
    assert all(claim.label == "supported" for claim in result.claims)


def test_the_root_is_no_guess_and_the_strongest_state_is(search):
    result = search.ask(
        [
            one_variable(),
            directions("printed the diary"),
            candidates({1: ("Halden Press", 0.5)}, {1: ("Corbel Press", 0.6)}),
        ],
        params__actions_explored_limit=1,
        params__provide_best_guess=True,
    )
    assert result.answer == "Corbel Press"


def test_existence_and_support_are_two_numbers(search):
    result = search.ask(
        [*TWO_HOPS[:-1], answering("S4")],
        labels={"yes": 0.02, "no": 0.98},
        params__answer_min_support=0.0,
    )
    assert (result.rates.citations_exist, result.rates.claims_supported) == (1.0, 0.0)
    assert {claim.label for claim in result.claims} == {"unsupported"}  # shown, marked


def test_the_last_checks_have_their_own_time_and_are_lexical_beyond_it(search):
    result = search.ask(
        [*TWO_HOPS[:-1], answering("S3", "S1")],
        params__answer_min_support=0.0,
        params__finalise_grace_s=0.0,
    )
    assert [claim.support.method for claim in result.claims] == ["lexical"]


def test_the_callers_wish_to_stop_is_never_set_by_a_search(search):
    stop = threading.Event()
    search.ask(TWO_HOPS, cancelled=stop)
    assert not stop.is_set()


def test_a_judge_that_fails_leaves_the_answer_with_its_words_compared(search):
    def gone(_messages, _labels):
        message = "the model process is gone"
        raise ModelCallFailed(message)

    result = search.ask(TWO_HOPS, labels=gone, params__answer_min_support=0.0)
    assert (result.status, result.answer) == ("answered", "Halden Press")
    assert [claim.support.method for claim in result.claims] == ["lexical"]
    assert "judge_failed" in result.flags


def test_a_quote_the_judge_has_no_room_for_is_compared_by_its_words_and_counted(search, corpus):
    corpus.add("long.md", "the copper diary " * 1000, title="Long")
    search.searcher = corpus.open()

    def script(call):
        if call.call_path == "init/1":
            return one_variable()
        if "/find/" in call.call_path:
            return directions("copper")
        said = "The copper diary was printed by the Halden Press."
        return answering("S1", text="copper diary", claim=said)

    result = search.ask(by_call=script, llm__n_ctx=2048, params__answer_min_support=0.0)
    assert [call for call in search.model.calls if call.kind == "label_probabilities"] == []
    assert {claim.support.method for claim in result.claims} == {"lexical"}
    assert result.truncations["judge_skipped"] == len(result.claims)
