"""ChangeLog: what happened to each file since the ingest before."""

from collections import Counter
from collections.abc import Iterable, Mapping

from ingest.report import Change
from ingest.writer import SourceRow


class ChangeLog:
    """Counts changes; a content that left one path for another is renamed."""

    def __init__(self, known: Mapping[str, SourceRow], present: Iterable[str]) -> None:
        self._known = known
        self._gone: dict[str, list[str]] = {}
        """Paths that are no longer there, by the hash of what they held."""
        self.counts: Counter[Change] = Counter()
        here = set(present)
        for path, row in known.items():
            if path not in here:
                self._gone.setdefault(row.source_sha256 or "", []).append(path)

    def note(self, path: str, sha256: str | None, *, is_new: bool) -> tuple[Change, str | None]:
        """The change of a file that is there, and the path that it had if it was renamed.

        ``is_new``: what became of it is another than before, though its bytes may be the same.
        """
        row = self._known.get(path)
        left = self._gone.get(sha256 or "", [])
        before = None
        change: Change
        if row is None and sha256 and left:
            change, before = "renamed", left.pop(0)
        elif row is None:
            change = "added"
        elif row.source_sha256 != sha256 or is_new:
            change = "changed"
        else:
            change = "unchanged"
        self.counts[change] += 1
        return change, before

    def note_unchanged(self, n_files: int) -> None:
        """Files that were left alone."""
        self.counts["unchanged"] += n_files

    def has_left(self, sha256: str) -> bool:
        """Whether this content was at a path that is gone."""
        return sha256 in self._gone

    def note_removed(self) -> list[str]:
        """The paths that are gone and were not renamed."""
        paths = sorted(path for left in self._gone.values() for path in left)
        self.counts["removed"] += len(paths)
        return paths
