"""Terms of a corpus of any size, drawn from real documents so that postings look like real ones.

Half of a document's terms come from one real document, three tenths from another, the rest from all
of them: terms occur together as in real texts, and no document is there twice. Some terms are new,
from a pool that grows with the corpus, since a real vocabulary never ends (Heaps' law).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from index.analyzer import Analyzer
from index.array_file import create_array, save_array

_MOST_TERMS = 250
"""Of a real document: about what a chunk of an encoder's length holds."""
_FIRST, _SECOND = 0.5, 0.8
"""Share of the terms from the first document, and from the first two."""
_NEW = 0.003
"""Share of terms out of the growing pool; 1 million chunks then have some 350,000 terms."""
_TOLD = 500
_BLOCK = 20_000
"""Documents drawn at a time: some 100 MB of arrays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RealTerms:
    """Terms of the real documents as numbers."""

    vocabulary: tuple[str, ...]
    numbers: NDArray[np.int32]
    """Of all documents on end, (n_terms,)."""
    starts: NDArray[np.int64]
    """Where each document starts, and the end, (n_documents + 1,)."""


def real_terms(
    documents: Sequence[str], analyzer: Analyzer, tell: Callable[[int, int], None]
) -> RealTerms:
    """The first 250 content terms of each document; those without any are left out.

    ``tell`` hears how many documents are analysed, and of how many.
    """
    known: dict[str, int] = {}
    numbers: list[int] = []
    starts = [0]
    for done, text in enumerate(documents, 1):
        terms = analyzer.document_terms(text, analyzer.languages[0]).content[:_MOST_TERMS]
        if terms:
            numbers += [known.setdefault(term, len(known)) for term in terms]
            starts.append(len(numbers))
        if done % _TOLD == 0 or done == len(documents):
            tell(done, len(documents))
    return RealTerms(
        vocabulary=tuple(known),
        numbers=np.array(numbers, dtype=np.int32),
        starts=np.array(starts, dtype=np.int64),
    )


def draw_terms(folder: Path, real: RealTerms, *, n: int, seed: int) -> None:
    """Write the terms of ``n`` documents to ``tokens.npy``, their starts to ``offsets.npy``.

    A number beyond the vocabulary is a new term.
    """
    random = np.random.default_rng((seed, n))
    real_lengths = np.diff(real.starts)
    lengths = random.choice(real_lengths, n)
    offsets = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    save_array(folder / "offsets.npy", offsets)
    tokens = create_array(folder / "tokens.npy", dtype=np.int32, length=int(offsets[-1]))
    for start in range(0, n, _BLOCK):
        wanted = lengths[start : start + _BLOCK]
        total = int(wanted.sum())
        first, second = (
            np.repeat(random.integers(0, len(real_lengths), len(wanted)), wanted) for _ in range(2)
        )
        share = random.random(total)
        source = np.where(share < _FIRST, first, second)
        within = (random.random(total) * real_lengths[source]).astype(np.int64)
        anywhere = random.integers(0, len(real.numbers), total)
        drawn = real.numbers[np.where(share < _SECOND, real.starts[source] + within, anywhere)]
        new = random.random(total) < _NEW
        drawn[new] = len(real.vocabulary) + random.integers(0, n, int(new.sum()))
        tokens[offsets[start] : offsets[start] + total] = drawn
