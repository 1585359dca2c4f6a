"""The command line: write the demo corpus's binary files, or compare them with their sources."""

import argparse
import sys
from pathlib import Path

from corpora import build_demo
from corpora.build_demo.build import DEMO, build_target
from corpora.build_demo.targets import SOURCES, load_targets
from corpora.errors import CorpusError


def main(arguments: list[str] | None = None, *, sources: Path = SOURCES, demo: Path = DEMO) -> int:
    """Write the files, or with ``--check`` name those that differ; 0 when all is well, else 2."""
    parser = argparse.ArgumentParser(
        prog="python -m corpora.build_demo",
        description=build_demo.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check_only: bool = parser.parse_args(arguments).check
    differing = []
    try:
        for name, target in load_targets(sources).items():
            path, content = demo / name, build_target(target, sources=sources)
            if path.is_file() and path.read_bytes() == content:
                continue
            differing.append(name)
            if not check_only:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
    except CorpusError as error:
        print(error, file=sys.stderr)
        return 2
    verb = "differs from its source" if check_only else "written"
    for name in differing:
        print(f"{name}: {verb}")
    return 2 if check_only and differing else 0


if __name__ == "__main__":
    sys.exit(main())
