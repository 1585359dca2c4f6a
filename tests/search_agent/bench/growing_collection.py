"""A test collection with enough words and queries to draw corpora from."""

import gzip
import json
import random
from pathlib import Path

WORDS = [first + second for first in "bdfgklmnprst" for second in ("ana", "elo", "iru", "omi")]


def write_growing_collection(folder: Path) -> Path:
    """Write 60 documents of 20 to 79 words and 40 queries of 8 to ``folder`` and return it."""
    draw = random.Random(5)
    (folder / "qrels").mkdir(parents=True)
    with gzip.open(folder / "corpus.jsonl.gz", "wt", encoding="utf-8") as file:
        for number in range(60):
            text = " ".join(draw.choices(WORDS, k=20 + number))
            file.write(json.dumps({"_id": f"c{number}", "title": "", "text": text}) + "\n")
    queries = [
        {"_id": f"q{number}", "text": " ".join(draw.sample(WORDS, 8))} for number in range(40)
    ]
    lines = "".join(json.dumps(query) + "\n" for query in queries)
    (folder / "queries.jsonl").write_text(lines, encoding="utf-8")
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq0\tc0\t1\n", "utf-8")
    return folder
