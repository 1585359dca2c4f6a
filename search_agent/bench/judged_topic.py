"""JudgedTopic: a query with the documents judged for it, from a test collection or a corpus."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from corpora.errors import CorpusNotFound, MalformedRecord
from search_agent.bench.collection_records import QUERIES_FILE, QueryRecord, read_records
from search_agent.bench.prepare import Dataset, load_questions

DEFAULT_QRELS = "test"
"""What BEIR calls the part that is reported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedTopic:
    """One query and its judgements."""

    query_id: str
    text: str
    relevance: Mapping[str, int]
    """Grade by doc_id; above 0 is relevant."""

    @property
    def gold(self) -> frozenset[str]:
        """The relevant documents."""
        return frozenset(doc_id for doc_id, grade in self.relevance.items() if grade > 0)


def load_judged_topics(
    dataset: Dataset, build_folder: Path, *, queries: Path | None, qrels: str | None
) -> list[JudgedTopic]:
    """The topics that have a relevant document, in file order.

    Those of a test collection come from ``queries``, if given, else from its own folder; those of a
    corpus are the documents of its topics' gold quotes, found in the store under ``build_folder``.

    Raises:
        CorpusNotFound: a file is absent.
        MalformedRecord: a line has not the documented shape, or no topic has a relevant document.
    """
    if queries is None and not dataset.is_collection:
        topics = [
            JudgedTopic(
                query_id=question.query_id,
                text=question.text,
                relevance=dict.fromkeys(sorted(question.gold_doc_ids), 1),
            )
            for question in load_questions(dataset, build_folder, n=0)
        ]
    else:
        topics = collection_topics(queries or dataset.card.root, qrels=qrels)
    judged = [topic for topic in topics if topic.gold]
    if not judged:
        message = (
            f"no query of {dataset.name!r} has a relevant document, so nothing can be measured"
        )
        raise MalformedRecord(message)
    return judged


def collection_topics(folder: Path, *, qrels: str | None = None) -> list[JudgedTopic]:
    """All queries of a test collection with their judgements; ``qrels`` names the file of these."""
    judgements = read_qrels(_qrels_file(folder, qrels))
    return [
        JudgedTopic(
            query_id=query.query_id,
            text=query.text,
            relevance=judgements.get(query.query_id, {}),
        )
        for query in read_records(folder / QUERIES_FILE, QueryRecord)
    ]


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """Grades by query and document of a ``query-id  corpus-id  score`` file with a header line.

    Raises:
        MalformedRecord: a row is not of that shape, or its grade is no whole number.
    """
    judgements: dict[str, dict[str, int]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            try:
                grade = int(row["score"])
                judgements.setdefault(row["query-id"], {})[row["corpus-id"]] = grade
            except (KeyError, TypeError, ValueError) as error:
                message = f"{path.name}: row {row!r} is not query-id, corpus-id, whole score"
                raise MalformedRecord(message) from error
    return judgements


def _qrels_file(folder: Path, name: str | None) -> Path:
    """``qrels/<name>.tsv``; without a name ``test.tsv``, or the only one there is."""
    files = {path.stem: path for path in sorted((folder / "qrels").glob("*.tsv"))}
    if name is None and len(files) == 1:
        return next(iter(files.values()))
    wanted = name or DEFAULT_QRELS
    if wanted not in files:
        there = ", ".join(files) or "none"
        message = f"no qrels/{wanted}.tsv in {folder.name!r}; there are: {there}"
        raise CorpusNotFound(message)
    return files[wanted]
