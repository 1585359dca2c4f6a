"""What a validation error says first, in the one form that all messages quote."""

from typing import NamedTuple

from pydantic import ValidationError


class Fault(NamedTuple):
    """The first of the things that are wrong."""

    key: str
    """Where, dotted; empty for the whole."""
    reason: str
    given: object

    def __str__(self) -> str:
        return f"{self.key}: {self.reason}" if self.key else self.reason


def first_fault(error: ValidationError) -> Fault:
    """The first fault of a validation; the others often follow from it."""
    first = error.errors()[0]
    return Fault(
        key=".".join(str(part) for part in first["loc"]),
        reason=first["msg"],
        given=first.get("input"),
    )
