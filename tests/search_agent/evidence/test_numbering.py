"""Numbering: each citation's number, the same wherever it is shown."""

from search_agent.evidence.citation import cite
from search_agent.evidence.numbering import number_by_claim, number_citations, references


def test_120_citations_are_numbered_in_order_and_resolve_to_their_own_text(corpus, shown):
    corpus.add("a.txt", *(f"Halden entry {number}." for number in range(240)), chunk_size=240)
    searcher = corpus.open()
    claims = cite(
        [(f"Entry {n}.", [f"S{2 * n + 1}"]) for n in range(120)],
        ledger=shown(searcher),
        store=searcher.store,
        source_root=None,
    )
    numbered = number_citations(claims)
    assert [number for number, _ in numbered] == list(range(1, 121))
    assert [citation.quote for _, citation in numbered] == [
        f"Halden entry {2 * n}." for n in range(120)
    ]


def test_the_same_span_keeps_the_number_of_its_first_use(corpus, shown):
    corpus.add("a.txt", *(f"Halden {number}." for number in range(5)))
    searcher = corpus.open()
    claims = cite(
        [("A.", ["S3"]), ("B.", ["S1", "S3"]), ("C.", []), ("D.", ["S5"])],
        ledger=shown(searcher),
        store=searcher.store,
        source_root=None,
    )
    assert [[number for number, _ in claim] for claim in number_by_claim(claims)] == [
        [1],
        [2, 1],
        [],
        [3],
    ]
    assert [number for number, _ in references(claims)] == [1, 2, 3]
