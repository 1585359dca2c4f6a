"""Which encoders a corpus is built with: its languages say it, and what is on the machine."""

from pathlib import Path

import pytest

from corpora.encoder_card import EncoderCard
from index import hash_card
from search_agent.cli.build_layout import CorpusBuild
from search_agent.cli.encoders import encoders_of_build, with_second_encoder
from search_agent.errors import ModelUnavailable
from search_agent.model.registry import LockEntry, write_lock
from tests.index.small_ingest import CHINESE, HARBOUR, LIGHTHOUSE, write_ingest_folder

from .scripted_command_line import CommandLine, ReadJson

FIRST = EncoderCard(
    name="all-MiniLM-L6-v2", folder=Path("m"), sha256="1" * 64, dimension=384, max_tokens=256
)
ENGLISH, MIXED = [HARBOUR, LIGHTHOUSE], [HARBOUR, LIGHTHOUSE, CHINESE]


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """A models folder with the second encoder in its lock; its files are not read here."""
    folder = tmp_path / "models"
    (folder / "use").mkdir(parents=True)
    entry = LockEntry(
        name="use-multilingual-v3", kind="usem3", path="use", sha256="2" * 64, bytes=0,
        dimension=512, context=256, languages=("en", "zh"),
    )  # fmt: skip
    write_lock(entry, folder)
    return folder


def chosen(tmp_path: Path, sources: list, models: Path, first: EncoderCard = FIRST):
    """(names of the encoders, what the user was told)."""
    write_ingest_folder(tmp_path / "c", sources)
    told: list[str] = []
    cards = with_second_encoder(
        first, tmp_path / "c" / "ingest", tell=told.append, models_folder=models
    )
    return [card.name for card in cards], told


def test_an_english_corpus_takes_the_first_encoder_alone(tmp_path: Path, models: Path) -> None:
    assert chosen(tmp_path, ENGLISH, models) == (["all-MiniLM-L6-v2"], [])


def test_a_corpus_with_chinese_is_embedded_twice(tmp_path: Path, models: Path) -> None:
    names, told = chosen(tmp_path, MIXED, models)
    assert names == ["all-MiniLM-L6-v2", "use-multilingual-v3"]
    assert told == [
        "the corpus holds zh, which all-MiniLM-L6-v2 does not read:"
        " every chunk is embedded by use-multilingual-v3 too"
    ]


def test_where_the_second_is_absent_one_line_names_the_way(tmp_path: Path) -> None:
    names, told = chosen(tmp_path, MIXED, tmp_path / "no-models")
    assert names == ["all-MiniLM-L6-v2"]
    assert len(told) == 1
    assert "`deepsearch models fetch use-multilingual-v3`" in told[0]


def test_an_encoder_that_reads_it_all_needs_no_second(tmp_path: Path, models: Path) -> None:
    multilingual = EncoderCard(
        name="mine", folder=Path("m"), sha256="1" * 64, dimension=8, max_tokens=9,
        languages=("en", "zh"),
    )  # fmt: skip
    assert chosen(tmp_path, MIXED, models, multilingual) == (["mine"], [])


def test_the_hash_encoder_does_without_models(tmp_path: Path, models: Path) -> None:
    assert chosen(tmp_path, MIXED, models, hash_card(languages=("en",))) == (["hash"], [])


def test_cross_lingual_in_the_corpus_file_asks_for_the_second(
    command_line: CommandLine, tmp_path: Path, models: Path, printed_json: ReadJson
) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "one.txt").write_text("The mill stands on the hill.\n", encoding="utf-8")
    (folder / "corpus.toml").write_text("cross_lingual = true\n", encoding="utf-8")
    ingest = ("ingest", str(folder), "--corpus", "mill", "--encoder", "hash", "-q", "--json")
    assert command_line.on_builds(*ingest) == 0
    printed_json()
    told: list[str] = []
    build = CorpusBuild(build_folder=command_line.build_folder, name="mill")
    cards = with_second_encoder(FIRST, build.ingest, tell=told.append, models_folder=models)
    assert [card.name for card in cards] == ["all-MiniLM-L6-v2", "use-multilingual-v3"]
    assert told[0].startswith("the corpus is to be asked in other languages than its own")


def test_named_encoders_are_taken_as_they_are(
    toy: CommandLine, tmp_path: Path, models: Path
) -> None:
    build = CorpusBuild(build_folder=toy.build_folder, name="toy")
    told: list[str] = []
    cards = encoders_of_build(
        build, ["hash", "use-multilingual-v3"], tell=told.append, models_folder=models
    )
    assert [card.name for card in cards] == ["hash", "use-multilingual-v3"]
    with pytest.raises(ModelUnavailable, match="known are"):
        encoders_of_build(build, ["no-such"], tell=told.append, models_folder=models)
    assert told == []
