"""What the models read about the tools."""

from prompts.catalogue import ToolDoc

RETRIEVE_DOC = ToolDoc(
    "retrieve", "searches the collection with 1 to 3 short queries of names and key words."
)
