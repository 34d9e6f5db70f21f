"""Routes for admins before there is a campaign: look at data, rehearse a plan on them."""

import json
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from spancrew.server.api.access import Admin, Server
from spancrew.server.api.campaign_form import CampaignForm, campaign_form, form_schema
from spancrew.server.api.inspection import inspection_of
from spancrew.server.api.parameters import USUAL
from spancrew.server.api.upload import check_source, keep_file, read_and_name
from spancrew.server.processes import in_thread, is_stopping
from spancrew.server.refusals import RefusedError, invalid
from spancrew.server.rehearsal.run import Line, RehearsalJob, RehearsalProcess
from spancrew.wire import PREFIX, InspectionView

router = APIRouter(prefix=PREFIX, tags=["rehearsal"], responses=USUAL)

USUAL_RUNS, MOST_RUNS = 10, 50
_LINES = "application/x-ndjson"
_MORE: dict[str, dict[str, Any]] = {
    "runs": {"type": "integer", "minimum": 1, "maximum": MOST_RUNS},
    "skill": {"type": "number", "description": "F1 of a worker, where no answers tell"},
}


@router.post("/inspections", summary="Look at a data set", openapi_extra=form_schema())
async def inspect(request: Request, _admin: Admin, services: Server) -> InspectionView:
    """Read a bundled data set or a file and say what is in it; nothing is kept."""
    async with campaign_form(request) as form:
        reading, format_ = await read_and_name(form.source, services.settings.upload_limit)
    return await in_thread(inspection_of, reading, format_)


@router.post(
    "/rehearsals",
    summary="Rehearse a plan",
    response_class=StreamingResponse,
    openapi_extra=form_schema(**_MORE),
    responses={200: {"description": "Lines of JSON", "content": {_LINES: {}}}},
)
async def rehearse(request: Request, _admin: Admin, services: Server) -> StreamingResponse:
    """Play a campaign through on a pilot with gold, many times, and forecast quality and cost.

    The answer are lines of JSON: how far it is, then the ``forecast`` or an ``error``. It is done
    by a process of its own, which ends when the caller goes away; nothing is kept.
    """
    rehearsal = services.rehearsals.begin()
    try:
        async with campaign_form(request) as form:
            job = await _job(form, rehearsal, services.settings.upload_limit)
        await rehearsal.start(job)
        lines = rehearsal.lines(partial(_is_gone, request))
        first = await anext(lines, None)
        _refuse_at_once(first)
    except BaseException:
        await rehearsal.close()
        raise
    return _Lines(first, lines, rehearsal)


async def _is_gone(request: Request) -> bool:
    """Tell whether there is nobody to tell any more, or nobody to do it."""
    return is_stopping() or await request.is_disconnected()


class _Lines(StreamingResponse):
    """Sends lines as they come; the rehearsal ends with the answer, however that ends."""

    def __init__(
        self, first: Line | None, lines: AsyncIterator[Line], rehearsal: RehearsalProcess
    ) -> None:
        super().__init__(_sent(first, lines), media_type=_LINES)
        self._rehearsal = rehearsal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the answer."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._rehearsal.close()


async def _sent(first: Line | None, lines: AsyncIterator[Line]) -> AsyncIterator[str]:
    if first is not None:
        yield _text(first)
    async for line in lines:
        yield _text(line)


def _text(line: Line) -> str:
    return json.dumps({k: v for k, v in line.items() if k != "status"}) + "\n"


async def _job(form: CampaignForm, rehearsal: RehearsalProcess, limit: int) -> RehearsalJob:
    """Return what is to be rehearsed; a file is kept as long as the rehearsal."""
    check_source(form.source)
    if not isinstance(form.plan, dict):
        raise invalid("plan: an object is expected")
    data = form.source.bundled
    if data is None:
        data = str(await in_thread(keep_file, form.source, rehearsal.folder, limit))
    runs = form.whole("runs", USUAL_RUNS, MOST_RUNS)
    return RehearsalJob(data, form.source.format, form.plan, runs, form.share("skill"))


def _refuse_at_once(first: Line | None) -> None:
    """Refuse with a status what is wrong before anything has begun."""
    if first is None:
        raise RefusedError(409, "not_now", "nobody waits for the rehearsal any more")
    if "error" in first:
        error = first["error"]
        status = int(first.get("status", 503))
        raise RefusedError(status, error["code"], error["message"], error.get("remedy"))
