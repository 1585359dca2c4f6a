"""write_reply: token after token from an evaluated prompt to the end of the reply.

What the grammar forces (keys, brackets) is evaluated in one batch with the token before it instead
of token by token: on a CPU a batch of eight costs little more than one.
"""

from collections.abc import Sequence

from search_agent.model.choose import Chooser
from search_agent.model.engine import Engine
from search_agent.model.gate import Gate
from search_agent.model.prefix import evaluate_slices
from search_agent.model.protocol import Deadline, Finish


def write_reply(
    engine: Engine,
    gate: Gate | None,
    *,
    max_tokens: int,
    temperature: float,
    seed: int,
    stop: Sequence[str],
    deadline: Deadline | None,
) -> tuple[str, Finish, int]:
    """The text, why it ended, and its tokens; ``deadline`` is asked before every token.

    Raises:
        ModelCallFailed: llama.cpp failed, or the grammar came to a dead end.
    """
    # A control mark inside a constrained string would be invisible in the reply; bar them.
    barred = engine.control_ids - engine.end_ids if gate is not None else frozenset()
    chooser = Chooser(temperature=temperature, seed=seed, gate=gate, barred=barred)
    marks = [mark.encode() for mark in stop]
    written = bytearray()
    completion = 0
    pending: list[int] = []
    while True:
        stopped = deadline.state() if deadline is not None else None
        if stopped is not None:
            return _decode(written), stopped, completion
        if gate is not None:
            forced = _take_forced(engine, gate, written, room=max_tokens - completion - 1)
            completion += len(forced)
            pending += forced
        evaluate_slices(engine, pending)
        token = chooser.choose(engine.logits())
        if token in engine.end_ids:
            return _decode(written), "stop", completion
        completion += 1
        written += engine.piece(token)
        found = [place for mark in marks if (place := written.find(mark)) >= 0]
        if found:
            return _decode(written[: min(found)]), "stop", completion
        if gate is not None:
            gate.accept(token)
            if written.endswith(b"}") and gate.is_complete:
                return _decode(written), "stop", completion
        if completion >= max_tokens:
            return _decode(written), "length", completion
        pending = [token]


def _take_forced(engine: Engine, gate: Gate, written: bytearray, *, room: int) -> list[int]:
    """The tokens of the forced text but the last, which the model may want to merge with more."""
    if room < 1:
        return []
    forced = gate.forced()
    tokens = engine.tokenize(forced.decode("utf-8", errors="ignore"), special=False)[:-1][:room]
    text = b"".join(engine.piece(token) for token in tokens)
    if not text or not forced.startswith(text):  # some tokenizers put a blank before every text
        return []
    for token in tokens:
        gate.accept(token)
    written += text
    return tokens


def _decode(written: bytes | bytearray) -> str:
    return bytes(written).decode("utf-8", errors="ignore")  # a cut may fall inside a character
