"""The application as the environment describes it, for every process that serves."""

import io
import os
import sys
import threading
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TextIO, cast

from fastapi import FastAPI

from spancrew.errors import StoreError
from spancrew.server.clock import real_clock
from spancrew.server.desk.desk import Desk
from spancrew.server.people.directory import Directory
from spancrew.server.settings import ServerSettings
from spancrew.server.start.app import create_app
from spancrew.server.start.orphan import end_with
from spancrew.server.start.processes import PARENT
from spancrew.server.start.warm_up import warm_up
from spancrew.stores import open_sql

_SWITCH = 0.0005
"""Seconds after which a busy thread lets another one go on.

A request goes from thread to thread; with Python's usual ten times as long, it mostly waits.
"""


def app_from_environment(environment: Mapping[str, str] | None = None) -> FastAPI:
    """Return the application: ``SPANCREW_STORE`` must be set, the rest as for `spancrew serve`.

    For process managers of one's own: ``uvicorn --factory spancrew.server:app_from_environment``.
    """
    known = os.environ if environment is None else environment
    if not known.get("SPANCREW_STORE"):
        raise StoreError("SPANCREW_STORE is not set; it is the address of the store")
    if parent := known.get(PARENT):
        end_with(int(parent))
    sys.setswitchinterval(_SWITCH)
    store = open_sql(known["SPANCREW_STORE"])
    desk = Desk(store, real_clock)
    settings = ServerSettings(
        public_url=known.get("SPANCREW_PUBLIC_URL") or None,
        open_metrics=bool(known.get("SPANCREW_OPEN_METRICS")),
        private_hooks=bool(known.get("SPANCREW_PRIVATE_HOOKS")),
    )
    log = OnlyTrouble(sys.stderr) if known.get("SPANCREW_QUIET") else sys.stderr
    app = create_app(desk, Directory(store.engine), settings, log=cast("TextIO", log))
    threading.Thread(target=warm_up, args=(store,), name="spancrew-warm", daemon=True).start()
    _close_at_the_end(app, desk)
    return app


def _close_at_the_end(app: FastAPI, desk: Desk) -> None:
    """Let what is begun end, and close the store, after the last request."""
    serving = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with serving(app):
            yield
        await desk.close()

    app.router.lifespan_context = lifespan


class OnlyTrouble(io.TextIOBase):
    """A stream that lets only those lines of a log through that are about trouble."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Pass on what is not a plain piece of information."""
        if text.strip() and '"level": "info"' not in text:
            self._stream.write(f"{text.rstrip()}\n")
            self._stream.flush()
        return len(text)
