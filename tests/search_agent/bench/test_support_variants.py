"""How the judge is asked, and how label probabilities become one score."""

import math

import pytest

from prompts.catalogue import Support
from search_agent.bench.support_answers import call_of
from search_agent.bench.support_features import FEATURES, CorpusTerms
from search_agent.bench.support_pairs import ResolvedPair, SupportPair
from search_agent.bench.support_variants import (
    QUESTIONS,
    VARIANTS,
    questions_of,
    variant_probability,
    wanted_variants,
)
from search_agent.errors import ConfigError


def pair(claim: str, *quotes: str) -> ResolvedPair:
    ids = SupportPair(claim_id="1", doc_id="2", sentences=(3,), label="supported", kind="evidence")
    return ResolvedPair(pair=ids, claim=claim, quotes=quotes, title="A title", before="Before.")


def test_the_product_is_asked_in_its_own_words() -> None:
    row = pair("Aspirin helps.", "It helped.", "It did.")
    [message] = QUESTIONS["product"].messages(row)
    shown = ("(A title) It helped.", "It did.")
    assert message.content == Support(claim=row.claim, quotes=shown).render()


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_shows_the_claim_and_its_passages_and_ends_on_what_is_asked(
    name: str,
) -> None:
    question = QUESTIONS[name]
    text = question.messages(pair("Aspirin helps.", "It helped."))[-1].content
    assert "Statement: Aspirin helps." in text
    assert ("It helped." in text) == (name != "claim-first-blank")
    assert question.ending is None or text.endswith(question.ending)
    assert {question.supporting, question.opposing} <= set(question.labels)


def test_questions_of_one_layout_begin_alike_so_that_the_model_reads_the_pair_once() -> None:
    row = pair("Aspirin helps.", "It helped.")
    texts = [q.messages(row)[0].content for q in QUESTIONS.values() if q.layout == "evidence-first"]
    shared = Support(claim=row.claim, quotes=row.quotes).render().rpartition("\n\n")[0]
    assert len(texts) > 5
    assert all(text.startswith(shared) for text in texts)


def test_a_blank_passage_is_one_prompt_for_all_pairs_of_a_claim() -> None:
    first, second = pair("Aspirin helps.", "Yes."), pair("Aspirin helps.", "No.")
    blank = "claim-first-blank"
    assert call_of(first, blank).key == call_of(second, blank).key
    assert call_of(first, "claim-first").key != call_of(second, "claim-first").key


def test_two_labels_give_the_share_of_the_supporting_one_and_three_their_difference() -> None:
    assert QUESTIONS["support"].probability({"yes": 0.7, "no": 0.3}) == pytest.approx(0.7)
    labels = {"supports": 0.5, "contradicts": 0.2, "nothing": 0.3}
    assert QUESTIONS["nli-words"].probability(labels) == pytest.approx((1 + 0.5 - 0.2) / 2)


def test_both_orders_cancel_a_preference_for_a_letter() -> None:
    # the model says A four times of five, whatever A stands for
    biased = {"A": 0.8, "B": 0.2}
    heard = {"letters": biased, "letters-turned": biased}
    assert variant_probability("letters-both-orders", heard) == pytest.approx(0.5)


def test_calibration_takes_away_what_the_claim_alone_suggests() -> None:
    heard = {
        "claim-first": {"yes": 0.9, "no": 0.1},
        "claim-first-blank": {"yes": 0.75, "no": 0.25},
    }
    odds = math.log(9) - math.log(3)
    assert variant_probability("calibrated", heard) == pytest.approx(1 / (1 + math.exp(-odds)))


def test_a_label_without_any_share_gives_a_finite_score() -> None:
    p = variant_probability("support", {"support": {"yes": 0.0, "no": 1.0}})
    assert 0 < p < 1e-6


def test_variants_are_made_of_known_questions_and_each_is_asked_once() -> None:
    assert {name for weights in VARIANTS.values() for name in weights} == set(QUESTIONS)
    wanted = wanted_variants(["yes-no-both-orders", "support"])
    assert questions_of(wanted) == ("support", "support-no-yes")
    assert wanted_variants(["all"]) == tuple(VARIANTS)
    with pytest.raises(ConfigError, match=r"'loud'; known are product, .*, all"):
        wanted_variants(["loud"])


TERMS = CorpusTerms(["Aspirin lowers pressure.", "Aspirin helps.", "Sleep is long."])


@pytest.mark.parametrize("name", FEATURES)
def test_a_feature_lies_between_nothing_and_the_claim_itself(name: str) -> None:
    claim = "Aspirin lowers blood pressure."
    same = FEATURES[name](pair(claim, claim), TERMS)
    other = FEATURES[name](pair(claim, "Trains are never late."), TERMS)
    assert same == pytest.approx(1.0)
    assert 0 <= other <= same


@pytest.mark.parametrize(
    ("name", "quote", "score"),
    [
        ("direction", "Aspirin raised the pressure.", 0.0),
        ("direction", "Aspirin did not lower the pressure.", 0.0),
        ("direction", "Aspirin was given.", 0.5),
        ("negation", "Aspirin did not lower the pressure.", 0.0),
        ("guard", "Aspirin lowers the pressure.", 1.0),
        ("overlap-words", "aspirin rose", 1 / 3),
    ],
)
def test_a_feature_of_a_quote(name: str, quote: str, score: float) -> None:
    assert FEATURES[name](pair("Aspirin lowers pressure.", quote), TERMS) == pytest.approx(score)


def test_a_rare_term_weighs_more_in_the_overlap() -> None:
    # idf of aspirin ln(1 + 1.5 / 2.5), of lower and pressur ln(1 + 2.5 / 1.5)
    common, rare = math.log(1 + 1.5 / 2.5), math.log(1 + 2.5 / 1.5)
    found = FEATURES["overlap"](pair("Aspirin lowers pressure.", "Low pressure."), TERMS)
    assert found == pytest.approx(rare / (common + 2 * rare))
