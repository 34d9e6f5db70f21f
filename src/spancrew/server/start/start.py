"""Start the server: one process or several on one socket, on the store that is there."""

import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from spancrew.errors import StoreError
from spancrew.server.api.links import link_url
from spancrew.server.clock import real_clock
from spancrew.server.people.directory import Directory, create_admin_link
from spancrew.server.settings import ServerSettings
from spancrew.server.start.processes import PARENT, run_many, run_one
from spancrew.server.start.socket import is_loopback, listening
from spancrew.stores import open_sql

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


def start(options: StartOptions, announce: Callable[[Started], None]) -> None:
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
