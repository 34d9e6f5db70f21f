"""The first page of the live demo: three ways into a campaign, and how it stands.

No other server has it: the demo adds it to its own.
"""

import secrets
from collections.abc import Callable
from math import inf
from typing import Literal

from fastapi import APIRouter, FastAPI, Request, Response

from spancrew.server.pages.render import View, rendered
from spancrew.server.refusals import not_found
from spancrew.server.services import Services
from spancrew.wire import Wire

_LOOKED = 10.0
"""Seconds for which a page counts as looked at; one in sight asks every two."""


class DemoNow(Wire):
    """How the demo stands, and where its seats are; ``number`` counts its campaigns.

    So many sentences are ``kept`` for the guest at the worker's seat, and so many ``questions``
    wait for an expert.
    """

    number: int
    dashboard: str
    worker: str
    expert: str
    expert_alone: str
    settled: int
    sentences: int
    kept: int
    questions: int
    tempo: Literal["busy", "waits", "rests", "over"]


class DemoDoor:
    """The page, under an address that nobody can guess; it notes when somebody looks at it."""

    def __init__(self) -> None:
        self.path = f"/demo/{secrets.token_urlsafe(12)}"
        self._now: DemoNow | None = None
        self._seen = -inf
        self._services: Services | None = None

    def add_to(self, app: FastAPI) -> None:
        """Add the page to an application."""
        self._services = app.state.services
        router = APIRouter(include_in_schema=False)
        router.add_api_route("/demo/{key}", self._guarded(self._page))
        router.add_api_route("/demo/{key}/now", self._guarded(self._told))
        app.router.routes.extend(router.routes)

    def show(self, now: DemoNow) -> None:
        """Show how things are from now on."""
        self._now = now

    def is_watched(self) -> bool:
        """Tell whether somebody looks at this page, or at a dashboard."""
        if self._services is None:
            return False
        looked = self._services.now - self._seen <= _LOOKED
        return looked or self._services.live.watchers > 0

    def _guarded(self, answer: Callable[[Request], Response]) -> Callable[..., object]:
        async def guarded(key: str, request: Request) -> Response:
            if not secrets.compare_digest(f"/demo/{key}".encode(), self.path.encode()):
                raise not_found("page")
            if self._services is not None:
                self._seen = self._services.now
            return answer(request)

        return guarded

    def _page(self, request: Request) -> Response:
        return rendered(request, View("demo.html", ["demo"]), now=self.path + "/now")

    def _told(self, _request: Request) -> Response:
        if self._now is None:
            return Response("null", media_type="application/json")
        return Response(self._now.model_dump_json(), media_type="application/json")
