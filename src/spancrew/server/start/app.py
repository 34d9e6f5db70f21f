"""The application: routes, errors, headers, logs and figures put together."""

import asyncio
import gc
import io
import json
import os
import sys
import threading
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import TextIO, cast

from fastapi import FastAPI

from spancrew.errors import SpancrewError, StoreError
from spancrew.server.alerts.limits import parsed_limits
from spancrew.server.api import (
    admins,
    audit,
    audit_hooks,
    campaigns,
    certificates,
    crowd,
    expert,
    export,
    growth,
    guide,
    hooks,
    join,
    live,
    operations,
    people,
    pilots,
    rehearsal,
    sentences,
    session,
    tokens,
    watch,
    work,
)
from spancrew.server.api.errors import install
from spancrew.server.api.middleware import BodyLimit, RequestLog, SecurityHeaders
from spancrew.server.api.trail import AuditTrail
from spancrew.server.desk.desk import Desk
from spancrew.server.desk.warmth import warm_up
from spancrew.server.hooks.deliverer import Deliverer
from spancrew.server.logs import make_log, one_log
from spancrew.server.pages import assets, routes, team
from spancrew.server.people.directory import Directory
from spancrew.server.people.schema import MOST_CHARACTERS
from spancrew.server.people.values import CampaignEntry
from spancrew.server.processes import end_with, in_thread, return_memory
from spancrew.server.rehearsal.run import remove_left_behind
from spancrew.server.services import Services
from spancrew.server.settings import ServerSettings, identity_from, real_clock
from spancrew.server.start.serve import PARENT
from spancrew.stores import JournalListener, SqlStore, empty_log, open_sql
from spancrew.wire import PREFIX

# Those that are called most stand first: they are found soonest.
_ROUTERS = (
    work.router,
    session.router,
    tokens.router,
    campaigns.router,
    watch.router,
    certificates.router,
    sentences.router,
    growth.router,
    live.router,
    people.router,
    crowd.router,
    admins.router,
    guide.router,
    hooks.router,
    expert.router,
    export.router,
    join.router,
    pilots.router,
    rehearsal.router,
    audit.router,
    audit_hooks.router,
    operations.router,
    routes.router,
    team.router,
    assets.router,
)
_ABOUT = "Crowd-labelling campaigns for spans: plan, run and export them. Errors are JSON, too."


def create_app(
    desk: Desk,
    directory: Directory,
    settings: ServerSettings | None = None,
    *,
    log: TextIO | None = None,
    closes: SqlStore | None = None,
) -> FastAPI:
    """Return the application; ``log`` is where its log goes, standard error by default.

    It delivers webhooks while it runs. When it ends, the desk stays open, unless ``closes`` is the
    store of desk and directory: then all are closed, and a file of SQLite is complete by itself.
    """
    settings = settings or ServerSettings()
    services = Services(desk, directory, settings, make_log(log))
    deliverer = Deliverer(directory, desk.store, settings, services.log, services.metrics)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        listener = JournalListener(directory.engine, services.live.heard, services.live.is_watched)
        with one_log(services.log):
            await in_thread(list_unlisted, services)
            await in_thread(remove_left_behind)
            listener.start()
            chores = [
                deliverer.run(),
                keep_house(services),
                keep_memory(services),
                services.watch.run(),
            ]
            running = [asyncio.create_task(chore) for chore in chores]
            try:
                yield
            finally:
                services.stop()
                for each in running:
                    each.cancel()
                await asyncio.gather(*running, return_exceptions=True)
                await in_thread(listener.stop)
                if closes is not None:
                    await close_store(desk, closes)

    app = FastAPI(
        title="spancrew",
        version=version("spancrew"),
        description=_ABOUT,
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.services = services
    for router in _ROUTERS:
        # Its routes are complete. To include the router would build each of them once more, which
        # takes a second for all.
        app.router.routes.extend(router.routes)
    install(app, services.metrics, services.log)
    # The last one added is the outermost.
    app.add_middleware(BodyLimit, settings=settings)
    app.add_middleware(RequestLog, log=services.log, metrics=services.metrics)
    app.add_middleware(AuditTrail)
    app.add_middleware(SecurityHeaders, settings=settings)
    return app


async def close_store(desk: Desk, store: SqlStore) -> None:
    """Close a store for good, once nobody can write to it any more."""
    await desk.close()
    # Calls that were given up go on in their threads.
    await asyncio.get_running_loop().shutdown_default_executor()
    store.close()


def list_unlisted(services: Services) -> None:
    """List campaigns that have a journal and stand in no list, so that they can be deleted.

    A server that dies while it creates a campaign may leave one.
    """
    store, listed = services.desk.store, services.directory.campaigns
    try:
        known = {entry.id for entry in listed.all()}
        for id_ in sorted(set(store.campaigns()) - known):
            first = next(iter(store.read(id_)), None)
            if first is None or first.entry.kind != "Opened" or len(id_) > MOST_CHARACTERS:
                continue
            sentences = json.loads(first.entry.body)["sentences"]
            listed.add(CampaignEntry(id_, f"{id_} (found)", first.entry.at, sentences))
            services.log.warning("campaign was not listed", campaign=id_)
    except SpancrewError as error:
        services.log.warning("campaigns wait", problem=type(error).__name__)


_EVERY = 3600.0


async def keep_house(services: Services) -> None:
    """Forget what is over, once an hour, until cancelled."""
    directory = services.directory
    while True:
        try:
            await in_thread(directory.secrets.sweep, services.now)
            await in_thread(directory.attempts.sweep, services.now)
            await in_thread(directory.audit.settle, services.now - _EVERY)
            await in_thread(empty_log, directory.engine)
        except SpancrewError as error:
            services.log.warning("housekeeping waits", problem=type(error).__name__)
        await asyncio.sleep(_EVERY)


_TIDY = 60.0


async def keep_memory(services: Services) -> None:
    """Forget what nobody uses, once a minute, until cancelled."""
    while True:
        await asyncio.sleep(_TIDY)
        try:
            await services.tidy()
        except SpancrewError as error:
            services.log.warning("presence waits", problem=type(error).__name__)


_SWITCH = 0.0005
"""Seconds after which a busy thread lets another one go on.

A request goes from thread to thread; with Python's usual ten times as long, it mostly waits.
"""


_RARELY = 20_000, 20, 20
"""How many new objects there are between two searches for cycles, and how often all are searched.

Requests leave few cycles behind; with Python's usual 700 a tenth of the time goes into searching.
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
    return_memory()
    sys.setswitchinterval(_SWITCH)
    gc.set_threshold(*_RARELY)
    # All that was imported stays, and need not be searched each time.
    gc.freeze()
    store = open_sql(known["SPANCREW_STORE"])
    desk = Desk(store, real_clock)
    settings = ServerSettings(
        public_url=known.get("SPANCREW_PUBLIC_URL") or None,
        open_metrics=bool(known.get("SPANCREW_OPEN_METRICS")),
        alerts=parsed_limits(known.get("SPANCREW_ALERTS", "")),
        private_hooks=bool(known.get("SPANCREW_PRIVATE_HOOKS")),
        identity=identity_from(known),
    )
    log = OnlyTrouble(sys.stderr) if known.get("SPANCREW_QUIET") else sys.stderr
    threading.Thread(target=warm_up, args=(store,), name="spancrew-warm", daemon=True).start()
    directory = Directory(store.engine)
    return create_app(desk, directory, settings, log=cast("TextIO", log), closes=store)


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
