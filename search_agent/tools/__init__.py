"""Tools: what a model may call, as plain functions over a Searcher that return a row of text."""
