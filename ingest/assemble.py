"""From an Extract to the rows of one document: title, date, language, segments, chunks."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from corpora.card import CorpusCard
from corpora.document import Chunk, Document, Segment
from corpora.encoder_card import EncoderCard
from ingest.canonical import canonical_text
from ingest.chunk import CHUNK_VERSION, ChunkLimits, ChunkSource, chunk_segments
from ingest.config import IngestConfig
from ingest.digest import digest_of
from ingest.document_date import date_in_name, iso_date
from ingest.extract import Extract
from ingest.giant import cut_giants, join_pieces
from ingest.language import detect_language
from ingest.segment import segment_extract
from ingest.title import find_title
from ingest.tokens import Tokenizer
from ingest.writer import Facts

_NAME = "file name"


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembled:
    """Everything that is stored of one document."""

    document: Document
    segments: tuple[Segment, ...]
    chunks: tuple[Chunk, ...]
    facts: Facts
    signature: bytes | None = None
    """MinHash of a freshly read text, see ``minhash``; None: the stored one stands."""


class Chunking:
    """An encoder's tokenizer with the limits it sets, and the digest that names both."""

    def __init__(self, encoder: EncoderCard, config: IngestConfig) -> None:
        self.tokenizer = Tokenizer(encoder)
        self.limits = ChunkLimits.of(encoder, config, self.tokenizer)
        if encoder.kind == "hash":
            self.tokenizer_sha256 = hashlib.sha256(b"hash").hexdigest()
        else:
            self.tokenizer_sha256 = hashlib.sha256(encoder.tokenizer_file.read_bytes()).hexdigest()
        self.max_tokens = encoder.max_tokens
        self.digest = digest_of(
            [
                self.tokenizer_sha256,
                encoder.passage_prefix,
                self.limits.text,
                self.limits.header,
                self.limits.overlap_sentences,
                self.limits.encoder,
                CHUNK_VERSION,
            ]
        )

    def manifest(self) -> dict[str, object]:
        """What the manifest says of it."""
        return {
            "tokenizer_sha256": self.tokenizer_sha256,
            "max_tokens": self.max_tokens,
            "header": self.limits.header,
            "text": self.limits.text,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a document's bytes lie."""

    doc_id: str
    source_sha256: str
    path: str
    """Relative path of its first place."""
    name_path: str
    """The path whose name may be told, see ``name_path``; empty: none."""
    uri: str
    labels: tuple[str, ...]
    placement: str
    """Digest of all its places, see ``Facts``."""


def assemble_document(
    extract: Extract,
    origin: Origin,
    card: CorpusCard,
    chunking: Chunking,
    *,
    media_type: str,
    parser: str,
) -> Assembled:
    """Title, date, language, segments and chunks of a freshly read file."""
    title = find_title(extract, origin.name_path)
    language = detect_language(extract.text, expected=card.languages)
    date, date_source = iso_date(extract.date or ""), extract.date_source
    if date is None:
        date = date_in_name(origin.name_path.rpartition("/")[2])
        date_source = _NAME if date else None
    document = Document(
        doc_id=origin.doc_id,
        uri=origin.uri,
        title=title.text,
        text=extract.text,
        text_sha256=hashlib.sha256(extract.text.encode()).hexdigest(),
        source_sha256=origin.source_sha256,
        media_type=media_type,
        language=language,
        labels=origin.labels,
        date=date,
        date_source=date_source,
        page_spans=extract.page_spans,
        metadata=with_supersession(
            {key: canonical_text(value).text for key, value in extract.metadata.items()},
            origin.path,
            card,
        ),
    )
    facts = Facts(
        doc_id=origin.doc_id,
        parser=parser,
        chunking="",
        title_source=title.source,
        missing=extract.missing,
        cut_spans="[]",
        pages=len({span.page for span in extract.page_spans}) or 1,
        replaced=extract.n_replaced,
        placement=origin.placement,
        digest="",
    )
    segments = segment_extract(extract, doc_id=origin.doc_id, language=language)
    return chunk_document(document, segments, facts, chunking)


def chunk_document(
    document: Document, segments: Sequence[Segment], facts: Facts, chunking: Chunking
) -> Assembled:
    """Chunks anew from segments; those cut for another encoder are joined and cut again."""
    earlier_cuts = [(int(start), int(end)) for start, end in json.loads(facts.cut_spans)]
    tokens = chunking.tokenizer.spans(document.text)
    pieces, cut_spans = cut_giants(
        join_pieces(segments, earlier_cuts),
        document.text,
        tokens,
        # One less, as a piece torn off without a blank may need one token more by itself.
        capacity=chunking.limits.text - 1,
    )
    source = ChunkSource(
        doc_id=document.doc_id,
        text=document.text,
        title=document.title,
        language=document.language,
        labels=document.labels,
    )
    chunks = chunk_segments(
        source, pieces, tokens=tokens, tokenizer=chunking.tokenizer, limits=chunking.limits
    )
    digest = digest_of(
        [
            document.text_sha256,
            [(piece.start, piece.end) for piece in pieces],
            [(chunk.start, chunk.end) for chunk in chunks],
            document.labels,
            document.language,
        ]
    )
    facts = replace(facts, chunking=chunking.digest, cut_spans=json.dumps(cut_spans), digest=digest)
    return Assembled(document=document, segments=tuple(pieces), chunks=tuple(chunks), facts=facts)


def with_supersession(
    metadata: Mapping[str, str], path: str, card: CorpusCard
) -> Mapping[str, str]:
    """Metadata with the URI of the document that the card says this one supersedes."""
    kept = {key: value for key, value in metadata.items() if key != "supersedes"}
    superseded = card.supersedes.get(path)
    return {**kept, "supersedes": f"corpus:///{superseded}"} if superseded else kept
