"""The guard: numbers, dates, negations and names that a claim has and its quotes lack."""

import pytest

from index.analyzer import Analyzer
from search_agent.evidence.guard import missing_facts

ANALYZER = Analyzer(languages=("en", "zh"))


def missing(claim: str, *quotes: str, same_script: bool = True) -> tuple[str, ...]:
    return missing_facts(
        claim,
        quotes,
        same_script=same_script,
        content_tokens=lambda text: ANALYZER.query_terms(text).content,
    )


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("it made 1,234 copies", "it made 1234 copies"),
        ("it made 1 234 copies", "it made 1.234 copies"),
        ("it made 1’234’567 copies", "it made 1,234,567 copies"),
        ("it made ３００ copies", "it made 300 copies"),
        ("it rose 2.50 points", "it rose 2,5 points"),
        ("it cost 2 million", "it cost 2,000,000"),
        ("it cost 2,500,000", "it cost 2.5 million"),
        ("it cost 300000", "售价30万元"),
        ("it made 3 copies", "it made three copies"),
        ("it made twenty-five copies", "it made 25 copies"),
        ("it began in 1987", "始于一九八七年"),
        ("it made 12 copies", "印了十二册"),
        ("it was 1987", "it was on 1987-03-14"),
        ("model 007", "model 7"),
        ("group 12 300 copies", "300 copies in group 12"),
        ("version 1.2.3", "version 1.2.3 only"),
    ],
)
def test_a_number_written_otherwise_is_the_same_number(claim, quote):
    assert missing(claim, quote) == ()


@pytest.mark.parametrize(
    ("claim", "quote", "lacking"),
    [
        ("it made 300 copies", "it made 30 copies", ("300",)),
        ("it made 300 copies", "it made 3000 copies", ("300",)),
        ("it cost 2 million", "it cost 2 thousand", ("2 million",)),
        ("it rose 2.5 points", "it rose 25 points", ("2.5",)),
        ("it made five copies", "it made six copies", ("five",)),
        ("from 1912 to 1914", "from 1912 on", ("1914",)),
        ("印了500册", "印了300册", ("500",)),
    ],
)
def test_a_number_the_quote_lacks_is_named(claim, quote, lacking):
    assert missing(claim, quote) == lacking


@pytest.mark.parametrize(
    "written",
    ["14 March 1987", "March 14, 1987", "14th of March 1987", "14 Mar 1987", "1987-03-14",
     "1987年3月14日", "14.3.1987", "1987/3/14"],
)  # fmt: skip
@pytest.mark.parametrize(
    "stated", ["1987-03-14", "14 March 1987", "1987年3月14日", "Mar. 14, 1987"]
)
def test_a_date_is_the_same_in_every_notation(written, stated):
    assert missing(f"it opened on {written}", f"it opened on {stated}") == ()


@pytest.mark.parametrize(
    ("claim", "quote", "lacking"),
    [
        ("it opened on 14 March 1987", "it opened on 13 March 1987", ("14 March 1987",)),
        ("it opened on 14 March 1987", "it opened on 14 May 1987", ("14 March 1987",)),
        ("it opened in March 1987", "it opened on 1987-04-01", ("March 1987",)),
        ("it opened in March 1987", "it opened on 1987-03-14", ()),
        ("it opened on 14 March", "it opened on 1987-03-14", ()),
        ("it opened on 14 March 1987", "In 1987 it opened, on 14 March", ()),
    ],
)
def test_dates_agree_in_what_both_state(claim, quote, lacking):
    assert missing(claim, quote) == lacking


@pytest.mark.parametrize(
    ("claim", "quote", "lacking"),
    [
        ("it was not printed", "it was printed", ("not",)),
        ("it was never printed", "it was not printed", ()),
        ("it wasn't printed", "it was printed", ("wasn't",)),
        ("it is no. 7 of the row", "it is 7 of the row", ()),
        ("它没有印刷", "它印刷了", ("没",)),
        ("它没有印刷", "它未曾印刷", ()),
    ],
)
def test_a_denial_needs_a_denial(claim, quote, lacking):
    assert missing(claim, quote) == lacking


@pytest.mark.parametrize(
    ("claim", "quote", "lacking"),
    [
        ("The diary is by Ilse Varga.", "Ilse Varga wrote the diary.", ()),
        ("The diary is by Ilse Varga.", "Ilse Brandt wrote the diary.", ("Varga",)),
        ("Diaries were printed.", "A diary was printed.", ()),
        ("The diary is Varga's.", "Varga wrote the diary.", ()),
        ("They met at NATO.", "They met at the nato seat.", ()),
        ("The book “Blue Mill” sold.", "The book sold.", ("Blue Mill", "Blue", "Mill")),
        ("它叫《蓝磨坊》。", "它叫《红磨坊》。", ("蓝磨坊",)),
        ("It closed in March.", "It closed on 1987-03-14.", ()),
    ],
)
def test_a_name_must_stand_in_the_quotes(claim, quote, lacking):
    assert missing(claim, quote) == lacking


def test_facts_may_be_spread_over_the_quotes():
    assert (
        missing("In 1912 the Halden Press made 300 copies.", "The Halden Press, 1912", "300") == ()
    )


def test_across_scripts_only_numbers_and_dates_count():
    claim = "The Halden Press did not open on 14 March 1987."
    assert missing(claim, "哈尔登出版社1987年3月14日", same_script=False) == ()
    assert missing(claim, "哈尔登出版社1987年3月15日", same_script=False) == ("14 March 1987",)


@pytest.mark.parametrize(
    ("claim", "quote", "lacking"),
    [
        ("报告中LZ-7型网布的平均效率为41.6%", "LZ-7的平均效率为41.6%", ()),
        ("报告中LZ-7型网布的平均效率为41.6%", "平均效率为41.6%，共7个样品", ("LZ-7",)),
    ],
)
def test_a_name_ends_where_a_script_without_blanks_begins(claim, quote, lacking):
    assert missing(claim, quote) == lacking
