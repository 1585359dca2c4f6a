"""Gate: what a grammar admits next, and what it forces, within one reply."""

import copy
import ctypes
import importlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from search_agent.errors import ModelCallFailed
from search_agent.model.engine import Engine

MAX_FORCED = 200
"""Bytes looked ahead at most."""

_TOKEN_DATA = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)])


class Gate:
    """The state of a grammar within one reply; free it with ``close``."""

    def __init__(self, engine: Engine, gbnf: str) -> None:
        self._llama: Any = importlib.import_module("llama_cpp")
        self._engine = engine
        self._byte_ids = engine.byte_ids
        self._end_id = min(engine.end_ids)
        self._sampler = self._llama.llama_sampler_init_grammar(engine.vocab, gbnf.encode(), b"root")
        if not self._sampler:
            message = f"llama.cpp does not compile this grammar:\n{gbnf}"
            raise ModelCallFailed(message)

    def admitted(self, tokens: NDArray[np.integer]) -> NDArray[np.bool_]:
        """For each token whether the grammar lets it come next."""
        data = np.zeros(len(tokens), dtype=_TOKEN_DATA)
        data["id"] = tokens
        array = self._llama.llama_token_data_array(
            data=ctypes.cast(data.ctypes.data, self._llama.llama_token_data_p),
            size=len(tokens),
            selected=-1,
            sorted=False,
        )
        self._llama.llama_sampler_apply(self._sampler, ctypes.byref(array))
        return np.asarray(np.isfinite(data["logit"]))

    def admits(self, token: int) -> bool:
        """Whether the grammar lets this token come next."""
        return bool(self.admitted(np.array([token], dtype=np.int32))[0])

    @property
    def is_complete(self) -> bool:
        """Whether the text may end here."""
        return self.admits(self._end_id)

    def accept(self, token: int) -> None:
        """Go on past ``token``, which the grammar admits."""
        self._llama.llama_sampler_accept(self._sampler, token)

    def forced(self) -> bytes:
        """The text that must come next, as far as there is only one next byte.

        Keys, brackets and the rest of an enumeration's value: they need not be asked of the model.
        """
        ahead = self._copy()
        written = bytearray()
        try:
            while len(written) < MAX_FORCED and not ahead.is_complete:
                admitted = np.flatnonzero(ahead.admitted(self._byte_ids))
                if len(admitted) != 1:
                    break
                token = int(self._byte_ids[admitted[0]])
                written += self._engine.piece(token)
                ahead.accept(token)
        finally:
            ahead.close()
        return bytes(written)

    def _copy(self) -> "Gate":
        twin = copy.copy(self)
        twin._sampler = self._llama.llama_sampler_clone(self._sampler)
        return twin

    def close(self) -> None:
        """Give the memory back."""
        if self._sampler:
            self._llama.llama_sampler_free(self._sampler)
            self._sampler = None
