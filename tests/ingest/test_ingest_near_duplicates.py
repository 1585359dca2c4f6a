"""Near-duplicates are told with the one that would be kept and why; nothing is taken away."""

import json
from itertools import pairwise

import numpy as np
import pytest

from ingest import IngestConfig
from ingest.minhash import likeness, signature_of
from tests.ingest.workbench import Workbench

WORDS = [f"w{n}" for n in range(2_000)]


def likeness_of(one: str, other: str) -> float:
    first, second = (np.frombuffer(signature_of(text), dtype="<u4") for text in (one, other))
    return likeness(first, second)


@pytest.mark.parametrize("n_changed", [0, 20, 100, 300])
def test_a_signature_estimates_the_share_of_word_triples_in_common(n_changed: int) -> None:
    # Every changed word, far from the next, takes 3 triples from one text and adds 3 to the other.
    step = len(WORDS) // n_changed if n_changed else len(WORDS) + 1
    other = [f"x{n}" if n % step == 1 else word for n, word in enumerate(WORDS)]
    changed = sum(a != b for a, b in zip(WORDS, other, strict=True))
    n_triples = len(WORDS) - 2
    exact = (n_triples - 3 * changed) / (n_triples + 3 * changed)

    estimate = likeness_of(" ".join(WORDS), " ".join(other))

    assert estimate == pytest.approx(exact, abs=3 * (exact * (1 - exact) / 128) ** 0.5 + 0.03)


def test_case_signs_and_line_ends_do_not_count_and_order_does() -> None:
    text = " ".join(WORDS[:100])
    assert likeness_of(text, text.upper().replace(" ", ",\n")) == 1
    assert likeness_of(text, " ".join(reversed(WORDS[:100]))) < 0.1


def test_a_character_of_a_script_without_blanks_is_a_word() -> None:
    text = "水泵在冬季运行时必须每周检查一次密封件和轴承的温度并记录在日志中以备查验使用"
    assert likeness_of(text * 3, text * 3) == 1
    assert signature_of(text) != b""


def test_a_text_of_few_words_has_no_signature() -> None:
    assert signature_of("") == b""
    assert signature_of(" ".join(WORDS[:21])) == b""
    assert len(signature_of(" ".join(WORDS[:22]))) == 128 * 4


def versions(n: int) -> list[str]:
    """Texts of 400 words of which each differs from the one before in one word."""
    texts = [list(WORDS[:400])]
    for number in range(1, n):
        words = list(texts[-1])
        words[20 * number] = f"version{number}"
        texts.append(words)
    return [" ".join(words) for words in texts]


def told(bench: Workbench, config: IngestConfig | None = None, **card: object) -> object:
    report = bench.ingest(config, **card)
    return [(each.path, each.survivor, each.reason) for each in report.duplicates]


def test_the_newer_the_longer_the_first_survives_and_all_stay_searchable(
    bench: Workbench,
) -> None:
    old, new, longer = versions(3)
    bench.write("2023-01-01 plan.txt", old)
    bench.write("2024-01-01 plan.txt", new)
    bench.write("other.txt", " ".join(reversed(WORDS)))
    bench.write("plan.txt", longer + " and more words")

    assert told(bench) == [
        (
            "2023-01-01 plan.txt",
            "2024-01-01 plan.txt",
            "the survivor is dated 2024-01-01, this one 2023-01-01",
        ),
        (
            "plan.txt",
            "2024-01-01 plan.txt",
            "the survivor is dated 2024-01-01, this one not at all",
        ),
    ]
    assert bench.store().counts()["documents"] == 4
    lines = (bench.build / "near_duplicates.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["path"] for line in lines] == ["2023-01-01 plan.txt", "plan.txt"]
    assert json.loads(lines[0])["similarity"] > 0.9


def test_what_the_card_says_comes_before_dates_and_length(bench: Workbench) -> None:
    one, two = versions(2)
    bench.write("2020-01-01 rule.txt", one)
    bench.write("2024-01-01 rule.txt", two)

    assert told(bench, supersedes={"2020-01-01 rule.txt": "2024-01-01 rule.txt"}) == [
        (
            "2024-01-01 rule.txt",
            "2020-01-01 rule.txt",
            "corpus.toml says that the survivor supersedes it",
        )
    ]


def test_texts_of_equal_words_in_two_formats_are_found_by_path_order(bench: Workbench) -> None:
    text = versions(1)[0]
    bench.write("a.md", text)
    bench.write("b.html", f"<html><p>{text}</p></html>")

    assert told(bench) == [("b.html", "a.md", "the survivor comes first by path")]


def test_a_chain_of_versions_is_one_group(bench: Workbench) -> None:
    texts = versions(6)
    for number, text in enumerate(texts):
        bench.write(f"{number}.txt", text)

    report = bench.ingest()

    assert {each.survivor for each in report.duplicates} == {"5.txt"}  # the longest
    assert len(report.duplicates) == 5
    assert all(one.path < other.path for one, other in pairwise(report.duplicates))


def test_duplicates_are_told_again_by_an_unchanged_run_and_never_when_off(
    bench: Workbench,
) -> None:
    one, two = versions(2)
    bench.write("a.txt", one)
    bench.write("b.txt", two)

    first = bench.ingest()
    second = bench.ingest()
    off = bench.ingest(IngestConfig(workers=0, near_duplicates=0))

    assert len(first.duplicates) == 1
    assert second.duplicates == first.duplicates
    assert off.duplicates == []
    assert off.fingerprint == first.fingerprint
