"""Digests of JSON-like values; equal values give equal digests on every machine."""

import hashlib
import json
from collections.abc import Mapping, Sequence


def digest_of(value: Sequence[object] | Mapping[str, object]) -> str:
    """SHA-256 of the value's JSON form, keys sorted."""
    form = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(form.encode()).hexdigest()
