"""From the text a model wrote to a Reply: parsed when whole, refused with a reason when not."""

from pydantic import BaseModel, ValidationError

from search_agent.model.protocol import Finish, Reply, Usage


def parse_reply(
    text: str, *, reply_type: type[BaseModel] | None, finish: Finish, usage: Usage
) -> Reply:
    """The reply, with a ``value`` where ``reply_type`` is obeyed; cut text is never parsed."""
    value: BaseModel | None = None
    problem: str | None = None
    if finish == "length":
        problem = f"cut: the reply reached its limit of {usage.completion} tokens; be shorter"
    elif reply_type is not None and finish == "stop":
        try:
            value = reply_type.model_validate_json(text)
        except ValidationError as error:
            problem = "; ".join(_explain(fault) for fault in error.errors(include_url=False))
    return Reply(text=text, value=value, finish=finish, usage=usage, problem=problem)


def _explain(fault: object) -> str:
    assert isinstance(fault, dict)
    place = ".".join(str(part) for part in fault["loc"])
    return f"{place}: {fault['msg']}" if place else str(fault["msg"])
