"""Tool names: what a model writes becomes a tool of the active family, or nothing at all."""

import unicodedata

from search_agent.errors import ToolNotAllowed, UnknownTool

FAMILIES: dict[str, tuple[str, ...]] = {
    "retrieve": ("retrieve",),
    "search_fetch": ("web_search", "web_fetch"),
}
ALIASES = {"websearch": "web_search", "webfetch": "web_fetch"}


def resolve_tool(name: str, family: str) -> str:
    """The tool's name in ``family``, one of FAMILIES.

    Raises:
        UnknownTool: the name is blank.
        ToolNotAllowed: any name that is not of the family, whether it exists elsewhere or not.
    """
    allowed = FAMILIES[family]
    folded = unicodedata.normalize("NFKC", name).strip().casefold()
    key = "_".join(folded.replace("-", " ").split())
    key = ALIASES.get(key, key)
    if not key:
        message = f"tool name {name!r} is blank; allowed here: {', '.join(allowed)}"
        raise UnknownTool(message)
    if key not in allowed:
        message = f"tool {name[:60]!r} cannot be used; allowed here: {', '.join(allowed)}"
        raise ToolNotAllowed(message)
    return key
