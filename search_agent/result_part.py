"""ResultPart: what every printed result and its parts have in common."""

from pydantic import BaseModel, ConfigDict


class ResultPart(BaseModel):
    """Frozen, closed, read and written by the names that the JSON has."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, populate_by_name=True, serialize_by_alias=True
    )
