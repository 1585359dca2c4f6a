"""RunKey: what a finished run depended on; a run with an equal key is not run again.

Measures are computed from the saved result each time, so a corrected measure needs no new run.
"""

import json
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from corpora.canonical_json import canonical_json, sha256_hex
from corpora.manifest import write_atomically
from prompts.catalogue import ClosedBook, prompt_hashes
from search_agent.bench.mode import BenchMode
from search_agent.config import SearchConfig
from search_agent.final_result import FINAL_RESULT_FILE, FinalResult

KEY_FILE = "bench_key.json"
_SEARCH_CODE = ("state_space", "tools", "evidence", "trajectory")
"""The rooms whose code decides what a search does; with the modules beside them."""


class RunKey(BaseModel):
    """Equal keys: the same question would be asked of the same things in the same way."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    question: str
    strategy: str
    seed: int
    model_sha256: str
    index_fingerprint: str
    config_sha256: str
    prompts_sha256: str
    mode: BenchMode = "normal"
    """Runs that were finished before there were modes have none."""


class RunRecord(BaseModel):
    """What stands beside a finished run: its key, and the code that made it (not compared)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    key: RunKey
    code_sha256: str


def config_sha256(config: SearchConfig) -> str:
    """Hash of the whole effective configuration."""
    return sha256_hex(canonical_json(config.model_dump(mode="json")))


def prompts_sha256(mode: BenchMode = "normal") -> str:
    """Hash of the hashes of all prompt files, but for the one that only a closed book shows."""
    hashes = prompt_hashes()
    if mode != "closed-book":
        del hashes[ClosedBook.file().name]
    return sha256_hex(canonical_json(hashes))


def code_sha256() -> str:
    """Hash of the code of the search; recorded with a run and with a result, never compared."""
    room = Path(__file__).parent.parent
    files = sorted(room.glob("*.py"))
    for name in _SEARCH_CODE:
        files += sorted((room / name).glob("*.py"))
    return sha256_hex(
        canonical_json(
            [[path.name, sha256_hex(path.read_text(encoding="utf-8"))] for path in files]
        )
    )


def save_run(run_dir: Path, record: RunRecord) -> None:
    """Mark the run as finished under its key; written after the final result."""
    write_atomically(run_dir / KEY_FILE, record.model_dump_json(indent=1) + "\n")


def finished_run(run_dir: Path, key: RunKey) -> tuple[FinalResult, RunRecord] | None:
    """The result of a finished run with an equal key; None where the question must be asked.

    Results in error or cancelled are no finished runs, nor are files that cannot be read.
    """
    try:
        record = RunRecord.model_validate_json((run_dir / KEY_FILE).read_text(encoding="utf-8"))
        content = json.loads((run_dir / FINAL_RESULT_FILE).read_text(encoding="utf-8"))
        result = FinalResult.model_validate(content)
    except (FileNotFoundError, UnicodeDecodeError, json.JSONDecodeError, ValidationError):
        return None
    is_whole = result.status != "error" and result.termination != "cancelled"
    return (result, record) if is_whole and record.key == key else None
