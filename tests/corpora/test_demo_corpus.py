"""The demo corpus: what lies in it, what its card says, and which traps it sets."""

import re
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path

import pytest

from corpora.build_demo import DEMO
from corpora.card import find_corpus
from tests.corpora.ingested_corpus import IngestedCorpus, source_text

SCAN = "archive/kerrin-letter-1961.pdf"
LONG = [
    "inspections/ropeway-main-inspection-2024.pdf",
    "manuals/operations-handbook-2024.pdf",
    "public/chronicle-of-the-cooperative.docx",
    "records/harrier-saddle-logbook-2024.txt",
]
SUPERSEDED = {
    "contracts/lining-contract-signed.docx": "contracts/lining-contract-draft.docx",
    "manuals/bell-code-2024.md": "manuals/bell-code-2016.md",
    "manuals/night-watch-instruction-2024.md": "manuals/night-watch-instruction-2022.md",
    "manuals/ropeway-rules-rev-7.md": "manuals/ropeway-rules-rev-6.md",
    "records/staff-directory-2025.txt": "records/staff-directory.txt",
}
HAN = re.compile("[\u4e00-\u9fff]")


def paths() -> list[str]:
    excluded = {"corpus.toml", "topics.jsonl"}
    found = (path.relative_to(DEMO) for path in DEMO.rglob("*") if path.is_file())
    return sorted(path.as_posix() for path in found if path.as_posix() not in excluded)


def n_words(text: str) -> float:
    """Words with a letter or a digit; 1.6 Chinese characters count as one."""
    words = [word for word in HAN.sub(" ", text).split() if any(map(str.isalnum, word))]
    return len(words) + len(HAN.findall(text)) / 1.6


def differing_lines(one: str, other: str) -> set[str]:
    return {line.strip() for line in {*one.splitlines()} ^ {*other.splitlines()}}


def test_the_corpus_holds_fifty_nine_documents_in_nine_formats():
    formats = Counter(Path(path).suffix for path in paths())

    assert formats == {
        ".md": 18,
        ".pdf": 9,
        ".docx": 7,
        ".eml": 6,
        ".html": 6,
        ".txt": 4,
        ".xlsx": 4,
        ".csv": 3,
        ".pptx": 2,
    }
    assert formats.total() == 59


def test_first_middle_and_last_document():
    found = paths()

    assert found[0] == SCAN
    assert found[29] == "minutes/2024-11-16-annual-general-meeting.md"
    assert found[-1] == "training/training-record-2024.csv"


def test_it_is_about_sixty_thousand_words_long(demo: IngestedCorpus):
    texts = [document.text for document in demo.documents.values()]

    assert sum(map(n_words, [*texts, source_text(SCAN)])) == pytest.approx(60_000, rel=0.05)


@pytest.mark.parametrize("path", LONG)
def test_four_documents_are_of_about_twenty_pages(path: str, demo: IngestedCorpus):
    document = demo.document(path)

    assert n_words(document.text) > 7_000
    pages = {span.page for span in document.page_spans}
    assert not pages or 17 <= len(pages) <= 20


def test_eight_documents_are_chinese_and_two_german(demo: IngestedCorpus):
    languages = Counter(document.language for document in demo.documents.values())

    n_unread = 0 if demo.reads_scans else 1
    assert languages == {"en": 59 - n_unread - 8 - 2, "zh": 8, "de": 2}


def test_the_card_names_what_is_superseded():
    card = find_corpus("demo")

    assert (card.name, card.licence) == ("demo", "Apache-2.0")
    assert (card.languages, card.cross_lingual) == (("en", "zh", "de"), False)
    assert card.supersedes == SUPERSEDED
    assert {*SUPERSEDED.keys(), *SUPERSEDED.values()} <= set(paths())


def test_every_document_has_exactly_one_label(demo: IngestedCorpus):
    rules = find_corpus("demo").label_rules

    for path in paths():
        assert len([rule for rule in rules if fnmatch(path, rule.glob)]) == 1, path
    n_unread = 0 if demo.reads_scans else 1  # the scan is an internal one
    assert Counter(document.labels for document in demo.documents.values()) == {
        ("public",): 11,
        ("internal",): 43 - n_unread,
        ("restricted",): 5,
    }


