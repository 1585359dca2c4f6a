"""The proof that constrained decoding is active: beg for prose, get the schema."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints

from search_agent.errors import GrammarInactive
from search_agent.model.protocol import Message, Model

MAX_TOKENS = 60


class Probe(BaseModel):
    """Two keys no model writes when it is asked for a story."""

    model_config = ConfigDict(extra="forbid")

    mood: Literal["calm", "stormy"]
    word: Annotated[str, StringConstraints(max_length=24)]


def check_grammar(model: Model) -> None:
    """Ask for plain prose under a schema.

    Raises:
        GrammarInactive: the reply is anything but the schema's JSON.
    """
    beg = (
        "Tell me a short story about the sea. Write plain prose only: no JSON, no braces, no lists."
    )
    reply = model.complete(
        [Message(role="user", content=beg)],
        reply_type=Probe,
        max_tokens=MAX_TOKENS,
        unit="grammar check",
    )
    if reply.value is None:
        message = (
            f"model {model.name!r} ignored its grammar and wrote {reply.text[:80]!r} "
            f"({reply.problem}); its chat template or this build of llama.cpp cannot be used"
        )
        raise GrammarInactive(message)
