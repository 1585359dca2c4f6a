"""A SciFact folder small enough to read: two abstracts, four claims."""

import gzip
import json
from pathlib import Path
from typing import Any

ABSTRACTS = {
    "10": [
        "We studied the heart rate of runners.",
        "Daily aspirin lowered the heart rate of runners.",
        "Forty runners took part over two winters.",
        "Ethics approval was obtained.",
    ],
    "20": ["Zinc had no effect on sleep.", "Beds were counted.", "Nights were cold."],
}
CLAIMS: list[dict[str, Any]] = [
    {"id": "1", "split": "dev", "claim": "Aspirin lowers heart rate.", "sets": [("10", "S", [1])]},
    {"id": "2", "split": "dev", "claim": "Aspirin raises heart rate.", "sets": [("10", "C", [1])]},
    {
        "id": "3",
        "split": "train",
        "claim": "Zinc does not change sleep.",
        "sets": [("20", "S", [0]), ("20", "S", [0, 2])],
    },
    {"id": "4", "split": "train", "claim": "Zinc deepens sleep.", "sets": [("20", "C", [0])]},
    {"id": "5", "split": "dev", "claim": "Copper is blue.", "sets": []},
]
LABELS = {"S": "SUPPORT", "C": "CONTRADICT"}


def write_scifact(folder: Path) -> Path:
    """Write the folder in the layout of the real one."""
    folder.mkdir(parents=True, exist_ok=True)
    with gzip.open(folder / "corpus.jsonl.gz", "wt", encoding="utf-8") as file:
        for doc_id, sentences in ABSTRACTS.items():
            metadata = {"sentences": sentences}
            record = {"_id": doc_id, "title": f"Study {doc_id}", "text": " ".join(sentences)}
            file.write(json.dumps({**record, "metadata": metadata}) + "\n")
    lines = []
    for claim in CLAIMS:
        evidence = [
            {"doc_id": doc_id, "label": LABELS[label], "sentences": sentences}
            for doc_id, label, sentences in claim["sets"]
        ]
        kept = {key: claim[key] for key in ("id", "split", "claim")}
        lines.append(json.dumps({**kept, "cited_doc_ids": [], "evidence": evidence}))
    (folder / "claims.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder
