"""Engine: one loaded GGUF and the one sequence of tokens its KV cache holds.

The only file that talks to llama.cpp's C interface for loading, tokens and evaluation. Not
thread-safe: LlamaModel holds the lock.
"""

import ctypes
import functools
import importlib
import os
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from search_agent.errors import ModelCallFailed, ModelUnavailable

SEQUENCE = 0
SPIN_COUNT = "1000"
"""How long llama.cpp's threads spin at a barrier before they sleep. libgomp's own 300000 makes a
model ten times slower as soon as anything else wants a core (1.6 against 13 tokens/s seen)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedState:
    """The KV cache of a token prefix, to be put back bit by bit."""

    tokens: tuple[int, ...]
    data: bytes


class Engine:
    """Tokens in, logits out; ``tokens`` is what the KV cache holds now."""

    def __init__(self, path: Path, *, n_ctx: int, n_threads: int, n_batch: int) -> None:
        os.environ.setdefault("GOMP_SPINCOUNT", SPIN_COUNT)  # read once, when libgomp is loaded
        import llama_cpp

        self._llama: Any = llama_cpp
        self._model = self._context = None
        log = silence_llama()
        llama_cpp.llama_backend_init()
        parameters = llama_cpp.llama_model_default_params()
        parameters.n_gpu_layers = 0
        self._model = llama_cpp.llama_model_load_from_file(str(path).encode(), parameters)
        if not self._model:
            reason = " ".join(log) or "no reason given"
            message = (
                f"{str(path)!r} cannot be loaded by llama.cpp (truncated or damaged?): {reason}"
            )
            raise ModelUnavailable(message)
        trained = llama_cpp.llama_model_n_ctx_train(self._model)
        if n_ctx > trained:
            message = (
                f"n_ctx {n_ctx} is more than the {trained} tokens {str(path)!r} was trained for"
            )
            raise ModelUnavailable(message)
        settings = llama_cpp.llama_context_default_params()
        settings.n_ctx = n_ctx
        settings.n_batch = settings.n_ubatch = n_batch
        settings.n_threads = settings.n_threads_batch = n_threads
        settings.n_seq_max = 1
        settings.no_perf = True
        self._context = llama_cpp.llama_init_from_model(self._model, settings)
        if not self._context:
            message = (
                f"no context of {n_ctx} tokens for {str(path)!r}: {' '.join(log)}; lower n_ctx"
            )
            raise ModelUnavailable(message)
        self._memory = llama_cpp.llama_get_memory(self._context)
        self.vocab = llama_cpp.llama_model_get_vocab(self._model)
        self.n_vocab: int = llama_cpp.llama_vocab_n_tokens(self.vocab)
        self.n_batch = n_batch
        self.tokens: list[int] = []
        ids = range(self.n_vocab)
        self.end_ids = frozenset(i for i in ids if llama_cpp.llama_vocab_is_eog(self.vocab, i))
        self.control_ids = frozenset(
            i for i in ids if llama_cpp.llama_vocab_is_control(self.vocab, i)
        )

    def evaluate(self, tokens: Sequence[int]) -> None:
        """Append at most ``n_batch`` tokens; the logits of the last one can be read afterwards.

        Raises:
            ModelCallFailed: llama.cpp refused the batch; the cache is emptied.
        """
        batch = (self._llama.llama_token * len(tokens))(*tokens)
        code = self._llama.llama_decode(
            self._context, self._llama.llama_batch_get_one(batch, len(tokens))
        )
        if code != 0:
            held = len(self.tokens)
            self.clear()
            message = f"llama_decode returned {code} for {len(tokens)} tokens after {held}"
            raise ModelCallFailed(message)
        self.tokens.extend(tokens)

    def logits(self) -> NDArray[np.float32]:
        """A copy of the last token's logits, shape (n_vocab,)."""
        pointer = self._llama.llama_get_logits_ith(self._context, -1)
        return np.ctypeslib.as_array(pointer, shape=(self.n_vocab,)).copy()

    def rewind(self, length: int) -> None:
        """Keep the first ``length`` tokens; an architecture that cannot is emptied instead."""
        # Also where nothing seems to be left over: an interrupt may have fallen after a batch.
        if self._llama.llama_memory_seq_rm(self._memory, SEQUENCE, length, -1):
            del self.tokens[length:]
        else:
            self.clear()

    def clear(self) -> None:
        """Empty the KV cache."""
        self._llama.llama_memory_clear(self._memory, True)
        self.tokens.clear()

    def save(self) -> SavedState:
        """The present KV state."""
        size = self._llama.llama_state_seq_get_size(self._context, SEQUENCE)
        buffer = (ctypes.c_uint8 * size)()
        self._llama.llama_state_seq_get_data(self._context, buffer, size, SEQUENCE)
        return SavedState(tokens=tuple(self.tokens), data=bytes(buffer))

    def restore(self, state: SavedState) -> None:
        """Empty the cache and put ``state`` back, in the same cells whatever was there before."""
        self.clear()
        size = len(state.data)
        buffer = (ctypes.c_uint8 * size).from_buffer_copy(state.data)
        done = self._llama.llama_state_seq_set_data(self._context, buffer, size, SEQUENCE)
        if done == 0:
            message = f"llama.cpp did not take back a saved state of {len(state.tokens)} tokens"
            raise ModelCallFailed(message)
        self.tokens.extend(state.tokens)

    def tokenize(self, text: str, *, special: bool) -> list[int]:
        """Token ids without a beginning mark; ``special`` makes control tokens of control marks."""
        data = text.encode("utf-8", errors="replace")
        room = len(data) + 8
        buffer = (self._llama.llama_token * room)()
        n = self._llama.llama_tokenize(self.vocab, data, len(data), buffer, room, False, special)
        if n < 0:
            message = f"llama.cpp could not tokenise a text of {len(data)} bytes ({n})"
            raise ModelCallFailed(message)
        return list(buffer[:n])

    def piece(self, token: int, *, special: bool = False) -> bytes:
        """The bytes a token stands for; control tokens are empty unless ``special``."""
        room = 64
        while True:
            buffer = ctypes.create_string_buffer(room)
            n = self._llama.llama_token_to_piece(self.vocab, token, buffer, room, 0, special)
            if n >= 0:
                return buffer.raw[:n]
            room = -n

    @functools.cached_property
    def pieces(self) -> list[bytes]:
        """The bytes of every token of the vocabulary."""
        return [self.piece(token) for token in range(self.n_vocab)]

    @functools.cached_property
    def byte_ids(self) -> NDArray[np.int32]:
        """A token for every byte that text can begin with, or all that begin with it.

        Which of them a grammar admits says which bytes this vocabulary can write next.
        """
        single: dict[int, int] = {}
        longer: dict[int, list[int]] = defaultdict(list)
        for token, piece in enumerate(self.pieces):
            if len(piece) == 1:
                single.setdefault(piece[0], token)
            elif piece:
                longer[piece[0]].append(token)
        ids = set(single.values())
        for byte in longer.keys() - single.keys():
            ids.update(longer[byte])
        return np.array(sorted(ids), dtype=np.int32)

    @property
    def begin_id(self) -> int | None:
        """The beginning mark, where this vocabulary puts one before every text."""
        adds = self._llama.llama_vocab_get_add_bos(self.vocab)
        return self._llama.llama_vocab_bos(self.vocab) if adds else None

    def mark(self, which: str) -> str:
        """The text of the ``bos`` or ``eos`` token, empty where there is none."""
        token = getattr(self._llama, f"llama_vocab_{which}")(self.vocab)
        return self.piece(token, special=True).decode() if token >= 0 else ""

    @property
    def chat_template(self) -> str | None:
        """The Jinja text of ``tokenizer.chat_template``."""
        template = self._llama.llama_model_chat_template(self._model, None)
        return template.decode("utf-8") if template else None

    @property
    def cpu_features(self) -> str:
        """What this build of llama.cpp uses of the CPU."""
        return " ".join(self._llama.llama_print_system_info().decode().split())

    @property
    def library_version(self) -> str:
        """The version of llama-cpp-python."""
        return str(self._llama.__version__)

    def close(self) -> None:
        """Give the memory back; the engine cannot be used afterwards."""
        if self._context:
            self._llama.llama_free(self._context)
            self._context = None
        if self._model:
            self._llama.llama_model_free(self._model)
            self._model = None


@functools.cache
def silence_llama() -> deque[str]:
    """Keep llama.cpp's last warnings instead of printing its log: they explain failures."""
    llama_cpp: Any = importlib.import_module("llama_cpp")
    lines: deque[str] = deque(maxlen=4)

    def keep(level: int, text: bytes, _user_data: ctypes.c_void_p) -> None:
        if level in (2, 3):  # warning, error
            lines.append(" ".join(text.decode("utf-8", errors="replace").split()))

    callback = llama_cpp.llama_log_callback(keep)
    llama_cpp.llama_log_set(callback, ctypes.c_void_p(0))
    _CALLBACKS.append(callback)
    return lines


_CALLBACKS: list[object] = []
"""llama.cpp keeps only a pointer to the callback; it must not be collected."""
