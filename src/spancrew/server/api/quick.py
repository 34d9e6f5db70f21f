"""Routes that are called all the time: described by FastAPI, but called without it."""

import inspect
import json
import re
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from pydantic import TypeAdapter
from starlette.requests import ClientDisconnect

from spancrew.server.api.access import caller, worker_of
from spancrew.server.api.parameters import CAMPAIGN_ID
from spancrew.server.services import services_of

_JSON = "application/json"
_ID = re.compile(CAMPAIGN_ID)

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class WorkerRoute(APIRoute):
    """A route for workers with the parameters ``c``, ``worker``, ``services`` and maybe ``body``.

    To find out by itself what to pass, FastAPI takes half of the time of an answer. Calls that it
    would refuse are left to it, so that every refusal is the same.
    """

    def get_route_handler(self) -> Handler:
        """Return what answers a request."""
        described = super().get_route_handler()
        call = self.endpoint
        body = inspect.signature(call).parameters.get("body")
        model = None if body is None else TypeAdapter[Any](body.annotation)

        async def answer(request: Request) -> Response:
            campaign = request.path_params["c"]
            try:
                given = {} if model is None else {"body": await _body(request, model)}
            except (ValueError, RecursionError, ClientDisconnect):
                return await described(request)
            if not _ID.fullmatch(campaign):
                return await described(request)
            services = await services_of(request)
            found = await caller(request, services, None, None)
            worker = await worker_of(campaign, found, services)
            view = await call(c=campaign, worker=worker, services=services, **given)
            return Response(view.model_dump_json(), media_type=_JSON)

        return answer


async def _body(request: Request, model: TypeAdapter[Any]) -> object:
    """Return the body of a request as a model; raise a ValueError if it is none."""
    text = await request.body()
    if not text:
        return model.validate_python(None)
    if request.headers.get("content-type") != _JSON:
        raise ValueError(_JSON)
    return model.validate_python(json.loads(text))
