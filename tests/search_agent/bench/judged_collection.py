"""A small test collection in the common layout: five documents, three judged queries, one not."""

import gzip
import json
from pathlib import Path

DOCUMENTS = {
    "c1": ("Tides", "The tide in the harbour rises twice a day. Pilots know its tables."),
    "c2": ("Cranes", "A crane lifts cargo. The harbour crane of Senna lifts forty tons."),
    "c3": ("Lamps", "The lighthouse lamp burns oil. Keepers trim the lamp."),
    "c4": ("Storms", "A storm broke the lamp of the lighthouse and the harbour crane."),
    "c5": ("Bread", "Bakers rise early. Bread rises twice."),
}
QUERIES = {
    "q1": "harbour crane",
    "q2": "lighthouse lamp storm",
    "q3": "zeppelin",
    "q4": "who bakes",
}
GRADES = {"q1": {"c2": 2, "c4": 1}, "q2": {"c4": 1, "c3": 1, "c1": 0}, "q3": {"c5": 1}}


def write_judged_collection(folder: Path) -> Path:
    """Write the collection to ``folder`` and return it."""
    (folder / "qrels").mkdir(parents=True)
    with gzip.open(folder / "corpus.jsonl.gz", "wt", encoding="utf-8") as file:
        for doc_id, (title, text) in DOCUMENTS.items():
            file.write(json.dumps({"_id": doc_id, "title": title, "text": text}) + "\n")
    lines = [json.dumps({"_id": query_id, "text": text}) for query_id, text in QUERIES.items()]
    (folder / "queries.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    rows = ["query-id\tcorpus-id\tscore"]
    rows += [
        f"{query_id}\t{doc_id}\t{grade}"
        for query_id, grades in GRADES.items()
        for doc_id, grade in grades.items()
    ]
    (folder / "qrels" / "test.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder
