"""Everything of a store that an ingest decides, to be compared with another store's."""

import sqlite3

from corpora.manifest import read_manifest
from corpora.store import STORE_FILE
from tests.ingest.workbench import Workbench

_CURRENT = "JOIN documents USING (doc_id) WHERE last_seen IS NULL"
_TABLES = {
    "documents": """SELECT doc_id, uri, title, text, text_sha256, source_sha256, media_type,
      language, labels, date, date_source, page_spans, metadata FROM documents
      WHERE last_seen IS NULL ORDER BY 1""",
    "segments": f"SELECT segments.* FROM segments {_CURRENT} ORDER BY 1, 2, 3",
    "chunks": "SELECT * FROM chunks ORDER BY 1, 2, 3",
    "locations": "SELECT * FROM locations ORDER BY 1",
    "sources": "SELECT * FROM sources ORDER BY 1",
    "facts": f"SELECT ingest_facts.* FROM ingest_facts {_CURRENT} ORDER BY 1",
    "signatures": f"SELECT ingest_signatures.* FROM ingest_signatures {_CURRENT} ORDER BY 1",
}

Dump = dict[str, list[object]]


def dump(bench: Workbench) -> Dump:
    """Current rows by table, without the times of the ingests; problems, counts, fingerprint."""
    connection = sqlite3.connect(bench.build / STORE_FILE)
    found: Dump = {name: list(connection.execute(sql)) for name, sql in _TABLES.items()}
    connection.close()
    for name in ("problems.jsonl", "near_duplicates.jsonl"):
        found[name] = list((bench.build / name).read_text(encoding="utf-8").splitlines())
    manifest = read_manifest(bench.build)
    assert manifest is not None
    return found | {"manifest": [manifest["fingerprint"], manifest["counts"]]}
