"""The egress guard: in this process no socket reaches anything the operator did not list.

Built on audit events, which Python raises before the system call and which no library can skip or
take back. Never installed on import: the command line and servers call ``deny_egress``, and so may
a program that embeds us. Local Unix sockets (asyncio's own pairs, multiprocessing) stay free.
Child processes are not covered; ours that could reach a network do not exist, except for
``models fetch``, which runs without the guard.
"""

import socket
import sys
import threading
from collections.abc import Sequence

from search_agent.errors import EgressDenied

WATCHED = frozenset(
    {
        "socket.connect",
        "socket.bind",
        "socket.sendto",
        "socket.sendmsg",
        "socket.getaddrinfo",
        "socket.gethostbyname",
        "socket.gethostbyaddr",
    }
)


def deny_egress(allow: Sequence[str] = ()) -> None:
    """From now on every connection, binding and name look-up not in ``allow`` raises EgressDenied.

    ``allow`` holds ``host`` or ``host:port``; a host name also admits the addresses it resolves to.
    The guard cannot be removed; a second call only narrows what is allowed. Thread-safe.

    Raises:
        EgressDenied: later, at the attempt, in the thread that makes it.
    """
    sys.addaudithook(_Guard(allow))


class _Guard:
    def __init__(self, allow: Sequence[str]) -> None:
        self._allow = tuple(allow)
        self._hosts: dict[str, set[int | None]] = {}
        for entry in allow:
            host, port = _split(entry)
            self._hosts.setdefault(host, set()).add(port)
        self._resolving = threading.local()

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        if event not in WATCHED or getattr(self._resolving, "now", False):
            return
        if event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"):
            self._look_up(event, arguments)
            return
        address = arguments[1] if len(arguments) > 1 else None
        if not isinstance(address, tuple):  # a Unix path, or a socket that is already connected
            return
        host, port = str(address[0]), int(address[1])
        ports = self._hosts.get(host, set())
        if None not in ports and port not in ports:
            self._deny(event, f"{host}:{port}")

    def _look_up(self, event: str, arguments: tuple[object, ...]) -> None:
        name = arguments[0]
        host = name.decode(errors="replace") if isinstance(name, bytes) else str(name or "")
        ports = self._hosts.get(host)
        if ports is None:
            self._deny(event, host)
            return
        self._resolving.now = True
        try:
            found = socket.getaddrinfo(host, None)
        except socket.gaierror:
            found = []  # the caller's own look-up will say so
        finally:
            self._resolving.now = False
        for row in found:
            self._hosts.setdefault(str(row[4][0]), set()).update(ports)

    def _deny(self, event: str, target: str) -> None:
        listed = ", ".join(self._allow) or "nothing"
        message = (
            f"{event} to {target!r} was stopped: this program works offline and may reach {listed};"
            " nothing in this version needs a network but `deepsearch models fetch`"
        )
        raise EgressDenied(message)


def _split(entry: str) -> tuple[str, int | None]:
    """``host``, ``host:port``, ``[v6]:port`` or a bare v6 address."""
    if entry.startswith("["):
        host, _, port = entry[1:].partition("]")
        return host, int(port[1:]) if port.startswith(":") else None
    host, _, port = entry.rpartition(":")
    if host and ":" not in host and port.isdigit():
        return host, int(port)
    return entry, None
