"""Bringing files to the disk itself, once for a whole folder, before anything names it.

Files are written without ``fsync``: a killed process loses nothing the system has taken, and what
a power cut leaves half is never named, since a generation's manifest is written after its files are
synced. Why not sync each file as it is written: some thirty waits for the disk, of which only the
last counts.
"""

import os
from pathlib import Path


def sync_path(path: Path) -> None:
    """Wait until a file's bytes, or a folder's entries, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_tree(folder: Path) -> None:
    """Wait until ``folder`` with all its files and folders is on the disk."""
    for path in folder.rglob("*"):
        sync_path(path)
    sync_path(folder)
