"""What is checked of a GGUF before llama.cpp sees it, and of the machine that will run it."""

import hashlib
import os
import re
from pathlib import Path

from search_agent.errors import ModelHashMismatch, ModelUnavailable

MAGIC = b"GGUF"


def checked_gguf(path: Path, *, sha256: str | None, verify: bool = True) -> str:
    """The file's SHA-256, computed, or with ``verify`` off the one expected.

    Raises:
        ModelUnavailable: absent, or not a GGUF.
        ModelHashMismatch: the bytes are not those of ``sha256``.
    """
    if not path.is_file():
        message = (
            f"model file {str(path)!r} does not exist; set --model to a GGUF file or a name of "
            "`deepsearch models list`, or fetch one with `deepsearch models fetch NAME`"
        )
        raise ModelUnavailable(message)
    with path.open("rb") as file:
        magic = file.read(len(MAGIC))
    if magic != MAGIC:
        message = f"model file {str(path)!r} is no GGUF (begins with {magic!r}); set --model to one"
        raise ModelUnavailable(message)
    if sha256 is not None and not verify:
        return sha256
    found = file_sha256(path)
    if sha256 is not None and found != sha256:
        message = (
            f"model file {str(path)!r} has SHA-256 {found}, expected {sha256}; fetch it again with "
            "`deepsearch models fetch`, or add it as it is with `deepsearch models add`"
        )
        raise ModelHashMismatch(message)
    return found


def file_sha256(path: Path) -> str:
    """SHA-256 of a file's bytes, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def physical_cores() -> int:
    """Physical cores this process may use; hyper-threads only slow the matrix kernels down."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    table = Path("/proc/cpuinfo")
    if not table.is_file():
        return allowed or 1
    text = table.read_text(encoding="utf-8", errors="replace")
    sockets = re.findall(r"^physical id\s*:\s*(\d+)", text, flags=re.MULTILINE)
    cores = re.findall(r"^core id\s*:\s*(\d+)", text, flags=re.MULTILINE)
    counted = len(set(zip(sockets, cores, strict=False)))
    return max(1, min(counted or allowed or 1, allowed or 1))
