"""A dataset by name or folder → its questions with gold, ingested and indexed on first use.

Two kinds: a folder in the common layout of test collections, and a corpus with ``topics.jsonl``.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpora.card import CorpusCard, find_corpus
from corpora.encoder_card import EncoderCard
from corpora.errors import CorpusNotFound, MalformedRecord
from corpora.store import DocumentStore
from corpora.topic import Topic
from corpora.topics import load_topics, resolve_gold
from index import build_index
from index.progress import IndexProgress
from ingest import (
    IngestConfig,
    IngestProgress,
    ingest_collection,
    ingest_corpus,
    is_collection,
)
from search_agent.bench.cited_spans import Span
from search_agent.bench.collection import collection_questions
from search_agent.bench.question import BenchQuestion, SplitName

TOPICS_FILE = "topics.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """Where a dataset's documents and questions come from."""

    name: str
    card: CorpusCard
    topics: Path | None
    """The topics file; None for a test collection, which has its own queries."""

    @property
    def is_collection(self) -> bool:
        """Whether the documents are records of ``corpus.jsonl.gz``."""
        return self.topics is None


def find_dataset(
    name_or_folder: str, *, topics: Path | None = None, name: str | None = None
) -> Dataset:
    """The dataset of a folder or of a shipped corpus; ``topics`` replaces the corpus' own file,
    ``name`` the one that the folder gives it.

    Raises:
        CorpusNotFound: neither, or without questions.
    """
    card = find_corpus(name_or_folder, name=name)
    if topics is None and is_collection(card.root):
        return Dataset(name=card.name, card=card, topics=None)
    found = topics or card.root / TOPICS_FILE
    if not found.is_file():
        message = (
            f"dataset {name_or_folder!r} has no questions:"
            f" neither queries.jsonl with corpus.jsonl.gz nor topics at {str(found)!r}"
        )
        raise CorpusNotFound(message)
    return Dataset(name=card.name, card=card, topics=found)


def prepare_index(
    dataset: Dataset,
    folder: Path,
    *,
    encoder: EncoderCard,
    encoders_for: Callable[[EncoderCard, Path], tuple[EncoderCard, ...]],
    on_ingest: Callable[[IngestProgress], None] | None = None,
    on_index: Callable[[IndexProgress], None] | None = None,
) -> None:
    """Ingest and index the dataset under ``folder``; what is fresh is not done again.

    ``encoder`` cuts the chunks; ``encoders_for`` says, of it and the ingested folder, which
    encoders embed them.
    """
    ingest_dataset(dataset, folder, encoder=encoder, on_ingest=on_ingest)
    build_index(
        folder,
        encoders=encoders_for(encoder, folder / "ingest"),
        progress=on_index,
    )


def ingest_dataset(
    dataset: Dataset,
    folder: Path,
    *,
    encoder: EncoderCard,
    on_ingest: Callable[[IngestProgress], None] | None = None,
) -> None:
    """Ingest the dataset under ``folder``, its chunks cut for ``encoder``."""
    ingest_folder = folder / "ingest"
    if dataset.is_collection:
        ingest_collection(
            dataset.card.root,
            ingest_folder,
            encoder=encoder,
            config=IngestConfig(),
            progress=on_ingest,
        )
    else:
        ingest_corpus(
            dataset.card, ingest_folder, encoder=encoder, config=IngestConfig(), progress=on_ingest
        )


def load_questions(
    dataset: Dataset, folder: Path, *, n: int, split: SplitName = "all"
) -> list[BenchQuestion]:
    """The first ``n`` questions of the split in file order (0: all of them), with gold resolved in
    the ingested store.

    Raises:
        MalformedRecord: a question or a gold quote cannot be used, or nothing is of that split.
    """
    store = DocumentStore(folder / "ingest")
    try:
        if dataset.topics is None:
            if split != "all":
                message = (
                    f"{dataset.name!r} is a test collection, without splits; leave out --split"
                )
                raise MalformedRecord(message)
            return collection_questions(
                dataset.card.root, store, n=n, languages=dataset.card.languages
            )
        topics = topics_of_split(load_topics(dataset.topics), split)[: n or None]
        return [topic_question(topic, store) for topic in topics]
    finally:
        store.close()


def topics_of_split(topics: Sequence[Topic], split: SplitName) -> list[Topic]:
    """The topics of one split, in their order.

    Raises:
        MalformedRecord: there is none.
    """
    chosen = [topic for topic in topics if split in ("all", topic.split)]
    if not chosen and topics:
        there = ", ".join(sorted({topic.split or "none" for topic in topics}))
        message = f"no topic has split {split!r}; splits in the file: {there}"
        raise MalformedRecord(message)
    return chosen


def topic_question(topic: Topic, store: DocumentStore) -> BenchQuestion:
    """A topic with its gold quotes as spans; those that need an ability we lack are counted."""
    try:
        gold = [Span(*place) for place in resolve_gold(topic, store)]
        unresolved = 0
    except MalformedRecord:
        if not topic.requires:  # a topic without special needs must resolve
            raise
        gold, unresolved = [], len(topic.gold)
    return BenchQuestion(
        query_id=topic.query_id,
        text=topic.text,
        answers=topic.answers,
        gold=tuple(gold),
        gold_doc_ids=frozenset(span.doc_id for span in gold),
        unresolved_gold=unresolved,
        kind=topic.kind,
        language=topic.language,
    )
