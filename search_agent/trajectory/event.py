"""Event: one line of a trajectory, and the hash chain that ties it to the line before."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from corpora.canonical_json import canonical_json, sha256_hex
from search_agent.errors import TrajectoryCorrupt

GENESIS = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """``hash`` = SHA-256 of canonical {seq, kind, data, prev}; not of ``meta`` (times, cache)."""

    seq: int
    kind: str
    data: Mapping[str, Any]
    prev: str
    meta: Mapping[str, Any]

    @property
    def hash(self) -> str:
        """The chain's hash at this event."""
        body = {"seq": self.seq, "kind": self.kind, "data": self.data, "prev": self.prev}
        return sha256_hex(canonical_json(body))

    def line(self) -> str:
        """The event as one JSONL line."""
        body = {
            "seq": self.seq,
            "kind": self.kind,
            "data": self.data,
            "meta": self.meta,
            "prev": self.prev,
            "hash": self.hash,
        }
        return canonical_json(body) + "\n"


def parse_events(content: bytes) -> tuple[list[Event], int]:
    """Events of a trajectory file and the length of its sound part, in bytes.

    A torn last line (no line end) is left out of both; any other damage is refused.

    Raises:
        TrajectoryCorrupt: a complete line is no event, or breaks the hash chain.
    """
    events: list[Event] = []
    sound = 0
    prev = GENESIS
    for number, line in enumerate(content.splitlines(keepends=True), start=1):
        if not line.endswith(b"\n"):
            break
        try:
            raw = json.loads(line)
            event = Event(
                seq=raw["seq"],
                kind=raw["kind"],
                data=raw["data"],
                prev=raw["prev"],
                meta=raw["meta"],
            )
            is_sound = event.hash == raw["hash"] and event.prev == prev and event.seq == number - 1
        except (ValueError, KeyError, TypeError):
            is_sound = False
        if not is_sound:
            message = f"trajectory line {number} is damaged; nothing was changed"
            raise TrajectoryCorrupt(message)
        events.append(event)
        prev = event.hash
        sound += len(line)
    return events, sound
