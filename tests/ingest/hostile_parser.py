"""A parser hook that does to its process what hostile files do to readers, on command.

``IngestConfig(parser="tests.ingest.hostile_parser:parse")``: a file's first word is the command.
"""

import ctypes
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from ingest.extract import Extract

HOOK = "tests.ingest.hostile_parser:parse"
LEAKED: list[bytearray] = []


def parse(content: bytes, path: str) -> Extract | None:
    words = content.decode(errors="replace").split()
    if words and words[0] in COMMANDS:
        COMMANDS[words[0]](words[1])
    return None


def spin(_: str) -> None:
    while True:
        pass


def eat(_: str) -> None:
    eaten = []
    while True:
        eaten.append(bytearray(2**26))


def fail(word: str) -> None:
    raise KeyError(word)


def die_the_first_time(mark: str) -> None:
    """As if for what earlier files left behind."""
    if not Path(mark).is_dir():
        Path(mark).mkdir()
        os._exit(4)


COMMANDS: dict[str, Callable[[str], object]] = {
    "EXIT": lambda _: os._exit(3),
    "SEGFAULT": lambda _: ctypes.string_at(0),
    "KILLED": lambda _: os.kill(os.getpid(), signal.SIGKILL),
    "SPIN": spin,
    "SLEEP": lambda _: time.sleep(3600),
    "DELAY": lambda seconds: time.sleep(float(seconds)),
    "EAT": eat,
    "LEAK": lambda _: LEAKED.append(bytearray(500 * 2**20)),
    "RAISE": fail,
    "WRITE": lambda path: Path(path).write_bytes(b"written"),
    "CHAT": lambda _: print("noise on standard output", flush=True),
    "ONCE": die_the_first_time,
}
