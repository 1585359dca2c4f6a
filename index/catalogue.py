"""Catalogue: which documents a search may see, read from the document store without its texts.

The store's own class reads whole documents; filters need only their small columns, of all of them.
Read live, not from the index: a document that is moved keeps its place in the index, and its new
URI and labels count at once.
"""

import json
import sqlite3
import threading
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from corpora.document import Location
from corpora.errors import StoreCorrupt
from corpora.hit import Filters
from corpora.store import STORE_FILE

_DOCUMENTS = """
SELECT doc_id, uri, labels, media_type, language, date FROM documents
WHERE last_seen IS NULL ORDER BY doc_id
"""


class Catalogue:
    """Visibility of documents; safe to share between threads."""

    def __init__(self, ingest_folder: Path) -> None:
        path = ingest_folder / STORE_FILE
        self._path = path
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(
            f"{path.resolve().as_uri()}?mode=ro", uri=True, check_same_thread=False
        )

    def close(self) -> None:
        """Release the file."""
        self._connection.close()

    def version(self) -> int:
        """A number that changes when another process has changed the store."""
        (version,) = self._rows("PRAGMA data_version")[0]
        return int(str(version))

    def admitted(self, filters: Filters) -> Iterator[str]:
        """Ids of the current documents that the filters admit, ascending."""
        places: dict[str, list[Location]] = {}
        if _filters_places(filters):
            for uri, doc_id, labels in self._rows("SELECT uri, doc_id, labels FROM locations"):
                place = Location(doc_id=str(doc_id), uri=str(uri), labels=_labels(labels))
                places.setdefault(place.doc_id, []).append(place)
        for doc_id, uri, labels, media_type, language, date in self._rows(_DOCUMENTS):
            key = str(doc_id)
            if not all(
                (
                    not filters.doc_ids or key in filters.doc_ids,
                    filters.media_type in (None, media_type),
                    filters.language in (None, language),
                    _in_period(None if date is None else str(date), filters),
                )
            ):
                continue
            own = Location(doc_id=key, uri=str(uri), labels=_labels(labels))
            if any(place_is_visible(place, filters) for place in places.get(key, [own])):
                yield key

    def chunk_languages(self) -> dict[str, int]:
        """Chunks by language."""
        sql = "SELECT language, COUNT(*) FROM chunks GROUP BY language ORDER BY language"
        return {str(language): int(str(n)) for language, n in self._rows(sql)}

    def hidden_spans(self) -> dict[str, list[tuple[int, int]]]:
        """Spans of text a reader cannot see, by document."""
        spans: dict[str, list[tuple[int, int]]] = {}
        sql = 'SELECT doc_id, start, "end" FROM segments WHERE hidden = 1 ORDER BY doc_id, start'
        for doc_id, start, end in self._rows(sql):
            spans.setdefault(str(doc_id), []).append((int(str(start)), int(str(end))))
        return spans

    def _rows(self, sql: str) -> list[tuple[object, ...]]:
        try:
            with self._lock:
                return self._connection.execute(sql).fetchall()
        except sqlite3.DatabaseError as error:
            message = (
                f"{str(self._path)!r} cannot be read ({error}); delete the folder and ingest again"
            )
            raise StoreCorrupt(message) from error


def place_is_visible(place: Location, filters: Filters) -> bool:
    """True if a document may be shown as lying at ``place``.

    A glob matches the URI or the part after ``corpus:///``; its ``*`` also spans ``/``.
    """
    labels = set(place.labels)
    names = (place.uri, place.uri.removeprefix("corpus:///"))
    return (
        (not filters.labels_any or bool(labels & set(filters.labels_any)))
        and not labels & set(filters.labels_none)
        and any(fnmatchcase(name, filters.uri_glob or "*") for name in names)
    )


def _filters_places(filters: Filters) -> bool:
    return bool(filters.labels_any or filters.labels_none or filters.uri_glob)


def _in_period(date: str | None, filters: Filters) -> bool:
    """Both ends count; a bound of a year or month takes in all of it. No date, no admission."""
    if filters.date_from is None and filters.date_to is None:
        return True
    if date is None:
        return False
    begins = filters.date_from is None or date[: len(filters.date_from)] >= filters.date_from
    return begins and (filters.date_to is None or date[: len(filters.date_to)] <= filters.date_to)


def _labels(stored: object) -> tuple[str, ...]:
    return tuple(json.loads(str(stored)))
