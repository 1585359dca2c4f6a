"""Tool names: only those of the active family run anything."""

import pytest

from search_agent.errors import ToolNotAllowed, UnknownTool
from search_agent.tools.names import resolve_tool


@pytest.mark.parametrize(
    ("name", "family", "tool"),
    [
        ("retrieve", "retrieve", "retrieve"),
        (" Retrieve\n", "retrieve", "retrieve"),
        ("Web-Search ", "search_fetch", "web_search"),
        ("websearch", "search_fetch", "web_search"),
        ("web fetch", "search_fetch", "web_fetch"),
        ("ＷｅｂＦｅｔｃｈ", "search_fetch", "web_fetch"),
    ],
)
def test_spellings_of_a_tool_resolve_to_it(name, family, tool):
    assert resolve_tool(name, family) == tool


@pytest.mark.parametrize(
    ("name", "family", "allowed"),
    [
        ("shell", "retrieve", "retrieve"),
        ("shell", "search_fetch", "web_search, web_fetch"),
        ("web_search", "retrieve", "retrieve"),
        ("retrieve", "search_fetch", "web_search, web_fetch"),
    ],
)
def test_any_other_name_is_refused_with_the_allowed_ones(name, family, allowed):
    with pytest.raises(ToolNotAllowed, match=f"allowed here: {allowed}") as refusal:
        resolve_tool(name, family)
    assert refusal.value.code == 211304


def test_a_blank_name_is_no_tool():
    with pytest.raises(UnknownTool) as refusal:
        resolve_tool("  ", "retrieve")
    assert refusal.value.code == 211302
