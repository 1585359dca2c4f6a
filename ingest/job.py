"""Jobs: what may be dangerous to do with a file, done in a worker process or in this one alike.

A job never raises for what is in a file. Its result says how it went, so that one file is one row
whatever it holds.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from traceback import extract_tb
from typing import assert_never

from corpora.card import CorpusCard
from corpora.encoder_card import EncoderCard
from ingest.assemble import Assembled, Chunking
from ingest.config import IngestConfig
from ingest.containers import Containers
from ingest.content_document import read_document
from ingest.errors import DiskFull, ExtractionFailed
from ingest.member_listing import Listing, list_members
from ingest.plan import Content
from ingest.readers import CONTAINER
from ingest.scan import ScannedFile

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobSetup:
    """What all jobs of one ingest share."""

    card: CorpusCard
    encoder: EncoderCard
    config: IngestConfig
    folder: Path
    """The build folder, the one place where a job may write."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadJob:
    """Read a content's first file into all that is stored of it."""

    content: Content

    @property
    def n_bytes(self) -> int:
        """Size of the file."""
        return self.content.files[0].size


@dataclass(frozen=True, slots=True, kw_only=True)
class ListJob:
    """List what a file holds if it is a container."""

    file: ScannedFile

    @property
    def n_bytes(self) -> int:
        """Size of the file."""
        return self.file.size


Job = ReadJob | ListJob
JobResult = Assembled | Listing | ExtractionFailed | DiskFull


class JobRunner:
    """Does jobs one after the other."""

    def __init__(self, setup: JobSetup) -> None:
        self._setup = setup
        self._containers = Containers(setup.config, setup.folder)
        self.is_exhausted = False
        """Whether memory ran out once: what the libraries hold by now is not known."""

    @cached_property
    def _chunking(self) -> Chunking:
        return Chunking(self._setup.encoder, self._setup.config)

    def run(self, job: Job, tell: Tell | None = None) -> JobResult:
        """The result of ``job``; ``tell`` hears the id of the parser that is about to read."""
        told = [""]

        def note(parser: str) -> None:
            told[0] = parser
            if tell is not None:
                tell(parser)

        try:
            return self._do(job, note)
        except (ExtractionFailed, DiskFull) as failure:
            return failure
        except MemoryError:
            self.is_exhausted = True
            most = self._setup.config.max_reader_memory_bytes
            failed = crashed(f"out of memory; max_reader_memory_bytes allows {most}", told[0])
        # A fault of ours or of a library in one file must not end the ingest of the others. This is
        # the one place that stops it; the row names the fault and where it happened.
        except Exception as error:  # noqa: BLE001
            places = extract_tb(error.__traceback__)
            place = f"{Path(places[-1].filename).name}:{places[-1].lineno}"
            failed = crashed(f"{type(error).__name__} at {place}: {error}", told[0])
        return failed

    def _do(self, job: Job, tell: Tell) -> JobResult:
        setup = self._setup
        match job:
            case ListJob():
                tell(CONTAINER)
                return list_members(job.file, self._containers, setup.config)
            case ReadJob():
                return read_document(
                    job.content,
                    setup.card,
                    self._chunking,
                    config=setup.config,
                    containers=self._containers,
                    tell=tell,
                )
            case _:
                assert_never(job)


def crashed(what: str, parser: str) -> ExtractionFailed:
    """The failure of a reader that did not get to an end by itself."""
    reader = parser.partition(":")[0]
    failure = ExtractionFailed(f"{reader or 'reading'}: {what}", state="crashed")
    failure.parser = parser
    return failure


def overrun(what: str, parser: str) -> ExtractionFailed:
    """The failure of a reader that took too long."""
    failure = crashed(what, parser)
    failure.state = "timeout"
    return failure
