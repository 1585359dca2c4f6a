"""What an encoder leaves unread of a corpus."""

import pytest

from corpora.manifest import read_manifest, write_manifest
from index import IndexingError, build_index, hash_card
from index.unread import languages_of_corpus, unread_by
from tests.index.small_ingest import CHINESE, HARBOUR, LIGHTHOUSE, Source, WriteIngest

ENGLISH = hash_card(languages=("en",))


def say(folder, **settings):
    """Note in the ingest manifest what ``corpus.toml`` says."""
    manifest = read_manifest(folder / "ingest")
    del manifest["schema"]
    write_manifest(folder / "ingest", {**manifest, **settings})


def german_among(n_english: int) -> list[Source]:
    german = Source(doc_id="d_g", text="Das Hafenbecken ist elf Meter tief.", language="de")
    english = [Source(doc_id=f"d_{i}", text=f"The harbour {i}.") for i in range(n_english)]
    return [german, *english]


def test_languages_of_the_chunks_that_the_encoder_does_not_name(write_ingest: WriteIngest) -> None:
    folder = write_ingest([HARBOUR, LIGHTHOUSE, CHINESE])
    assert languages_of_corpus(folder / "ingest") == ("en", "zh")
    assert unread_by(ENGLISH, folder / "ingest").languages == ("zh",)
    assert unread_by(hash_card(), folder / "ingest").languages == ()


@pytest.mark.parametrize(("n_english", "languages"), [(49, ("de",)), (50, ())])
def test_a_stray_chunk_is_no_language_of_the_corpus(
    write_ingest: WriteIngest, n_english: int, languages: tuple[str, ...]
) -> None:
    folder = write_ingest(german_among(n_english))  # one in 50 is 2 %, one in 51 is less
    assert unread_by(ENGLISH, folder / "ingest").languages == languages


def test_a_named_language_counts_however_rare(write_ingest: WriteIngest) -> None:
    folder = write_ingest(german_among(60))
    say(folder, languages=["en", "de", "fr"])
    assert unread_by(ENGLISH, folder / "ingest").languages == ("de", "fr")
    manifest = build_index(folder, encoders=[ENGLISH])
    assert manifest.lexical.analyzer.languages == ("en", "de")  # and its chunks are stemmed in it


def test_a_corpus_may_ask_for_questions_in_other_languages(write_ingest: WriteIngest) -> None:
    folder = write_ingest([HARBOUR])
    assert not unread_by(ENGLISH, folder / "ingest").cross_lingual
    say(folder, cross_lingual=True)
    assert unread_by(ENGLISH, folder / "ingest").cross_lingual


def test_without_ingestion_the_message_says_what_to_run(tmp_path) -> None:
    with pytest.raises(IndexingError, match="make ingest"):
        unread_by(ENGLISH, tmp_path)
