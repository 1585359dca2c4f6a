"""``bench answers`` with less or more than the corpus, for a split, by kind and by language."""

import json
from pathlib import Path

import pytest

from search_agent.model.scripted import ScriptedCall, Words

from .scripted_command_line import CommandLine, ReadJson, answer_barometer

ANSWERS = ("bench", "answers", "toy", "--encoder", "hash", "--strategy", "single-shot", "--quiet")
PLAIN = ("bench", "answers", "toy", "--encoder", "hash", "--quiet")


def guess_from_memory(call: ScriptedCall) -> dict[str, object]:
    assert call.call_path.startswith("closed-book/")
    if "barometer" in call.messages[-1].content:
        return {"thought": "", "answer": "Ewan Sorrel"}
    return {"thought": "", "missing": "all of it"}


def test_a_closed_book_asks_the_model_alone_and_cites_nothing(
    command_line: CommandLine, printed_json: ReadJson
) -> None:
    command_line.script = guess_from_memory
    assert command_line.on_builds(*PLAIN, "--closed-book", "--n", "3", "--json") == 0
    content = printed_json()
    assert (content["strategy"], content["mode"]) == ("closed-book", "closed-book")
    assert content["exact_match"] == pytest.approx(1 / 3, abs=1e-4)
    absent = ("citation_precision", "citation_recall", "all_gold_at_10", "citations_exist")
    assert [content[name] for name in absent] == [None] * 4


def test_an_oracle_searches_only_the_gold(
    command_line: CommandLine, printed_json: ReadJson
) -> None:
    prompts: list[str] = []

    def record(call: ScriptedCall) -> Words:
        prompts.append("\n".join(message.content for message in call.messages))
        return answer_barometer(call)

    command_line.script = record
    assert command_line.on_builds(*ANSWERS, "--oracle", "--n", "3", "--json") == 0
    content = printed_json()
    assert (content["strategy"], content["mode"]) == ("single-shot", "oracle")
    assert content["per_question"][2]["exact_match"] == 1.0
    assert content["all_gold_at_10"] == 1.0
    # gold of toy-3 is the weather notes, whose words no other question's prompt shows
    assert ["barometer of Little Tarn was made" in prompt for prompt in prompts] == [
        False,
        False,
        True,
    ]


def test_without_gold_every_question_wants_an_abstention(
    command_line: CommandLine, printed_json: ReadJson
) -> None:
    assert command_line.on_builds(*ANSWERS, "--filter-gold", "--n", "3", "--json") == 0
    content = printed_json()
    assert content["mode"] == "filter-gold"
    assert [row["answerable"] for row in content["per_question"]] == [False] * 3
    # the script finds no passage that names the maker
    assert (content["abstention_precision"], content["abstention_recall"]) == (1.0, 1.0)
    assert (content["exact_match"], content["all_gold_at_10"]) == (None, None)


def test_modes_are_kept_apart_and_none_is_asked_twice(
    command_line: CommandLine, printed_json: ReadJson
) -> None:
    def reused(*flags: str) -> int:
        assert command_line.on_builds(*ANSWERS, "--n", "2", "--json", *flags) == 0
        return int(printed_json()["reused"])

    modes: tuple[tuple[str, ...], ...] = ((), ("--oracle",), ("--filter-gold",))
    assert [reused(*flags) for flags in modes] == [0, 0, 0]
    assert [reused(*flags) for flags in modes] == [2, 2, 2]
    runs = command_line.build_folder / "bench-toy" / "runs"
    assert {path.name for path in runs.iterdir()} == {
        f"single-shot{mode}-standard-scripted-0-toy-{number}"
        for mode in ("", "-oracle", "-filter-gold")
        for number in (1, 2)
    }


def test_a_run_from_before_there_were_modes_is_still_valid(
    command_line: CommandLine, printed_json: ReadJson
) -> None:
    assert command_line.on_builds(*ANSWERS, "--n", "1", "--json") == 0
    printed_json()
    [run] = (command_line.build_folder / "bench-toy" / "runs").iterdir()
    record = json.loads((run / "bench_key.json").read_text(encoding="utf-8"))
    del record["key"]["mode"]
    (run / "bench_key.json").write_text(json.dumps(record), encoding="utf-8")
    assert command_line.on_builds(*ANSWERS, "--n", "1", "--json") == 0
    assert printed_json()["reused"] == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("toy", "--oracle", "--filter-gold"), "--oracle and --filter-gold exclude one another"),
        (("toy", "--closed-book", "--strategy", "react"), "leave out --strategy"),
        ((), "name a data set"),
    ],
)
def test_what_cannot_be_asked_is_told_before_anything_is_loaded(
    arguments: tuple[str, ...],
    says: str,
    command_line: CommandLine,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert command_line.on_builds("bench", "answers", "--encoder", "hash", *arguments) == 2
    assert says in capsys.readouterr().err
    assert command_line.loads == []


# ---- splits, kinds, languages


def write_topics(folder: Path, **split_of: str) -> Path:
    lines = [
        {"query_id": name, "text": f"Who is {name}?", "split": split, "kind": f"of-{split}"}
        for name, split in split_of.items()
    ]
    path = folder / "topics.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_a_split_is_taken_before_the_first_n(
    command_line: CommandLine, printed_json: ReadJson, tmp_path: Path
) -> None:
    topics = write_topics(tmp_path, a="test", b="dev", c="dev", d="")
    for split, expected in (("dev", ["b"]), ("test", ["a"]), ("all", ["a"])):
        arguments = ("--topics", str(topics), "--split", split, "--n", "1", "--json")
        assert command_line.on_builds(*ANSWERS, *arguments) == 0
        content = printed_json()
        assert content["split"] == split
        assert [row["query_id"] for row in content["per_question"]] == expected


def test_a_split_without_topics_is_refused(
    command_line: CommandLine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    topics = write_topics(tmp_path, a="dev", b="")
    arguments = ("--topics", str(topics), "--split", "test")
    assert command_line.on_builds(*ANSWERS, *arguments) == 2
    assert "splits in the file: dev, none" in capsys.readouterr().err


def test_measures_by_kind_and_language_add_up(
    command_line: CommandLine, printed_json: ReadJson, tmp_path: Path
) -> None:
    out = tmp_path / "result.json"
    assert command_line.on_builds(*ANSWERS, "--n", "0", "--json", "--out", str(out)) == 0
    content = printed_json()
    for groups in (content["by_kind"], content["by_language"]):
        assert sum(group["n"] for group in groups.values()) == content["n"] == 5
    assert set(content["by_language"]) == {"en", "zh"}
    assert content["by_kind"]["missing_attribute"]["abstention_recall"] == 1.0
    assert content["by_language"]["zh"]["n"] == 1
