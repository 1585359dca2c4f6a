"""Makes the demo corpus's PDF, DOCX, PPTX and XLSX files from the Markdown in ``demo_sources/``.

``python -m corpora.build_demo`` writes them; ``--check`` only compares. A document is added by its
source text and an entry in ``targets.toml``; no code changes. The bytes are the same on every run
and machine: dates are fixed, nothing is deflated (so that they do not depend on the zlib build),
and no font of the system is used.

Why not the Markdown alone: the corpus has to show that citations work in the formats people have.
For developers only: it needs the dev extra, and neither it nor its sources are shipped.
"""

from corpora.build_demo.block import Block, parse_source
from corpora.build_demo.build import DEMO, WRITERS, build_target
from corpora.build_demo.targets import SOURCES, Target, load_targets

__all__ = [
    "DEMO",
    "SOURCES",
    "WRITERS",
    "Block",
    "Target",
    "build_target",
    "load_targets",
    "parse_source",
]
