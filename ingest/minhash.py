"""MinHash: a short signature of a text from which the likeness of two texts can be told.

A text is its set of word triples. Signature entry i is the least value that hash function i gives
to one of them, and two sets have equal entries with a probability of |A ∩ B| / |A ∪ B|.

Source: Broder, "On the resemblance and containment of documents", 1997. Hash functions are
multiply-shift over 64 bits (Dietzfelbinger et al., 1997).
"""

import re
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

N_HASHES = 128
_LEAST_TRIPLES = 20
"""Shorter texts are alike by chance."""
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")
_BATCH = 4096
_MASK = 2**64 - 1


def signature_of(text: str) -> bytes:
    """``N_HASHES`` little-endian uint32; empty for a text of too few words."""
    import numpy as np

    triples = _triples(text)
    if len(triples) < _LEAST_TRIPLES:
        return b""
    constants = np.fromiter(_constants(2 * N_HASHES), dtype=np.uint64)
    factors, addends = constants[:N_HASHES] | np.uint64(1), constants[N_HASHES:]
    least = np.full(N_HASHES, 2**32 - 1, dtype=np.uint32)
    for start in range(0, len(triples), _BATCH):
        batch = triples[start : start + _BATCH, None]  # (n, 1) uint64
        values = ((batch * factors + addends) >> np.uint64(32)).astype(np.uint32)  # (n, N_HASHES)
        least = np.minimum(least, values.min(axis=0))
    return least.astype("<u4").tobytes()


def likeness(one: "NDArray[np.uint32]", other: "NDArray[np.uint32]") -> float:
    """Share of triples in common, as two signatures tell it; standard error at most 0.045."""
    return float((one == other).mean())


def _triples(text: str) -> "NDArray[np.uint64]":
    """Hashes of the text's different word triples, ascending; a CJK character is a word."""
    import numpy as np

    codes: dict[str, int] = {}
    for found in _WORD.finditer(text.lower()):
        codes.setdefault(found.group(), 0)
    for word in codes:
        data = word.encode()
        codes[word] = zlib.crc32(data) | zlib.adler32(data) << 32
    words = np.fromiter(
        (codes[found.group()] for found in _WORD.finditer(text.lower())), dtype=np.uint64
    )
    if len(words) < 3:
        return words[:0]
    mixed = words[:-2]
    for following in (words[1:-1], words[2:]):
        mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9) + following
    return np.unique((mixed ^ (mixed >> np.uint64(32))) * np.uint64(0x94D049BB133111EB))


def _constants(n: int) -> Iterator[int]:
    """Numbers that look random and are the same for ever: SplitMix64 from 0."""
    state = 0
    for _ in range(n):
        state = state + 0x9E3779B97F4A7C15 & _MASK
        mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & _MASK
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _MASK
        yield mixed ^ mixed >> 31
