"""Canonical JSON and its hash: the form in which records are written, compared and hashed."""

import hashlib
import json


def canonical_json(value: object) -> str:
    """JSON with sorted keys, no insignificant blanks, no NaN, floats in their shortest form."""
    return json.dumps(
        value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )


def sha256_hex(text: str) -> str:
    """SHA-256 of the text's UTF-8 bytes."""
    return hashlib.sha256(text.encode()).hexdigest()
