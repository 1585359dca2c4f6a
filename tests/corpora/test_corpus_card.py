"""``find_corpus``: a shipped name or any folder becomes a CorpusCard."""

from pathlib import Path

import pytest

from corpora.card import find_corpus
from corpora.errors import CorpusNotFound, MalformedRecord


def test_a_folder_without_a_card_gets_defaults_and_its_own_name(tmp_path: Path):
    folder = tmp_path / "house rules 2024"
    folder.mkdir()

    card = find_corpus(str(folder))

    assert card.name == "house-rules-2024"
    assert card.root == folder.resolve()
    assert card.include == ("**/*",)


def test_a_given_name_wins_over_the_card(tmp_path: Path):
    (tmp_path / "corpus.toml").write_text('name = "from-card"\n', encoding="utf-8")

    assert find_corpus(str(tmp_path)).name == "from-card"
    assert find_corpus(str(tmp_path), name="given").name == "given"


def test_an_unknown_key_is_named_with_what_is_allowed(tmp_path: Path):
    (tmp_path / "corpus.toml").write_text('langauges = ["en"]\n', encoding="utf-8")

    with pytest.raises(
        MalformedRecord, match=r"langauges: .*allowed keys are name, root, .*languages"
    ):
        find_corpus(str(tmp_path))


@pytest.mark.parametrize(
    ("card", "says"),
    [
        ('languages = "en"\n', "languages"),
        ("cross_lingual = maybe\n", "is no TOML"),
        ('[[label_rules]]\nglob = "hr/**"\n', r"label_rules\.0\.labels"),
    ],
)
def test_a_wrong_card_is_refused_at_the_fault(tmp_path: Path, card: str, says: str):
    (tmp_path / "corpus.toml").write_text(card, encoding="utf-8")

    with pytest.raises(MalformedRecord, match=says):
        find_corpus(str(tmp_path))


def test_an_unknown_corpus_is_refused_with_the_shipped_names(tmp_path: Path):
    with pytest.raises(CorpusNotFound, match=r"'no-such-corpus'.*shipped are demo, toy"):
        find_corpus("no-such-corpus")
    with pytest.raises(CorpusNotFound, match="not a folder"):
        find_corpus(str(tmp_path / "absent"))


def test_a_file_is_no_corpus(tmp_path: Path):
    file = tmp_path / "a.txt"
    file.write_text("text", encoding="utf-8")

    with pytest.raises(CorpusNotFound, match="not a folder"):
        find_corpus(str(file))


@pytest.mark.parametrize(
    "rule",
    [
        'glob = "/hr/**"\nlabels = ["hr"]',
        'glob = "./hr/**"\nlabels = ["hr"]',
        'glob = "hr/"\nlabels = ["hr"]',
        'glob = "hr\\\\\\\\**"\nlabels = ["hr"]',
        'glob = "hr/**"\nlabels = []',
        'glob = "hr/**"\nlabels = [" "]',
    ],
)
def test_a_label_rule_that_would_restrict_nothing_is_malformed(tmp_path: Path, rule: str) -> None:
    (tmp_path / "corpus.toml").write_text(f"[[label_rules]]\n{rule}\n", encoding="utf-8")

    with pytest.raises(MalformedRecord, match="label_rules"):
        find_corpus(str(tmp_path))
