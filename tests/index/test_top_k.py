"""Selection of the best, against sorting everything."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from index.top_k import best_places

SCORES = st.lists(st.sampled_from([-1.0, 0.0, 0.25, 0.5, 1.0]), min_size=0, max_size=60)


@given(scores=SCORES, k=st.integers(1, 70), seed=st.integers(0, 9))
def test_the_best_come_first_and_ties_by_row(scores: list[float], k: int, seed: int) -> None:
    rows = np.random.default_rng(seed).permutation(len(scores)).astype(np.int32)
    expected = sorted(range(len(scores)), key=lambda place: (-scores[place], rows[place]))
    found = best_places(rows, np.array(scores, dtype=np.float32), k)
    assert [*found] == expected[:k]
