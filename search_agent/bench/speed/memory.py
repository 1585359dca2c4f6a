"""Memory: what a process holds, as Linux counts it, and what the machine has left."""

import threading
from pathlib import Path

_STATUS = Path("/proc/self/status")
_MEMINFO = Path("/proc/meminfo")
_INTERVAL_S = 0.05


def private_mb() -> float | None:
    """Memory of this process that no file stands behind; None on systems without /proc."""
    return _read(_STATUS, "RssAnon:")


def peak_resident_mb() -> float | None:
    """The most this process has had in memory, mapped files included; None without /proc."""
    return _read(_STATUS, "VmHWM:")


def available_mb() -> float | None:
    """Memory that can be had without swapping; None without /proc."""
    return _read(_MEMINFO, "MemAvailable:")


class PrivatePeak:
    """The most private memory seen since it was made, looked at twenty times a second."""

    def __init__(self) -> None:
        self._peak = private_mb()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def end(self) -> float | None:
        """Stop looking; the peak in MB, None without /proc."""
        self._ended.set()
        self._thread.join()
        self._look()
        return self._peak

    def _watch(self) -> None:
        while not self._ended.wait(_INTERVAL_S):
            self._look()

    def _look(self) -> None:
        now = private_mb()
        if self._peak is not None and now is not None:
            self._peak = max(self._peak, now)


def _read(path: Path, key: str) -> float | None:
    """A figure of kB lines, in MB (1e6 bytes)."""
    if not path.is_file():
        return None
    for line in path.read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith(key):
            return round(int(line.split()[1]) * 1024 / 1e6, 1)
    return None
