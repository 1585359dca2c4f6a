"""Languages of questions; a name must not turn one."""

import pytest

from index.query_language import language_of_query


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("How deep is the basin of the harbour?", "en"),
        ("What did Maria de la Cruz discover?", "en"),
        ("Who wrote Die Verwandlung?", "en"),
        ("HK-204/B", None),
        ("", None),
        ("harbour basin depth", None),
        ("三峡水库的总库容是多少？", None),
        ("写《The Art of War》的人是在哪一年出生的？", None),
        ("Wie tief ist das Hafenbecken?", "de"),
        ("Wer hat die Glocke gegossen?", "de"),
        ("Quelle est la profondeur du bassin ?", "fr"),
        ("¿Cuándo se amplió el puerto de Bremen?", "es"),
        ("Quando fu ampliato il porto della città?", "it"),
        ("Hoe diep is het havenbekken?", "nl"),
        ("Jak głęboki jest basen portowy?", "pl"),
        ("Qual é a profundidade do porto?", "pt"),
        ("Limanın derinliği ne kadar ve hangi yılda inşa edildi?", "tr"),
    ],
)
def test_a_question_is_in_the_language_of_its_small_words(
    question: str, language: str | None
) -> None:
    assert language_of_query(question, expected=("en",)) == language


def test_of_languages_with_as_many_words_the_expected_one_is_told() -> None:
    assert language_of_query("Die Hard", expected=("en",)) is None
    assert language_of_query("Die Hard", expected=("de",)) == "de"
    assert language_of_query("What does die mean?", expected=("de", "en")) == "en"  # 2 against 1
    assert language_of_query("the die", expected=("en", "de")) == "en"
    assert language_of_query("the die", expected=("de", "en")) == "de"
