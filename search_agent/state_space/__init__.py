"""The state-space search: variables, clues, candidates, an action pool and the loop over them."""
