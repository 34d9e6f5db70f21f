"""Start the server: one process or several on one socket, on the store that is there."""

import errno
import gc
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from fastapi import FastAPI
from uvicorn import Config, Server, _subprocess
from uvicorn.supervisors.multiprocess import SIGNALS, Multiprocess, Process

from spancrew.errors import SpancrewError, StoreError
from spancrew.server.alerts.limits import parsed_limits
from spancrew.server.api.links import link_url
from spancrew.server.hooks.delivery import is_loopback
from spancrew.server.people.directory import Directory, create_admin_link
from spancrew.server.settings import ServerSettings, identity_from, real_clock
from spancrew.stores import open_sql, path_of

PARENT = "SPANCREW_PARENT"
"""The environment variable that names the process with which all others end."""

_APP = "spancrew.server:app_from_environment"
_DRAIN = 20
"""Seconds that requests have to end when the server stops."""
_HUNG = 60
"""Seconds without a sign of life after which a process is replaced."""
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


FILE = "spancrew.db"


@dataclass(frozen=True, slots=True)
class StartOptions:
    """How to start; without ``store`` a file in the folder is the store.

    ``adds`` puts something of its own into the application, where one process serves.
    """

    folder: Path = Path()
    store: str | None = None
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    public_url: str | None = None
    proxies: tuple[str, ...] = ()
    admin_link: bool = False
    open_metrics: bool = False
    alerts: str = ""
    private_hooks: bool = False
    quiet: bool = False
    adds: Callable[[FastAPI], None] | None = None

    @property
    def address(self) -> str:
        """Return the address of the store."""
        return self.store or f"sqlite:///{(self.folder / FILE).absolute()}"


class StartedServer(NamedTuple):
    """A server that listens: where, on which store, and the link for its admin if there is one."""

    url: str
    store: str
    admin_link: str | None
    is_remote: bool
    workers: int


def run_server(options: StartOptions, announce: Callable[[StartedServer], None]) -> None:
    """Serve until told to stop by SIGINT or SIGTERM; what is begun is ended before.

    Everything that can be refused is refused before ``announce`` is called.
    """
    ServerSettings(
        public_url=options.public_url,
        identity=identity_from(os.environ),
        alerts=parsed_limits(options.alerts),
    )
    if options.store is None:
        _refuse_folder(options.folder)
    listener = listening(options.host, options.port)
    try:
        announce(_prepared(options, listener))
        _tell_processes(options)
        if options.workers == 1:
            run_one(listener, options.proxies, options.adds)
        else:
            run_many(listener, options.workers, options.proxies)
    finally:
        listener.close()
        complete_file(options.address)


def _refuse_folder(folder: Path) -> None:
    if not folder.is_dir():
        raise StoreError(f"{folder} is no folder; create it first, or choose another --folder")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise StoreError(
            f"{folder} cannot be written to; choose another --folder, or a --store elsewhere"
        )


def _prepared(options: StartOptions, listener: socket.socket) -> StartedServer:
    """Bring the store up to date, and make a link for an admin who could not log in otherwise."""
    store = open_sql(options.address)
    try:
        directory = Directory(store.engine)
        url = options.public_url or _url_of(listener)
        link = None
        if options.admin_link or directory.first_admin(real_clock()).login is None:
            link = link_url(url, create_admin_link(directory, real_clock()))
        return StartedServer(
            url, store.place, link, not is_loopback(options.host), options.workers
        )
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
        "SPANCREW_ALERTS": options.alerts,
        "SPANCREW_PRIVATE_HOOKS": "1" if options.private_hooks else "",
        "SPANCREW_QUIET": "1" if options.quiet else "",
        PARENT: str(os.getpid()) if options.workers > 1 else "",
    }


def run_one(
    listener: socket.socket,
    proxies: Sequence[str] = (),
    adds: Callable[[FastAPI], None] | None = None,
) -> None:
    """Serve in this process until told to stop."""
    app = _APP if adds is None else partial(_with, adds)
    Server(_config(1, proxies, app)).run(sockets=[listener])


def _with(adds: Callable[[FastAPI], None]) -> FastAPI:
    """Return the application with what somebody adds to it."""
    made: FastAPI = import_module("spancrew.server.start.app").app_from_environment()
    adds(made)
    return made


def run_many(listener: socket.socket, processes: int, proxies: Sequence[str] = ()) -> None:
    """Serve in several processes until told to stop; one that dies is replaced."""
    if sys.platform == "linux":
        _fork_processes()
    supervisor = Multiprocess(_config(processes, proxies), sockets=[listener])
    supervisor.processes = ServingProcesses()
    supervisor.run()


def _fork_processes() -> None:
    """Let processes begin as copies of this one, with the application loaded once for all.

    They start, and replace each other, in a tenth of the time. Elsewhere a copy is less safe, and
    each process loads the application anew, as uvicorn does it.
    """
    import_module("spancrew.server.start.app")
    gc.freeze()
    _subprocess.spawn = get_context("fork")  # type: ignore[assignment]
    stops = {signal.SIGINT, signal.SIGTERM}
    os.register_at_fork(
        before=partial(signal.pthread_sigmask, signal.SIG_BLOCK, stops),
        after_in_parent=partial(signal.pthread_sigmask, signal.SIG_UNBLOCK, stops),
        after_in_child=partial(_take_signals, stops),
    )


def _take_signals(stops: set[signal.Signals]) -> None:
    """Let a copy end when it is told to, not note that for its parent.

    It was deaf until now, so that nothing it was told before is lost.
    """
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, stops)


def complete_file(address: str) -> None:
    """See that a file of SQLite needs none beside it, though a process did not stop as it should.

    It may have been killed, or told to stop at once; one that stops by itself has done it already.
    """
    with suppress(StoreError):
        if path_of(address) is not None:
            open_sql(address, make=False, upgrade=False).close()


class ServingProcesses(list[Process]):
    """The processes of a supervisor, each of which has started when it comes into the list.

    The supervisor pings one after the other and gives each a minute to answer. It keeps both ends
    of the pipe, so that the death of a process would not end the waiting; without the far end,
    which is the process's own, it does.
    """

    def append(self, process: Process) -> None:
        """Add a process."""
        process.child_conn.close()
        super().append(process)

    def __setitem__(self, place: Any, process: Any) -> None:
        """Replace a process."""
        process.child_conn.close()
        super().__setitem__(place, process)


def _config(
    processes: int, proxies: Sequence[str], app: str | Callable[[], FastAPI] = _APP
) -> Config:
    return Config(
        app,
        factory=True,
        workers=processes,
        access_log=False,
        log_config=None,
        lifespan="on",
        server_header=False,
        date_header=True,
        timeout_graceful_shutdown=_DRAIN,
        timeout_worker_healthcheck=_HUNG,
        # Who is no proxy of ours could choose the address that limits are counted by.
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
    )
