"""Scores of "the sentences support the claim" that need no language model, each in [0, 1].

``CorpusTerms`` gives them the product's own terms, with idf counted over a corpus in memory: an
index of it would say the same but for counting chunks instead of abstracts.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from index.analyzer import Analyzer
from index.encoder import Encoder
from search_agent.bench.direction import direction
from search_agent.bench.support_pairs import ResolvedPair
from search_agent.config import Citations
from search_agent.evidence.guard import is_negated, missing_facts
from search_agent.evidence.records import Support
from search_agent.evidence.support import Judge, check_support, content_overlap

_GRAM = 3


class CorpusTerms:
    """``Terms`` of a corpus in memory."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._analyzer = Analyzer(languages=("en",))
        self._n_documents = 0
        self._frequencies: Counter[str] = Counter()
        for text in texts:
            self._n_documents += 1
            self._frequencies.update(set(self.content_tokens(text)))

    def content_tokens(self, text: str) -> list[str]:
        """Terms of a text as the lexical leg compares them, without stop words."""
        return self._analyzer.query_terms(text).content

    def idf(self, token: str) -> float:
        """Lucene's idf, as the index has it: ln(1 + (N − n + 0.5) / (n + 0.5))."""
        n = self._frequencies[token]
        return math.log1p((self._n_documents - n + 0.5) / (n + 0.5))


def product_support(
    pair: ResolvedPair, terms: CorpusTerms, *, p: float | None, settings: Citations
) -> Support:
    """The product's own support check on what it shows; ``p`` None: without a judge."""
    judge: Judge | None = None if p is None else lambda _claim, _quotes: p
    return check_support(pair.claim, pair.in_context, judge=judge, terms=terms, settings=settings)


def _overlap(pair: ResolvedPair, terms: CorpusTerms) -> float:
    """The product's overlap on the bare sentences: share of the stems found, weighted by idf."""
    return content_overlap(pair.claim, _joined(pair), terms=terms)


def _overlap_unweighted(pair: ResolvedPair, terms: CorpusTerms) -> float:
    """The same, every stem counting alike."""
    return _share(terms.content_tokens(pair.claim), terms.content_tokens(_joined(pair)))


def _overlap_words(pair: ResolvedPair, _terms: CorpusTerms) -> float:
    """Share of the claim's words as written, neither stemmed nor filtered."""
    return _share(pair.claim.casefold().split(), _joined(pair).casefold().split())


def _overlap_trigrams(pair: ResolvedPair, _terms: CorpusTerms) -> float:
    """Share of the claim's character trigrams, words bounded by blanks."""
    return _share(list(_trigrams(pair.claim)), list(_trigrams(_joined(pair))))


def _overlap_soft(pair: ResolvedPair, terms: CorpusTerms) -> float:
    """Idf-weighted mean, over the claim's stems, of the likeness to the most alike stem found.

    Likeness is Dice over character trigrams: ``induct`` is near ``inducible``.
    """
    wanted = sorted(set(terms.content_tokens(pair.claim)))
    found = set(terms.content_tokens(_joined(pair)))
    total = sum(terms.idf(token) for token in wanted)
    if not total or not found:
        return 0.0
    best = (terms.idf(token) * max(_dice(token, other) for other in found) for token in wanted)
    return sum(best) / total


def _cosine(pair: ResolvedPair, terms: CorpusTerms) -> float:
    """Cosine of the tf-idf vectors: unlike an overlap it falls with what the claim does not say."""
    claim, quotes = (
        {token: n * terms.idf(token) for token, n in Counter(terms.content_tokens(text)).items()}
        for text in (pair.claim, _joined(pair))
    )
    lengths = math.hypot(*claim.values()) * math.hypot(*quotes.values())
    dot = sum(weight * quotes.get(token, 0.0) for token, weight in claim.items())
    return dot / lengths if lengths else 0.0


def _overlap_bigrams(pair: ResolvedPair, terms: CorpusTerms) -> float:
    """Share of the claim's pairs of neighbouring stems that are neighbours there too."""
    claim, quotes = (terms.content_tokens(text) for text in (pair.claim, _joined(pair)))
    return _share(
        [" ".join(two) for two in pairwise(claim)],
        [" ".join(two) for two in pairwise(quotes)],
    )


def _guard(pair: ResolvedPair, terms: CorpusTerms) -> float:
    """1 where the product's guard finds nothing missing in the bare sentences, else 0."""
    missing = missing_facts(
        pair.claim, pair.quotes, same_script=True, content_tokens=terms.content_tokens
    )
    return float(not missing)


def _negation(pair: ResolvedPair, _terms: CorpusTerms) -> float:
    """1 where claim and sentences are both negated or both not, else 0."""
    return float(is_negated(pair.claim) == is_negated(_joined(pair)))


def _direction(pair: ResolvedPair, terms: CorpusTerms) -> float:
    """1 where both speak of more or both of less, 0 where they disagree, else 0.5."""
    claim, quotes = (
        direction(text, terms.content_tokens(text)) for text in (pair.claim, _joined(pair))
    )
    return (1 + claim * quotes) / 2


FEATURES: dict[str, Callable[[ResolvedPair, CorpusTerms], float]] = {
    "overlap": _overlap,
    "overlap-unweighted": _overlap_unweighted,
    "overlap-words": _overlap_words,
    "overlap-trigrams": _overlap_trigrams,
    "overlap-soft": _overlap_soft,
    "overlap-bigrams": _overlap_bigrams,
    "cosine": _cosine,
    "guard": _guard,
    "negation": _negation,
    "direction": _direction,
}


def dense_similarities(pairs: Sequence[ResolvedPair], encoder: Encoder) -> list[float]:
    """Cosine of the embeddings of claim and sentences, negatives as 0; each text embedded once."""
    texts = list(dict.fromkeys(text for pair in pairs for text in (pair.claim, _joined(pair))))
    vectors = dict(zip(texts, encoder.encode_passages(texts), strict=True))
    return [max(0.0, float(vectors[pair.claim] @ vectors[_joined(pair)])) for pair in pairs]


def _joined(pair: ResolvedPair) -> str:
    return "\n".join(pair.quotes)


def _share(wanted: Sequence[str], found: Sequence[str]) -> float:
    distinct = set(wanted)
    return len(distinct & set(found)) / len(distinct) if distinct else 0.0


@lru_cache(maxsize=65536)
def _trigrams(text: str) -> frozenset[str]:
    padded = f" {' '.join(text.casefold().split())} "
    return frozenset(padded[i : i + _GRAM] for i in range(len(padded) - _GRAM + 1))


def _dice(first: str, second: str) -> float:
    a, b = _trigrams(first), _trigrams(second)
    return 2 * len(a & b) / (len(a) + len(b)) if a or b else 0.0
