"""The one invariant of every call: prompt + reserved output fits the context."""

from search_agent.errors import ContextOverflow


def require_room(prompt_tokens: int, max_tokens: int, context_length: int) -> None:
    """Refuse a call that would have to be truncated.

    Raises:
        ContextOverflow: prompt + ``max_tokens`` is more than ``context_length``.
        ValueError: ``max_tokens`` is not positive.
    """
    if max_tokens < 1:
        message = f"max_tokens is {max_tokens}; at least 1 is needed"
        raise ValueError(message)
    if prompt_tokens + max_tokens > context_length:
        message = (
            f"a prompt of {prompt_tokens} tokens and {max_tokens} reserved for the reply do not "
            f"fit the context of {context_length}; shorten the prompt, or load with a larger n_ctx"
        )
        raise ContextOverflow(message)
