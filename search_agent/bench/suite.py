"""Suite: the datasets that a folder is or holds."""

import os
from pathlib import Path

from ingest import is_collection
from search_agent.bench.prepare import Dataset, find_dataset


def find_datasets(name_or_folder: str, *, name: str | None = None) -> list[Dataset]:
    """The dataset of that name or folder; of a folder that is none, all below it, by their paths.

    Those below are named by their path (``xquad/en`` is ``xquad-en``), a single one by ``name``.

    Raises:
        CorpusNotFound: there is none.
    """
    root = Path(name_or_folder)
    if root.is_dir() and not is_collection(root):
        below = sorted(
            Path(folder) for folder, _, _ in os.walk(root) if is_collection(Path(folder))
        )
        if below:
            return [
                find_dataset(str(folder), name="-".join(folder.relative_to(root).parts))
                for folder in below
            ]
    return [find_dataset(name_or_folder, name=name)]
