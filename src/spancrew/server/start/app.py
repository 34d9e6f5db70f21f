"""The application: routes, errors, headers, logs and figures put together."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import TextIO

from fastapi import FastAPI

from spancrew.server.api import (
    campaigns,
    expert,
    figures,
    guide,
    hooks,
    join,
    live,
    operations,
    people,
    rehearsal,
    session,
    watch,
    work,
)
from spancrew.server.api.errors import install
from spancrew.server.api.middleware import Bounded, Headed, Observed
from spancrew.server.desk.desk import Desk
from spancrew.server.hooks.loop import Deliverer
from spancrew.server.logs import make_log
from spancrew.server.pages import assets, routes
from spancrew.server.pages import join as join_page
from spancrew.server.people.directory import Directory
from spancrew.server.services import Services
from spancrew.server.settings import ServerSettings
from spancrew.server.start.housekeeping import keep_house
from spancrew.wire import PREFIX

# Those that are called most stand first: they are found soonest.
_ROUTERS = (
    work.router,
    session.router,
    campaigns.router,
    watch.router,
    live.router,
    people.router,
    guide.router,
    hooks.router,
    expert.router,
    join.router,
    rehearsal.router,
    figures.router,
    operations.router,
    join_page.router,
    routes.router,
    assets.router,
)
_ABOUT = "Crowd-labelling campaigns for spans: plan, run and export them. Errors are JSON, too."


def create_app(
    desk: Desk,
    directory: Directory,
    settings: ServerSettings | None = None,
    *,
    log: TextIO | None = None,
) -> FastAPI:
    """Return the application; ``log`` is where its log goes, standard error if not said.

    It delivers webhooks while it runs. The desk and the directory stay open when it ends.
    """
    settings = settings or ServerSettings()
    services = Services.of(desk, directory, settings, make_log(log))

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        chores = [Deliverer(services).run(), keep_house(services)]
        running = [asyncio.create_task(chore) for chore in chores]
        try:
            yield
        finally:
            services.stop()
            for each in running:
                each.cancel()
            await asyncio.gather(*running, return_exceptions=True)

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
        app.include_router(router)
    install(app, services.metrics)
    # The last one added is the outermost.
    app.add_middleware(Bounded, settings=settings)
    app.add_middleware(Observed, log=services.log, metrics=services.metrics)
    app.add_middleware(Headed, settings=settings)
    return app
