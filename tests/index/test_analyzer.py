"""What a text is searched by."""

import pytest

from index.analyzer import Analyzer, choose_analyzer

ENGLISH = Analyzer(languages=("en",))


@pytest.mark.parametrize(
    ("language", "text", "terms"),
    [
        ("en", "The ships were running.", ["ship", "were", "run"]),
        ("en", "Ｆｕｌｌｗｉｄｔｈ ＡＢＣ", ["fullwidth", "abc"]),
        ("en", "Beyoncé's café", ["beyonc", "cafe"]),
        ("en", "Beyonce", ["beyonc"]),
        ("en", "state-of-the-art", ["state", "art"]),
        ("de", "Die Häuser der Straße", ["haus", "strass"]),
        ("fr", "les chevaux de l'île", ["cheval", "ile"]),
        ("es", "las canciones de la niña", ["cancion", "nin"]),
        ("ru", "книги и книга", ["книг", "и", "книг"]),
        ("zh", "三峡水库", ["三峡", "峡水", "水库"]),
        ("zh", "水", ["水"]),
        ("zh", "用BM25检索", ["用", "bm25", "检索"]),
        ("ja", "東京タワー", ["東京", "京タ", "タワ", "ワー"]),
        ("th", "ไทย", ["ไท", "ทย"]),
        ("xx", "running", ["running"]),
    ],
)
def test_words_are_folded_stemmed_and_freed_of_stop_words(
    language: str, text: str, terms: list[str]
) -> None:
    assert Analyzer(languages=(language,)).document_terms(text, language).content == terms


@pytest.mark.parametrize(
    ("identifier", "terms"),
    [
        ("HK-204/B", ["hk-204/b", "hk", "204", "b"]),
        ("1.2.3", ["1.2.3", "1", "2", "3"]),
        ("read_file", ["read_file", "read", "file"]),
        ("readFile", ["readfile", "read", "file"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("PCRs", ["pcr"]),
        ("C++", ["c++", "c"]),
        ("_private_", ["privat"]),
    ],
)
def test_identifiers_are_found_whole_and_in_parts(identifier: str, terms: list[str]) -> None:
    assert ENGLISH.document_terms(identifier, "en").content == terms


def test_the_whole_of_a_split_identifier_does_not_lengthen_the_document() -> None:
    assert ENGLISH.document_terms("part HK-204/B", "en").n_words == 1 + 3


def test_a_query_is_analysed_in_every_language_of_the_corpus() -> None:
    both = Analyzer(languages=("en", "de"))
    assert both.query_terms("running").content == ["run", "running"]
    assert both.query_terms("Häuser").content == ["hauser", "haus"]
    assert both.document_terms("Häuser", "de").content == ["haus"]


def test_stop_words_are_kept_apart() -> None:
    terms = ENGLISH.query_terms("to be or not to be")
    assert (terms.content, terms.stop) == ([], ["to", "be", "or", "not", "to", "be"])


def test_rare_languages_are_taken_for_mistakes_of_the_detector() -> None:
    analyzer = choose_analyzer({"en": 60, "de": 39, "nl": 1, "und": 900})
    assert analyzer.languages == ("en", "de")
    assert analyzer.document_terms("running", "nl").content == ["run"]


def test_a_corpus_of_unknown_languages_is_read_as_english() -> None:
    assert choose_analyzer({"und": 1}).languages == ("en",)
