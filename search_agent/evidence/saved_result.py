"""load_result: the ``final_result.json`` of a run directory."""

import json
from pathlib import Path

from pydantic import ValidationError

from corpora.errors import MalformedRecord
from corpora.first_fault import first_fault
from search_agent.errors import RunNotFound
from search_agent.final_result import FINAL_RESULT_FILE, FinalResult

SCHEMA = 1


def find_run(run: str, runs_folder: Path) -> Path:
    """Run directory of a run id below ``runs_folder``, or of a path.

    Raises:
        RunNotFound: neither.
    """
    for folder in (runs_folder / run, Path(run)):
        if run and folder.is_dir():
            return folder
    message = f"no run {run!r}, neither an id nor a folder; `deepsearch runs list` shows them"
    raise RunNotFound(message)


def load_result(run_dir: Path) -> FinalResult:
    """The saved result.

    Raises:
        RunNotFound: the directory holds none; the search may not have ended.
        MalformedRecord: the file is damaged, or of a newer schema.
    """
    path = run_dir / FINAL_RESULT_FILE
    if not path.is_file():
        message = f"{str(run_dir)!r} has no {FINAL_RESULT_FILE}; `deepsearch resume` ends a search"
        raise RunNotFound(message)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        schema = content.get("schema") if isinstance(content, dict) else None
        if isinstance(schema, int) and schema > SCHEMA:
            message = f"{str(path)!r} has schema {schema}, this version reads up to {SCHEMA}"
            raise MalformedRecord(message)
        return FinalResult.model_validate(content)
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        message = f"{str(path)!r} is no JSON ({error}); the file was cut or edited"
        raise MalformedRecord(message) from error
    except ValidationError as error:
        message = f"{str(path)!r}: {first_fault(error)}; the file was edited"
        raise MalformedRecord(message) from error
