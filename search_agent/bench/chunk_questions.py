"""Questions whose answers are marked in long texts: what a folder in the layout of chunking-spans
holds (``corpora/*.gz`` and ``questions.jsonl``).

Source of the layout: Chroma's chunking evaluation, converted.
"""

import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from corpora.errors import CorpusNotFound, MalformedRecord
from search_agent.bench.collection_records import read_records

QUESTIONS_FILE = "questions.jsonl"
TEXTS_FOLDER = "corpora"


class Reference(BaseModel):
    """An excerpt that answers; offsets count code points of the text."""

    model_config = ConfigDict(extra="ignore")

    content: str
    start_index: int = Field(ge=0)
    end_index: int


class _QuestionRecord(BaseModel):
    model_config = ConfigDict(extra="ignore")

    query_id: str = Field(alias="_id")
    text: str
    corpus_id: str
    references: tuple[Reference, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedQuestion:
    """One question; its answer is ``text[start:end]`` of each span in the text named ``source``."""

    query_id: str
    text: str
    source: str
    spans: tuple[tuple[int, int], ...]


def unpack_texts(folder: Path, into: Path) -> dict[str, str]:
    """The texts by name, also written as files into a folder, where ingestion can read them.

    Raises:
        CorpusNotFound: there are none.
    """
    packed = sorted((folder / TEXTS_FOLDER).glob("*.gz"))
    if not packed:
        message = f"no {TEXTS_FOLDER}/*.gz in {str(folder)!r}"
        raise CorpusNotFound(message)
    into.mkdir(parents=True, exist_ok=True)
    texts: dict[str, str] = {}
    for path in packed:
        content = gzip.decompress(path.read_bytes())
        target = into / path.stem
        if not target.is_file() or target.read_bytes() != content:
            target.write_bytes(content)
        texts[Path(path.stem).stem] = content.decode("utf-8")
    return texts


def read_marked_questions(folder: Path, texts: Mapping[str, str]) -> list[MarkedQuestion]:
    """The questions in file order.

    Raises:
        CorpusNotFound: there is no ``questions.jsonl``.
        MalformedRecord: an excerpt does not stand where it is said to.
    """
    questions = []
    needed = (QUESTIONS_FILE, f"{TEXTS_FOLDER}/*.gz")
    for record in read_records(folder / QUESTIONS_FILE, _QuestionRecord, needed=needed):
        text = texts.get(record.corpus_id, "")
        for reference in record.references:
            if text[reference.start_index : reference.end_index] != reference.content:
                message = (
                    f"{QUESTIONS_FILE}: {record.query_id!r}: {record.corpus_id!r} does not read"
                    f" {reference.content!r} at {reference.start_index}-{reference.end_index}"
                )
                raise MalformedRecord(message)
        questions.append(
            MarkedQuestion(
                query_id=record.query_id,
                text=record.text,
                source=record.corpus_id,
                spans=tuple((one.start_index, one.end_index) for one in record.references),
            )
        )
    return questions
