"""Sample queries: what recall is measured on before anybody has asked anything.

Each is a stretch of an indexed text, as long as a question, read by the encoder as a query. They
are as hard as the hardest questions at hand: for recall@100 of .95 over 43,000 chunks of eight
collections (all-MiniLM-L6-v2) a search must compare 5,200 rows for them, 4,700 for multi-hop
questions, 3,000 for scifact's claims. Why not the chunks' own vectors: 2,000 do for those, since
they lie in the middle of their clusters, where questions do not.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from index.chunk_table import IndexedChunk
from index.encoder import Encoder

N_QUERIES = 200
"""At recall .99, 2,000 places looked for are known to within .005."""
_CHARACTERS = 60
"""Questions of the public collections have 20 to 130."""


def sample_queries(encoder: Encoder, chunks: Sequence[IndexedChunk]) -> NDArray[np.float32]:
    """Vectors (m, dimension), one for each of up to 200 chunks spread evenly over the corpus.

    Chunks in languages that the encoder does not read are passed over, if there are others.
    """
    read = [c for c in chunks if c.chunk.language in encoder.card.languages] or chunks
    places = np.linspace(0, len(read) - 1, min(len(read), N_QUERIES)).astype(int)
    return np.vstack([encoder.encode_query(middle_stretch(read[place].text)) for place in places])


def middle_stretch(text: str) -> str:
    """About 60 characters from the middle, whole words where there are blanks."""
    start = max(0, (len(text) - _CHARACTERS) // 2)
    cut = text[start : start + _CHARACTERS]
    words = cut.split(" ")
    inner = words[start > 0 : len(words) - (start + _CHARACTERS < len(text))]
    return " ".join(inner) or cut
