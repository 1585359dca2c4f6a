"""Evidence: what a search has really been shown, and the checked citations made from it."""
