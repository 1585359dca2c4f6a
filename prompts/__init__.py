"""Words for the model: ``*.md`` files and one typed dataclass for each; no logic."""
