"""The demo corpus's binary files are what their source texts say, byte for byte."""

from pathlib import Path

import pytest

from corpora.build_demo import DEMO, SOURCES, WRITERS, Target, build_target, load_targets
from corpora.build_demo.__main__ import main
from corpora.errors import CorpusError

TARGETS = load_targets()
LIBRARIES = ("fpdf", "PIL", "pypdfium2", "docx", "pptx", "openpyxl")
ENTRY = 'source = "{}"\nwritten = 2024-05-04\nauthor = "Wardens"\nlanguage = "en"\n'


@pytest.fixture(autouse=True)
def _writing_libraries():
    for library in LIBRARIES:
        pytest.importorskip(library)


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A folder with one source and the table that names it."""
    folder = tmp_path / "sources"
    folder.mkdir()
    (folder / "nets.md").write_text("# Nets\n\nThere are 16 nets.\n", encoding="utf-8")
    (folder / "targets.toml").write_text(f'["a/nets.pdf"]\n{ENTRY.format("nets.md")}', "utf-8")
    return folder


@pytest.mark.parametrize("name", TARGETS)
def test_a_file_is_reproduced_byte_for_byte(name: str):
    assert build_target(TARGETS[name]) == (DEMO / name).read_bytes()


def test_every_binary_file_of_the_corpus_is_made_by_the_script():
    suffixes = {suffix for suffix, _ in WRITERS}
    binaries = {
        path.relative_to(DEMO).as_posix() for path in DEMO.rglob("*") if path.suffix in suffixes
    }

    assert binaries == set(TARGETS)


def test_every_source_text_is_used():
    assert {path.name for path in SOURCES.glob("*.md")} == {
        target.source for target in TARGETS.values()
    }


def test_check_names_a_missing_file_and_writes_nothing(
    sources: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    demo = tmp_path / "demo"

    assert main(["--check"], sources=sources, demo=demo) == 2
    assert capsys.readouterr().out == "a/nets.pdf: differs from its source\n"
    assert not demo.exists()


def test_a_written_file_is_not_written_again_until_its_source_changes(
    sources: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    demo = tmp_path / "demo"
    outputs = []
    for text in ("16 nets", "16 nets", "17 nets"):
        (sources / "nets.md").write_text(f"# Nets\n\nThere are {text}.\n", encoding="utf-8")
        assert main([], sources=sources, demo=demo) == 0
        outputs.append(capsys.readouterr().out)

    assert outputs == ["a/nets.pdf: written\n", "", "a/nets.pdf: written\n"]
    assert main(["--check"], sources=sources, demo=demo) == 0


def test_a_fault_in_a_source_is_one_line_that_names_it(
    sources: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (sources / "nets.md").write_text("# Nets\n\n雾网\n", encoding="utf-8")

    assert main([], sources=sources, demo=tmp_path) == 2
    error = capsys.readouterr().err
    assert error.startswith("'nets.md': the fonts of PDF lack '网雾'")
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("path", "source", "message"),
    [
        ("a/nets.pdf", "gone.md", "'a/nets.pdf': no source 'gone.md' in 'sources'"),
        ("a/nets.odt", "nets.md", "there are some for .pdf, .docx, .pptx, .xlsx"),
    ],
)
def test_what_cannot_be_built_is_refused(path: str, source: str, message: str, sources: Path):
    target = Target.model_validate(
        {"path": path, "source": source, "written": "2024-05-04", "author": "W", "language": "en"}
    )
    with pytest.raises(CorpusError, match=message):
        build_target(target, sources=sources)
