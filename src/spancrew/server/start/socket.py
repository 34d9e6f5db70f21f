"""The socket that a server listens on, bound before anything is promised."""

import errno
import ipaddress
import socket
import time
from typing import Any

from spancrew.errors import SpancrewError

_BACKLOG = 2048
_PATIENCE = 2.0


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens; refuse with one clear sentence where that cannot be."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except socket.gaierror:
        raise SpancrewError(
            f"{host!r} is no address of this machine; take 127.0.0.1 for this machine only, or "
            "0.0.0.0 for the whole network"
        ) from None
    family, kind, protocol, _, address = found[0]
    made = socket.socket(family, kind, protocol)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        _bind(made, address)
        made.listen(_BACKLOG)
    except OSError as error:
        made.close()
        raise SpancrewError(_refusal(host, port, error)) from None
    made.set_inheritable(True)
    return made


def _bind(made: socket.socket, address: tuple[Any, ...]) -> None:
    """Bind; the processes of a server that was killed need a moment to let the port go."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            made.bind(address)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or time.monotonic() > deadline:
                raise
            time.sleep(0.1)
        else:
            return


def _refusal(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"port {port} of {host} is in use: is the server running already? Choose another one "
            f"with --port {port + 1}"
        )
    if error.errno == errno.EACCES:
        return f"port {port} needs more rights; choose one above 1024 with --port 8000"
    return f"{host} port {port}: {error.strerror}"


def is_loopback(host: str) -> bool:
    """Tell whether only this machine can reach an address.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
