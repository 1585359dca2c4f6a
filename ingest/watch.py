"""watch_folder: waits until a corpus folder has changed and come to rest.

Why not inotify: network drives, where shared folders live, do not tell of what others write.
"""

import hashlib
from collections.abc import Callable, Iterator

from corpora.card import CorpusCard
from ingest.scan import scan_corpus


def watch_folder(
    card: CorpusCard, *, max_file_bytes: int, wait: Callable[[], None]
) -> Iterator[None]:
    """Yield once for each time that the folder differs from when it last yielded, or began.

    Between two looks at the folder ``wait`` is called. A folder that still changes between two
    looks is being copied into and is left alone until it rests.
    """
    acted_on = seen = _look(card, max_file_bytes)
    while True:
        wait()
        now = _look(card, max_file_bytes)
        if now == seen and now != acted_on:
            acted_on = now
            yield
        seen = now


def _look(card: CorpusCard, max_file_bytes: int) -> str:
    """Digest of every file's path, size, times and place."""
    digest = hashlib.sha256()
    for file in scan_corpus(card, max_file_bytes=max_file_bytes):
        seen = (file.path, file.size, file.mtime_ns, file.inode, file.refusal)
        digest.update(repr(seen).encode("utf-8", "backslashreplace"))
    return digest.hexdigest()
