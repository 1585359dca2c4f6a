"""A corpus folder, its build folder, and ingesting one into the other with the test encoder."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpora.card import CorpusCard
from corpora.document import Document, Segment
from corpora.encoder_card import EncoderCard
from corpora.store import DocumentStore
from ingest import IngestConfig, IngestProgress, IngestReport, ingest_corpus


@dataclass(frozen=True)
class Workbench:
    """``source`` is the corpus, ``build`` where it is stored."""

    source: Path
    build: Path
    encoder: EncoderCard

    def write(self, path: str, content: str | bytes) -> Path:
        file = self.source / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return file

    def ingest(
        self,
        config: IngestConfig | None = None,
        progress: Callable[[IngestProgress], None] | None = None,
        **card: Any,
    ) -> IngestReport:
        """Ingest in this process unless ``config`` says otherwise: tests/ingest/test_ingest_workers
        shows that the result is the same.
        """
        return ingest_corpus(
            CorpusCard(name="bench", root=self.source, **card),
            self.build,
            encoder=self.encoder,
            config=config or IngestConfig(workers=0),
            progress=progress,
        )

    def store(self) -> DocumentStore:
        return DocumentStore(self.build)

    def document(self, path: str) -> Document:
        store = self.store()
        uri = f"corpus:///{path}"
        found = [doc for doc in store.documents() if doc.uri == uri]
        store.close()
        assert found, f"no current document at {uri}"
        return found[0]

    def segments(self, path: str) -> list[tuple[Segment, str]]:
        """Segments of the document at ``path``, each with its text."""
        document = self.document(path)
        store = self.store()
        segments = store.segments(document.doc_id)
        store.close()
        return [(segment, document.text[segment.start : segment.end]) for segment in segments]

    def segment(self, path: str, words: str) -> Segment:
        """The one segment whose text is ``words``."""
        texts = self.segments(path)
        found = [segment for segment, text in texts if text == words]
        assert len(found) == 1, [text for _, text in texts]
        return found[0]