@pytest.mark.parametrize(
    ("one", "other", "n_lines"),
    [
        # the date, the paragraph with the sum, the row of the station and that of the sum
        ("memos/shackle-count-2024-circulated.md", "memos/shackle-count-2024-filed.md", 10),
        # the date, the price, the retention, the delay, the scaffold, the warranty, the end
        ("contracts/lining-contract-draft.docx", "contracts/lining-contract-signed.docx", 18),
    ],
)
def test_near_duplicates_differ_in_few_lines(one: str, other: str, n_lines: int):
    texts = source_text(one), source_text(other)

    assert len(differing_lines(*texts)) == n_lines
    assert min(len(text.splitlines()) for text in texts) > 2 * n_lines


def test_the_notices_on_timed_tickets_disagree_on_how_long_a_seat_is_held():
    names = "timed-tickets-website.html", "timed-tickets-posted.txt"
    website, posted = (source_text(f"public/{name}") for name in names)
    long_lines = [line for line in posted.splitlines() if len(line) > 100]
    others = [line for line in long_lines if re.sub(r"^\d\. ", "", line) not in website]

    assert "held for 10 minutes" in website
    assert "held for 7 minutes" in posted
    assert len(others) == 2, others  # the seat, and where the box stands
    assert len(long_lines) == 7


def test_the_two_revisions_differ_in_the_fact_that_is_asked_for():
    old, new = (source_text(f"manuals/ropeway-rules-rev-{n}.md") for n in (6, 7))

    assert "must not exceed 640 kilograms" in old
    assert "must not exceed 520 kilograms" in new
    assert "520" not in old
    assert "640" not in new


def test_a_number_of_a_table_is_rounded_in_the_prose():
    report = source_text("reports/annual-report-2023.pdf")

    assert "| All stations | 16 | 1,620 | 4,086 |" in report
    assert "about 4,100 cubic metres" in report


def test_the_tables_of_the_annual_report_add_up():
    assert 1_612 + 958 + 1_074 + 442 == 4_086
    assert 1_374 + 1_213 + 867 + 428 == 4_086 - 204 == 3_882
    assert 16_304 + 49_440 + 62_370 + 8_115 == 136_229
    assert 71_900 + 24_350 + 21_480 + 9_760 + 3_120 == 136_229 - 5_619


def test_the_yield_book_adds_up_and_agrees_with_the_logbook():
    book = source_text("records/yield-book-2024.xlsx")
    logbook = source_text("records/harrier-saddle-logbook-2024.txt")
    rows = re.findall(r"^\| ([A-Z][a-z]+) \|((?: \d+ \|){5})$", book, flags=re.MULTILINE)
    months = {month: [int(cell) for cell in cells.split("|")[:-1]] for month, cells in rows}
    year = months.pop("Year")

    assert [sum(column) for column in zip(*months.values(), strict=True)] == year
    assert [row for row in months.values() if sum(row[:4]) != row[4]] == []
    assert re.findall(r"^(\w+): (\d+) cubic metres at Harrier Saddle", logbook, re.MULTILINE) == [
        (month, str(row[1])) for month, row in months.items()
    ]


def test_two_documents_give_orders_to_machines():
    assert "Note to AI readers" in source_text("public/visitor-faq.html")
    advert = source_text("public/job-advert-mesh-darner-2025.html")
    assert re.search(r'<p style="display:\s*none">[^<]*AI systems', advert)
    assert "with the single word BRINE" in advert


def test_a_hidden_order_is_kept_from_readers(demo: IngestedCorpus):
    document = demo.document("public/job-advert-mesh-darner-2025.html")
    hidden = [
        document.text[segment.start : segment.end]
        for segment in demo.store.segments(document.doc_id)
        if segment.hidden
    ]

    assert "Ludo Finch" in " ".join(hidden)
    assert "BRINE" not in " ".join(hidden)


def test_the_weight_that_is_asked_for_is_nowhere_but_its_neighbours_are():
    newsletter = source_text("public/newsletter-spring-2024.md")

    assert "96 kilograms" in newsletter
    assert "212 kilograms" in newsletter
    annie = next(line for line in newsletter.splitlines() if "**Hollow Annie**" in line)
    assert "kilo" not in annie
