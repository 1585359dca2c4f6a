"""The parser hook: a function of the operator's that is asked about each file before the readers.

``IngestConfig(parser="package.module:function")`` names it, so that worker processes can import it
too. It is called with the file's bytes and its path in the corpus, and returns an ``Extract`` (see
``ingest.extract.ExtractBuilder``), or None to leave the file to the readers. It may raise
``ExtractionFailed`` with the state the file shall end in.
"""

import importlib
from collections.abc import Callable
from functools import lru_cache

from ingest.errors import IngestError
from ingest.extract import Extract

Hook = Callable[[bytes, str], Extract | None]


@lru_cache(maxsize=8)
def hooked_parser(name: str) -> Hook:
    """The function that ``name`` (``package.module:function``) names.

    Raises:
        IngestError: there is none.
    """
    module, _, function = name.partition(":")
    try:
        found = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        message = f"parser {name!r} cannot be found ({error}); expected 'package.module:function'"
        raise IngestError(message) from error
    if not callable(found):
        message = f"parser {name!r} is no function; expected 'package.module:function'"
        raise IngestError(message)
    hook: Hook = found
    return hook
