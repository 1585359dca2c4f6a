"""Question + Searcher + Model → Answer: models, tools, the state-space search, evidence and the command line."""
