"""The processes that serve: this one, or several that share a socket."""

import os
import socket

from uvicorn import Config, Server
from uvicorn.supervisors import Multiprocess

PARENT = "SPANCREW_PARENT"
"""The environment variable that names the process with which all others end."""

_APP = "spancrew.server:app_from_environment"
_DRAIN = 20
"""Seconds that requests have to end when the server stops."""
_HUNG = 60
"""Seconds without a sign of life after which a process is replaced."""


def run_one(listener: socket.socket) -> None:
    """Serve in this process until told to stop."""
    Server(_config(1)).run(sockets=[listener])


def run_many(listener: socket.socket, processes: int) -> None:
    """Serve in several processes until told to stop; one that dies is replaced."""
    Multiprocess(_config(processes), sockets=[listener]).run()


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
