"""JobDesk: where jobs are done, in worker processes or, for a few small texts, in this one.

Starting a worker takes 0.6 s of CPU, and 1 s more for its first text whose language is told by its
words. That is saved where nothing can go wrong that would need one: few and small files whose
readers are our own Python over text. A PDF, a container, HTML or anything else that a C library
opens is never read in this process.
"""

from collections.abc import Iterator, Sequence

from ingest.config import IngestConfig
from ingest.detect import FormatName, detect_format
from ingest.errors import DiskFull, ExtractionFailed
from ingest.job import Job, JobResult, JobRunner, JobSetup, ReadJob
from ingest.worker_pool import WorkerPool

_GENTLE: frozenset[FormatName] = frozenset(
    {"markdown", "plain", "csv", "tsv", "rst", "json", "jsonl", "code"}
)
_MOST_GENTLE = 50
GENTLE_BYTES = 64 * 2**10
_FILES_PER_WORKER = 64
_BYTES_PER_WORKER = 4 * 2**20
"""With less for each, starting another worker takes longer than it saves."""
_CONTAINERS = (b"PK", b"\xd0\xcf\x11\xe0", b"\x1f\x8b", b"BZh", b"\xfd7zXZ")


class JobDesk:
    """Takes jobs as long as it is open."""

    def __init__(self, setup: JobSetup) -> None:
        self._config = setup.config
        self._runner = JobRunner(setup)
        self._pool = WorkerPool(setup)

    def results(self, jobs: Sequence[Job]) -> Iterator[JobResult]:
        """One result for each job, in order.

        Raises:
            DiskFull: nothing more can be written; the jobs after it are not done.
            WorkersUnusable: a worker process does not start.
        """
        for result in self._all_results(jobs):
            if isinstance(result, DiskFull):
                raise result
            yield result

    def _all_results(self, jobs: Sequence[Job]) -> Iterator[JobResult]:
        if self._config.workers == 0 or are_gentle(jobs, self._config):
            return map(self._runner.run, jobs)
        n_bytes = sum(job.n_bytes for job in jobs)
        worthwhile = 1 + len(jobs) // _FILES_PER_WORKER + n_bytes // _BYTES_PER_WORKER
        return self._pool.results(jobs, n_workers=min(self._config.workers, worthwhile))

    def close(self) -> None:
        """End the worker processes."""
        self._pool.close()


def are_gentle(jobs: Sequence[Job], config: IngestConfig) -> bool:
    """Whether ``jobs`` may be done in this process, whose end would be that of the ingest."""
    is_little = len(jobs) < _MOST_GENTLE and all(job.n_bytes <= GENTLE_BYTES for job in jobs)
    return is_little and not config.parser and all(_is_gentle(job, config) for job in jobs)


def _is_gentle(job: Job, config: IngestConfig) -> bool:
    if not isinstance(job, ReadJob) or job.content.files[0].member:
        return False
    file = job.content.files[0]
    try:
        content = file.file.read_bytes()
        is_container = content.startswith(_CONTAINERS)
        return not is_container and detect_format(content, file.path, config) in _GENTLE
    except (OSError, ExtractionFailed):
        return True  # no reader comes to it
