"""Analyzer: text to the terms that the lexical leg indexes and searches.

NFKC, words (``words.py``), case folding, stop words, Latin letters without accents, Snowball stems.
Documents are analysed in their language; a query in every language of the corpus, its terms united,
because a question's language is not known and a wrong guess would find nothing.

Why not whitespace splitting, as rank-bm25's examples do: on Chinese it loses all (nDCG .96 to .03),
on English .02 to .15.
"""

import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from index.script import script_of_language, script_of_text
from index.stemming import stem
from index.stop_words import STOP_WORDS
from index.words import compounds, split_compound

ANALYZER_VERSION = 1
"""Raised whenever the same text would give other terms; part of the index fingerprint."""

_MINOR_SHARE = 0.02
"""A language of fewer chunks than this is taken for a wrong guess of the language detector, unless
the corpus is said to hold it."""


class Terms(NamedTuple):
    """Terms of a text in order: content, and stop words apart."""

    content: list[str]
    stop: list[str]
    n_words: int
    """Content terms without the whole forms of split identifiers: the length that BM25 sees.
    Counting a name twice for being indexed twice costs .002 nDCG on scifact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Analyzer:
    """One corpus's analysis, stored in the index's manifest."""

    languages: tuple[str, ...]
    """Languages of the corpus, most frequent first."""
    version: int = ANALYZER_VERSION

    def document_terms(self, text: str, language: str) -> Terms:
        """Terms under which a chunk in ``language`` is found."""
        return _terms(text, (self._analysed_as(language),))

    def query_terms(self, text: str) -> Terms:
        """Terms of a query: the union over the corpus's languages, word by word."""
        return _terms(text, tuple(dict.fromkeys(map(_spaced_language, self.languages))))

    def _analysed_as(self, language: str) -> str:
        """``language`` if the corpus has it, else its most frequent one of that script."""
        if language in self.languages:
            return _spaced_language(language)
        script = script_of_language(language)
        same_script = (kept for kept in self.languages if script_of_language(kept) == script)
        return _spaced_language(next(same_script, self.languages[0]))


def choose_analyzer(languages: Mapping[str, int], *, named: Collection[str] = ()) -> Analyzer:
    """The analyzer for a corpus with so many chunks in each language.

    ``named`` are those that the corpus is said to hold, however few chunks are in them.
    """
    counts = {language: n for language, n in languages.items() if language != "und"}
    total = sum(counts.values())
    kept = [
        (-n, language)
        for language, n in counts.items()
        if n >= _MINOR_SHARE * total or language in named
    ]
    return Analyzer(languages=tuple(language for _, language in sorted(kept)) or ("en",))


def _spaced_language(language: str) -> str:
    """Language in which to stem spaced words; inside Chinese or Japanese they are English."""
    return "en" if script_of_language(language) == "CJK" else language


def _terms(text: str, languages: tuple[str, ...]) -> Terms:
    content: list[str] = []
    stop: list[str] = []
    n_words = 0
    for compound in compounds(unicodedata.normalize("NFKC", text)):
        found = _compound_terms(compound, languages[0])
        content += found.content
        stop += found.stop
        n_words += found.n_words
        known = set(found.content) if len(languages) > 1 else set()
        for language in languages[1:]:
            further = [t for t in _compound_terms(compound, language).content if t not in known]
            content += further
            known.update(further)
    return Terms(content, stop, n_words)


@lru_cache(maxsize=262144)
def _compound_terms(compound: str, language: str) -> Terms:
    content: list[str] = []
    stop: list[str] = []
    n_wholes = 0
    stop_words = STOP_WORDS.get(language, frozenset())
    for word, form in split_compound(compound):
        folded = unicodedata.normalize("NFKC", word.casefold())
        if folded in stop_words and form == "word":
            stop.append(folded)
            continue
        n_wholes += form == "whole"
        term = _without_accents(folded)  # before stemming, or Beyonce would stem, Beyoncé not
        content.append(stem(term, language) if form == "word" and term.isalpha() else term)
    return Terms(content, stop, len(content) - n_wholes)


def _without_accents(term: str) -> str:
    """``term`` without the marks of Latin letters: ``Beyonce`` must find ``Beyoncé``."""
    if term.isascii() or script_of_text(term) != "LATIN":
        return term
    decomposed = unicodedata.normalize("NFD", term)
    return "".join(character for character in decomposed if not unicodedata.combining(character))
