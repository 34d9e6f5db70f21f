"""The processes that serve: this one, or several that share a socket."""

import os
import socket
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection, wait
from threading import Thread
from typing import Any, Protocol, cast

from uvicorn import Config, Server
from uvicorn.supervisors import Multiprocess

PARENT = "SPANCREW_PARENT"
"""The environment variable that names the process with which all others end."""

_APP = "spancrew.server:app_from_environment"
_DRAIN = 20
"""Seconds that requests have to end when the server stops."""
_GLANCE = 0.2
"""Seconds between two looks for processes that are new."""
_HUNG = 60
"""Seconds without a sign of life after which a process is replaced."""


def run_one(listener: socket.socket) -> None:
    """Serve in this process until told to stop."""
    Server(_config(1)).run(sockets=[listener])


def run_many(listener: socket.socket, processes: int) -> None:
    """Serve in several processes until told to stop; one that dies is replaced."""
    supervisor = Multiprocess(_config(processes), sockets=[listener])
    end_pings_of_the_dead(supervisor.processes)
    supervisor.run()


def end_pings_of_the_dead(processes: Sequence["_Pinged"]) -> None:
    """See in a thread that nobody waits for a sign of life of a process that has died.

    The supervisor pings one process after the other and gives each a minute to answer. It holds
    both ends of the pipe, so that a death does not end the waiting; closing the far end does.
    """
    Thread(target=_watch, args=(processes,), name="spancrew-sentinels", daemon=True).start()


def _watch(processes: Sequence["_Pinged"]) -> None:
    while True:
        # The list changes as processes are replaced, so it is read again now and then.
        alive = {each.process.sentinel: each for each in list(processes) if _is_pinged(each)}
        if not alive:
            time.sleep(_GLANCE)
        for sentinel in wait(list(alive), _GLANCE):
            alive[cast("int", sentinel)].child_conn.close()


def _is_pinged(each: "_Pinged") -> bool:
    """Tell whether a process was started and its death not yet noticed."""
    return each.process.pid is not None and not each.child_conn.closed


class _Pinged(Protocol):
    """A process of the supervisor."""

    process: Any
    child_conn: Connection


def _config(processes: int) -> Config:
    return Config(
        _APP,
        factory=True,
        workers=processes,
        access_log=False,
        log_config=None,
        lifespan="on",
        server_header=False,
        date_header=True,
        timeout_graceful_shutdown=_DRAIN,
        timeout_worker_healthcheck=_HUNG,
        proxy_headers=True,
        forwarded_allow_ips=os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1"),
    )
