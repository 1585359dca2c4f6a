"""The egress guard, in child processes: an audit hook cannot be taken back."""

import subprocess
import sys

import pytest

TRY = """
import asyncio, socket, sys
from search_agent.egress import deny_egress
from search_agent.errors import EgressDenied
deny_egress({allow!r})
try:
    {attempt}
except EgressDenied as error:
    print("denied", error)
except OSError as error:
    print("reached the system:", type(error).__name__)
else:
    print("done")
"""


def outcome(attempt: str, *, allow: tuple[str, ...] = ()) -> str:
    """What one attempt in a guarded process came to."""
    code = TRY.format(attempt=attempt, allow=allow)
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.parametrize(
    "attempt",
    [
        "socket.create_connection(('192.0.2.1', 80), timeout=1)",
        "socket.getaddrinfo('model-hub.invalid', 443)",
        "socket.gethostbyname('model-hub.invalid')",
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 53))",
        "socket.socket().bind(('127.0.0.1', 0))",
        "__import__('urllib.request').request.urlopen('http://192.0.2.1/')",
    ],
)
def test_every_way_out_is_denied(attempt):
    assert outcome(attempt).startswith("denied [200030] socket.")


def test_the_message_names_the_target_and_what_may_be_reached():
    text = outcome("socket.socket().connect(('192.0.2.1', 80))", allow=("127.0.0.1:8080",))
    assert "'192.0.2.1:80'" in text
    assert "may reach 127.0.0.1:8080" in text
    assert "deepsearch models fetch" in text


def test_a_listed_endpoint_may_be_reached():
    connect = "socket.create_connection(('127.0.0.1', 9), timeout=1)"
    assert outcome(connect, allow=("127.0.0.1:9",)).startswith("reached the system:")
    assert outcome(connect, allow=("127.0.0.1:8",)).startswith("denied")


def test_a_listed_name_admits_the_addresses_it_resolves_to():
    connect = "socket.create_connection(('localhost', 9), timeout=1)"
    assert outcome(connect, allow=("localhost",)).startswith("reached the system:")


def test_event_loops_and_local_pairs_still_work():
    assert outcome("asyncio.run(asyncio.sleep(0)); socket.socketpair()") == "done\n"
