"""Trajectory: records events of a search, or checks a re-run against what was recorded.

Resume and replay are one mechanism: the search is run again from its beginning with the recorded
model replies, every event must equal the recorded one, and where the record ends a resumed search
goes on writing while a replay stops. Why not fold events into a state: a second code path that
rebuilds pool, ledger and counters would have to be kept equal to the first for ever.
"""

import fcntl
import json
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from corpora.canonical_json import canonical_json, sha256_hex
from search_agent.errors import ReplayDiverged, TrajectoryLocked
from search_agent.trajectory.event import GENESIS, Event, parse_events

TRAJECTORY_FILE = "trajectory.jsonl"
MESSAGES_FILE = "messages.jsonl"
Listener = Callable[[str, Mapping[str, Any]], None]


class Trajectory:
    """One run directory's log; thread-safe. Each event is on disk before its effect is acted upon.

    Args:
        folder: the run directory, made if absent (mode 0700).
        recorded: events of an earlier sitting; the first ``len(recorded)`` events must equal them.
        writes: False for a replay, which never touches the files.
        listener: told of every new event (kind, data).

    Raises:
        TrajectoryLocked: another process is writing this run directory.
    """

    def __init__(
        self,
        folder: Path,
        *,
        recorded: Sequence[Event] = (),
        writes: bool = True,
        clock: Callable[[], float] = time.monotonic,
        listener: Listener | None = None,
    ) -> None:
        self.folder = folder
        self.head = GENESIS
        self.seq = 0
        self._recorded = recorded
        self._clock = clock
        self._listener = listener
        self._lock = threading.RLock()
        self._messages: set[str] = set()
        self._elapsed_before = float(recorded[-1].meta.get("t_s", 0.0)) if recorded else 0.0
        self._sitting_began: float | None = None if recorded else clock()
        self._file = self._messages_file = None
        if writes:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file = (folder / TRAJECTORY_FILE).open("ab")
            try:
                _lock(self._file, folder)
            except TrajectoryLocked:
                self._file.close()
                raise
            self._messages_file = (folder / MESSAGES_FILE).open("ab")

    @property
    def is_replaying(self) -> bool:
        """Whether the next event is compared with a recorded one."""
        return self.seq < len(self._recorded)

    def next_recorded(self) -> Event | None:
        """The event that the record expects next; None past its end."""
        return self._recorded[self.seq] if self.is_replaying else None

    def elapsed(self) -> float:
        """Seconds of search so far, summed over sittings, downtime excluded.

        While replaying it is the recorded time of the event that comes next, so that a re-run
        takes the decisions that the clock took then.
        """
        with self._lock:
            expected = self.next_recorded()
            if expected is not None:
                return float(expected.meta.get("t_s", 0.0))
            if self._sitting_began is None:
                self._sitting_began = self._clock()
            return self._elapsed_before + self._clock() - self._sitting_began

    def record(
        self, kind: str, data: Mapping[str, Any], meta: Mapping[str, Any] | None = None
    ) -> int:
        """Append one event and return its seq.

        Raises:
            ReplayDiverged: the recorded search did something else here.
        """
        plain = json.loads(canonical_json(data))
        with self._lock:
            expected = self.next_recorded()
            event = Event(
                seq=self.seq,
                kind=kind,
                data=plain,
                prev=self.head,
                meta={"t_s": round(self.elapsed(), 3), **(meta or {})},
            )
            if expected is not None and expected.hash != event.hash:
                difference = _first_difference(expected.data, plain)
                message = (
                    f"event {event.seq} was {expected.kind} {difference} in the record"
                    f" and is {kind} now"
                )
                raise ReplayDiverged(message)
            self.head = event.hash
            self.seq += 1
            if expected is None and self._file is not None:
                self._file.write(event.line().encode())
                self._file.flush()
                os.fsync(self._file.fileno())
        if self._listener is not None:
            self._listener(kind, {**plain, **(meta or {}), "t_s": event.meta["t_s"]})
        return event.seq

    def store_message(self, role: str, text: str) -> str:
        """Keep a message's text once and return its SHA-256."""
        digest = sha256_hex(f"{role}\n{text}")
        with self._lock:
            if digest not in self._messages:
                self._messages.add(digest)
                if self._messages_file is not None and not self.is_replaying:
                    line = canonical_json({"sha256": digest, "role": role, "text": text}) + "\n"
                    self._messages_file.write(line.encode())
                    self._messages_file.flush()
        return digest

    def close(self) -> None:
        """Release the files and the lock."""
        for file in (self._file, self._messages_file):
            if file is not None:
                file.close()


def read_trajectory(folder: Path) -> list[Event]:
    """Events of a run directory; a torn last line is left out.

    Raises:
        TrajectoryCorrupt: damage elsewhere.
        FileNotFoundError: there is no trajectory.
    """
    return parse_events((folder / TRAJECTORY_FILE).read_bytes())[0]


def drop_torn_line(folder: Path) -> None:
    """Cut a half-written last line off both files, so that they can be appended to.

    Raises:
        TrajectoryLocked: another process is writing them.
        TrajectoryCorrupt: damage elsewhere; nothing was changed.
    """
    with (folder / TRAJECTORY_FILE).open("r+b") as file:
        _lock(file, folder)
        _, sound = parse_events(file.read())
        file.truncate(sound)
        messages = folder / MESSAGES_FILE
        if messages.is_file():
            with messages.open("r+b") as texts:
                texts.truncate(texts.read().rfind(b"\n") + 1)


def _lock(file: BinaryIO, folder: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        message = f"run directory {folder.name!r} is in use by another process"
        raise TrajectoryLocked(message) from error


def _first_difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    for key in sorted({*old, *new}):
        if old.get(key) != new.get(key):
            return f"({key}: {str(old.get(key))[:80]!r} then, {str(new.get(key))[:80]!r} now)"
    return ""
