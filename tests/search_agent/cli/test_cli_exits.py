"""Exit codes and the one line on stderr, whatever goes wrong (DESIGN §4, §10.16)."""

import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import typer

from corpora.errors import CorpusNotFound
from search_agent.cli.exits import explain_os_error, run_guarded
from search_agent.errors import QuestionTooLong

from .scripted_command_line import BAROMETER, CommandLine, ReadJson


def raising(error: BaseException) -> Callable[[], int]:
    def work() -> int:
        raise error

    return work


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (CorpusNotFound("no corpus 'x'"), 2, "error: no corpus 'x'\n"),
        (QuestionTooLong("too long"), 2, "error: [200019] too long\n"),
        (CorpusNotFound("two\nlines"), 2, "error: two lines\n"),
        (typer.BadParameter("no such thing"), 2, "error: Invalid value: no such thing\n"),
        (typer.Exit(4), 4, ""),
        (KeyboardInterrupt(), 130, "interrupted\n"),
        (
            OSError(errno.ENOSPC, "No space left on device", "build/toy/x"),
            2,
            "error: the disk is full: 'build/toy/x' cannot be written (No space left on device);"
            " free space or choose another --build-folder\n",
        ),
    ],
)
def test_an_error_of_the_user_is_one_line_and_its_code(
    error: BaseException, code: int, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_guarded(raising(error), as_json=False) == code
    captured = capsys.readouterr()
    assert captured.err == line
    assert captured.out == ""


def test_with_json_the_error_is_also_an_object_on_stdout(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run_guarded(raising(QuestionTooLong("too long")), as_json=True) == 2
    captured = capsys.readouterr()
    assert json.loads(captured.out) == {
        "schema": 1,
        "error": "[200019] too long",
        "code": 200019,
    }
    assert captured.err == "error: [200019] too long\n"


@pytest.mark.parametrize("error", [ZeroDivisionError(), FileNotFoundError(2, "gone", "x")])
def test_a_bug_flies_on_with_its_traceback(error: Exception) -> None:
    with pytest.raises(type(error)):
        run_guarded(raising(error), as_json=True)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EFBIG, errno.EDQUOT])
def test_every_way_a_disk_can_be_full_names_the_path(number: int) -> None:
    told = explain_os_error(OSError(number, os.strerror(number), "build/toy/store.sqlite"))
    assert told is not None
    assert told.startswith("the disk is full: 'build/toy/store.sqlite'")


def test_an_unknown_option_is_the_users_error(
    command_line: CommandLine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command_line.run("ask", "x", "--no-such-option") == 2
    assert capsys.readouterr().err == "error: No such option: --no-such-option\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("index", "search", "x", "--corpus", "absent"),
        ("index", "stats", "--corpus", "absent"),
        ("index", "build", "--corpus", "absent"),
        ("ask", BAROMETER, "--corpus", "absent"),
        ("ask",),
        ("ask", BAROMETER, "--profile", "absent"),
        ("ask", BAROMETER, "--set", "no-equals-sign"),
        ("ask", BAROMETER, "--set", "no.such.key=1"),
        ("ask", BAROMETER, "--run-id", "../escape"),
        ("show", "d_0123456789abcdef"),
        ("show", "absent#1"),
        ("verify", "absent"),
        ("resume", "absent"),
        ("replay", "absent"),
        ("runs", "rm", "absent"),
        ("ingest", "no-such-folder", "--encoder", "hash"),
        ("bench", "answers", "no-such-folder", "--encoder", "hash"),
    ],
    ids=" ".join,
)
def test_what_does_not_exist_is_one_line_and_one_object(
    arguments: tuple[str, ...],
    command_line: CommandLine,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert command_line.on_builds(*arguments, "--json", "--quiet") == 2
    captured = capsys.readouterr()
    assert set(json.loads(captured.out)) == {"schema", "error", "code"}
    assert captured.err.startswith("error: ")
    assert captured.err.count("\n") == 1
    assert command_line.loads == []


PROGRAM = """
import resource, sys
from search_agent.cli.main import main
{prelude}
sys.exit(main(sys.argv[1:]))
"""


def run_process(
    *arguments: str, prelude: str = "", stdout: int = subprocess.PIPE
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PROGRAM.format(prelude=prelude), *arguments],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )


def test_a_file_size_limit_is_a_full_disk_and_kills_nothing(tmp_path: Path) -> None:
    limit = "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))"
    build_folder = str(tmp_path / "build")
    done = run_process(
        *("ingest", "toy", "--encoder", "hash", "--build-folder", build_folder, "--quiet"),
        prelude=limit,
    )
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("error: ")
    assert "Traceback" not in done.stderr


def test_a_reader_that_goes_away_is_no_error(indexed_toy: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = run_process(
        *("index", "search", "barometer", "--corpus", "toy", "--build-folder", str(indexed_toy)),
        "--json",
        stdout=writing,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


def test_connections_are_forbidden_from_the_start() -> None:
    attempt = (
        "import socket, typer\n"
        "from search_agent.cli.main import app\n"
        "@app.command('connect')\n"
        "def connect():\n"
        "    socket.create_connection(('localhost', 9))\n"
    )
    done = run_process("connect", prelude=attempt)
    assert done.returncode == 2
    assert done.stderr.startswith("error: [200030] socket.getaddrinfo to 'localhost' was stopped")


def test_ctrl_c_outside_a_search_is_one_line(tmp_path: Path) -> None:
    interrupt = (
        "import os, signal\n"
        "from search_agent.cli.main import app\n"
        "@app.command('wait')\n"
        "def wait():\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    signal.pause()\n"
    )
    done = run_process("wait", prelude=interrupt)
    assert (done.returncode, done.stderr) == (130, "interrupted\n")


def test_the_exit_code_of_an_abstention_is_three(toy: CommandLine, printed_json: ReadJson) -> None:
    arguments = ("ask", "Who sells maps of Mars?", "--corpus", "toy", "--strategy", "single-shot")
    assert toy.on_builds(*arguments, "--json", "--quiet") == 3
    assert printed_json()["status"] == "abstained"


def test_the_exit_code_of_a_limit_is_four(toy: CommandLine, printed_json: ReadJson) -> None:
    toy.script = lambda _call: "no JSON at all"
    arguments = ("ask", BAROMETER, "--corpus", "toy", "--strategy", "single-shot")
    assert toy.on_builds(*arguments, "--json", "--quiet") == 4
    content = printed_json()
    assert (content["status"], content["termination"]) == ("abstained", "fail_limit")


def test_an_interrupted_search_still_prints_its_result(
    toy: CommandLine, printed_json: ReadJson
) -> None:
    def interrupt(_call: object) -> str:
        os.kill(os.getpid(), signal.SIGINT)
        return "cut off"

    toy.script = interrupt
    arguments = ("ask", BAROMETER, "--corpus", "toy", "--strategy", "single-shot")
    assert toy.on_builds(*arguments, "--json", "--quiet") == 130
    assert printed_json()["termination"] == "cancelled"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
