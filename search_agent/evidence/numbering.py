"""Numbering: the number of each citation, the same in every rendering and in ``show RUN#n``."""

from collections.abc import Iterable

from search_agent.evidence.records import Citation, Claim


def number_by_claim(claims: Iterable[Claim]) -> list[list[tuple[int, Citation]]]:
    """For each claim its citations with their numbers: from 1, in order of the claims.

    The same span of the same document keeps the number of its first use.
    """
    numbers: dict[tuple[str, int, int], int] = {}
    return [
        [
            (numbers.setdefault((c.doc_id, c.start, c.end), len(numbers) + 1), c)
            for c in claim.citations
        ]
        for claim in claims
    ]


def number_citations(claims: Iterable[Claim]) -> list[tuple[int, Citation]]:
    """Every citation with its number, in order of the claims."""
    return [numbered for claim in number_by_claim(claims) for numbered in claim]


def references(claims: Iterable[Claim]) -> list[tuple[int, Citation]]:
    """The numbered citations, each number once."""
    first: dict[int, Citation] = {}
    for number, citation in number_citations(claims):
        first.setdefault(number, citation)
    return sorted(first.items())
