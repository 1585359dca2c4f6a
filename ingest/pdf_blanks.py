"""Blanks that a PDF page leaves out: words that only a gap parts.

pdfium puts a blank in where two drawn strings stand apart, but not between strings that it takes
for one. A gap parts words where it is wider than a blank is narrow, measured against the gaps
inside the same run of letters, so that spaced-out words stay whole.
"""

import numpy as np
from numpy.typing import NDArray

_GAP = 0.2
"""Of the size of letters; inside words gaps are a quarter of that at most."""
_TIMES_USUAL = 2
_SAME_LINE = 0.5
"""Of the size of letters; a raised or lowered letter is no further off."""
_FIRST_CJK = 0x2E80
"""Scripts that part no words by blanks, and set full-width signs with gaps, begin here."""


def missing_blanks(
    codes: NDArray[np.uint32], places: NDArray[np.float64], is_blank: NDArray[np.bool_]
) -> NDArray[np.intp]:
    """Indices of characters that a blank belongs before, ascending.

    ``codes`` (n), ``places`` (n, 4) as shown, ``is_blank`` (n) in the order of the page's text.
    """
    if len(codes) < 2:
        return np.empty(0, np.intp)
    x0, y0, x1, y1 = places.T
    size = y1 - y0
    middle = (y0 + y1) / 2
    in_word = ~is_blank & (codes < _FIRST_CJK)
    is_inside = (
        in_word[:-1]
        & in_word[1:]
        & (np.abs(middle[1:] - middle[:-1]) < _SAME_LINE * np.maximum(size[1:], size[:-1]))
    )
    gaps = x0[1:] - x1[:-1]
    wide = np.flatnonzero(is_inside & (gaps > _GAP * size[:-1]))
    if not len(wide):
        return wide
    breaks = np.flatnonzero(~is_inside)  # between two runs of letters
    after = np.searchsorted(breaks, wide)
    found = []
    for gap, at in zip(wide.tolist(), after.tolist(), strict=True):
        start = breaks[at - 1] + 1 if at else 0
        end = breaks[at] if at < len(breaks) else len(gaps)
        run = np.sort(gaps[start:end])
        usual = max(float(run[len(run) // 4]), 0.0)
        if gaps[gap] > _GAP * size[gap] + _TIMES_USUAL * usual:
            found.append(gap + 1)
    return np.array(found, np.intp)
