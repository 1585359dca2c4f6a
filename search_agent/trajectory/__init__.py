"""The append-only record of one search: the only source of truth on disk."""
