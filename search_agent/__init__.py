"""Question + Searcher + Model → Answer: models, tools, state-space search, evidence, CLI."""
