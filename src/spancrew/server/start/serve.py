"""Start the server: one process or several on one socket, on the store that is there."""

import errno
import ipaddress
import os
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from spancrew.errors import SpancrewError, StoreError
from spancrew.server.api.links import link_url
from spancrew.server.people.directory import Directory, create_admin_link
from spancrew.server.settings import ServerSettings, real_clock
from spancrew.server.start.supervisor import PARENT, run_many, run_one
from spancrew.stores import open_sql

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


FILE = "spancrew.db"


@dataclass(frozen=True, slots=True)
class StartOptions:
    """How to start; without ``store`` a file in the folder is the store."""

    folder: Path = Path()
    store: str | None = None
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    public_url: str | None = None
    admin_link: bool = False
    open_metrics: bool = False
    private_hooks: bool = False
    quiet: bool = False

    @property
    def address(self) -> str:
        """Return the address of the store."""
        return self.store or f"sqlite:///{(self.folder / FILE).absolute()}"


class Started(NamedTuple):
    """A server that listens: where, on which store, and the link for its admin if there is one."""

    url: str
    store: str
    admin_link: str | None
    is_remote: bool
    workers: int


def run_server(options: StartOptions, announce: Callable[[Started], None]) -> None:
    """Serve until told to stop by SIGINT or SIGTERM; what is begun is ended before.

    Everything that can be refused is refused before ``announce`` is called.
    """
    ServerSettings(public_url=options.public_url)
    if options.store is None:
        _refuse_folder(options.folder)
    listener = listening(options.host, options.port)
    try:
        announce(_prepared(options, listener))
        _tell_processes(options)
        if options.workers == 1:
            run_one(listener)
        else:
            run_many(listener, options.workers)
    finally:
        listener.close()


def _refuse_folder(folder: Path) -> None:
    if not folder.is_dir():
        raise StoreError(f"{folder} is no folder; create it first, or choose another --folder")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise StoreError(
            f"{folder} cannot be written to; choose another --folder, or a --store elsewhere"
        )


def _prepared(options: StartOptions, listener: socket.socket) -> Started:
    """Bring the store up to date, and make a link for an admin who could not log in otherwise."""
    store = open_sql(options.address)
    try:
        directory = Directory(store.engine)
        url = options.public_url or _url_of(listener)
        link = None
        if options.admin_link or directory.first_admin(real_clock()).login is None:
            link = link_url(url, create_admin_link(directory, real_clock()))
        return Started(url, store.place, link, not is_loopback(options.host), options.workers)
    finally:
        store.close()


def _url_of(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    if host in {"0.0.0.0", "::"}:  # noqa: S104  it is compared, not listened on
        host = "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _tell_processes(options: StartOptions) -> None:
    """Hand the settings on to the processes that serve, as the environment does elsewhere."""
    os.environ |= {
        "SPANCREW_STORE": options.address,
        "SPANCREW_PUBLIC_URL": options.public_url or "",
        "SPANCREW_OPEN_METRICS": "1" if options.open_metrics else "",
        "SPANCREW_PRIVATE_HOOKS": "1" if options.private_hooks else "",
        "SPANCREW_QUIET": "1" if options.quiet else "",
        PARENT: str(os.getpid()) if options.workers > 1 else "",
    }
