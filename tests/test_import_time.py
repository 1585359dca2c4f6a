"""Importing the product does no work: no heavy library is loaded, no socket and no file opened.

Each package is imported, module by module, in a fresh interpreter.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HEAVY = {
    "torch",
    "faiss",
    "llama_cpp",
    "sentence_transformers",
    "transformers",
    "pypdfium2",
    "numba",
}
IMPORT_ALL = """
import importlib, json, sys

sockets, written = [], []

def watch(event, arguments):
    if event.startswith("socket."):
        sockets.append(event)
    if event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+"):
        written.append(str(arguments[0]))

sys.dont_write_bytecode = True
sys.addaudithook(watch)
for module in sys.argv[1:]:
    importlib.import_module(module)
top = sorted({name.split(".")[0] for name in sys.modules})
print(json.dumps({"sockets": sockets, "written": written, "modules": top}))
"""


@pytest.mark.parametrize("package", ["corpora", "prompts", "ingest", "index", "search_agent"])
def test_importing_all_modules_loads_nothing_heavy_and_touches_neither_network_nor_disk(
    package: str,
) -> None:
    modules = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in sorted((ROOT / package).rglob("*.py"))
        if path.name != "__main__.py"
    ]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", IMPORT_ALL, *modules],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    seen = json.loads(done.stdout)
    assert (seen["sockets"], seen["written"]) == ([], [])
    assert HEAVY & set(seen["modules"]) == set()
