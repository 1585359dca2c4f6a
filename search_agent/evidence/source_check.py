"""SourceCheck: whether the file a document was read from still has the recorded bytes."""

import hashlib
from pathlib import Path

from corpora.document import Document, Location
from corpora.store import DocumentStore
from search_agent.evidence.records import SourceCheck


class SourceFiles:
    """Hashes of files under ``source_root``, each read once for the life of this object."""

    def __init__(self, store: DocumentStore, source_root: Path | None) -> None:
        self._store = store
        self._root = source_root.resolve() if source_root is not None else None
        self._hashes: dict[Path, str | None] = {}

    def check(self, document: Document) -> SourceCheck:
        """``match`` if any place of the document holds its bytes, ``changed`` if there is a file
        but with other bytes, ``absent`` if no file is at hand.

        Of a container only the outer file is compared: its members are inside those bytes.
        """
        if self._root is None:
            return "absent"
        locations = self._store.locations(document.doc_id) or [
            Location(doc_id=document.doc_id, uri=document.uri)
        ]
        is_changed = False
        for location in locations:
            found = self._hash_at(location.uri)
            wanted = self._recorded(document, location, self._root)
            if found is None or wanted is None:
                continue
            if found.startswith(wanted):
                return "match"
            is_changed = True
        return "changed" if is_changed else "absent"

    def _recorded(self, document: Document, location: Location, root: Path) -> str | None:
        """Recorded hash (or its first 16 digits) of the file that stands at this place."""
        outer_uri = self._store.outer_uri(location.uri, root)
        if outer_uri == location.uri:
            return document.source_sha256
        parent_id = location.parent_doc_id
        for _ in range(location.uri.count("!/")):
            if parent_id is None:
                return None
            parents = self._store.locations(parent_id)
            here = [place for place in parents if location.uri.startswith(place.uri + "!/")]
            if not here or here[0].uri == outer_uri:
                break
            parent_id = here[0].parent_doc_id
        if parent_id is None:
            return None
        parent = self._store.document(parent_id)
        if parent is not None:
            return parent.source_sha256
        # a container without a document of its own is known by its id, which begins its hash
        return parent_id.removeprefix("d_") if parent_id.startswith("d_") else None

    def _hash_at(self, uri: str) -> str | None:
        if self._root is None or not uri.startswith("corpus:///"):
            return None
        path = self._store.source_path(uri, self._root)
        if path not in self._hashes:
            self._hashes[path] = self._read(path)
        return self._hashes[path]

    def _read(self, path: Path) -> str | None:
        try:
            if self._root is None or not path.resolve().is_relative_to(self._root):
                return None
            with path.open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        except (OSError, ValueError):
            return None
