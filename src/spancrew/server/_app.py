"""The application: routes, errors, headers, logs and figures put together."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import TextIO

from fastapi import FastAPI

from spancrew.server import (
    _assets,
    _routes_campaigns,
    _routes_expert,
    _routes_figures,
    _routes_guide,
    _routes_hooks,
    _routes_join,
    _routes_join_page,
    _routes_live,
    _routes_ops,
    _routes_pages,
    _routes_people,
    _routes_rehearsal,
    _routes_session,
    _routes_watch,
    _routes_work,
)
from spancrew.server._desk import Desk
from spancrew.server._errors import install
from spancrew.server._hook_loop import Deliverer
from spancrew.server._housekeeping import keep_house
from spancrew.server._logs import make_log
from spancrew.server._middleware import Bounded, Headed, Observed
from spancrew.server._services import Services
from spancrew.server._settings import ServerSettings
from spancrew.server._wire import PREFIX
from spancrew.stores._directory import Directory

# Those that are called most stand first: they are found soonest.
_ROUTERS = (
    _routes_work.router,
    _routes_session.router,
    _routes_campaigns.router,
    _routes_watch.router,
    _routes_live.router,
    _routes_people.router,
    _routes_guide.router,
    _routes_hooks.router,
    _routes_expert.router,
    _routes_join.router,
    _routes_rehearsal.router,
    _routes_figures.router,
    _routes_ops.router,
    _routes_join_page.router,
    _routes_pages.router,
    _assets.router,
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
