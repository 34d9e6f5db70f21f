"""Routes for the dashboard: what happens as it happens, a picture, and a threshold to try."""

import time
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Header, Query, Request
from sse_starlette import EventSourceResponse, ServerSentEvent

from spancrew import wire
from spancrew.campaign import Campaign
from spancrew.server.api.access import AdminOf, Server
from spancrew.server.api.parameters import USUAL, After, CampaignId
from spancrew.server.api.ranked import lately_view
from spancrew.server.desk.summary import LiveStatus
from spancrew.server.live.figures import Rule, threshold_view
from spancrew.server.live.hub import EventBatch
from spancrew.server.live.outlook import course_of, outlook_of
from spancrew.server.live.picture import PictureFold
from spancrew.server.processes import in_thread
from spancrew.server.refusals import too_many
from spancrew.server.services import Services

router = APIRouter(prefix=wire.PREFIX, tags=["watch"], responses=USUAL)

_PING = 15
"""Seconds between two signs of life, so that proxies keep a stream open."""
_STUCK = 60.0
"""Seconds after which a stream is given up whose reader takes nothing."""
_CHECK = 5.0
"""Seconds between two looks whether the session is still valid."""
_SOON = 0.05
"""Seconds between two looks at a stream whose time is over."""
_RETRY = 1000
"""Milliseconds after which a browser opens a stream again that broke."""


@router.get(
    "/campaigns/{c}/live",
    summary="What happens, as it happens",
    response_class=EventSourceResponse,
    responses={200: {"description": "Events", "content": {"text/event-stream": {}}}},
)
async def live(
    c: CampaignId,
    request: Request,
    admin: AdminOf,
    services: Server,
    after: Annotated[After | None, Query()] = None,
    last_event_id: Annotated[str | None, Header(max_length=40)] = None,
) -> EventSourceResponse:
    """Return a stream of server-sent events: ``figures``, ``journal`` and at last ``end``.

    A browser that lost it goes on with ``Last-Event-ID`` by itself; others say ``after``.
    """
    await in_thread(services.directory.campaigns.one, c)
    if wait := services.streams.take(admin.secret, services.now):
        raise too_many(wait)
    services.live.refuse_crowd()
    resumed = int(last_event_id) if last_event_id and last_event_id.isdecimal() else after
    return EventSourceResponse(
        _stream(c, request, services, resumed), ping=_PING, send_timeout=_STUCK
    )


async def _stream(
    campaign: str, request: Request, services: Services, seen: int | None
) -> AsyncIterator[ServerSentEvent]:
    """Yield what is new until there is no reason to go on."""
    ends = time.monotonic() + services.settings.stream_seconds
    shown: LiveStatus | None = None
    async with services.live.watching(campaign) as channel:
        while not channel.is_over:
            if await services.callers.of(request) is None:
                yield _end("session")
                return
            if channel.figures is not None and channel.figures is not shown:
                shown = channel.figures
                yield _figures_event(shown)
                # Whoever took long to read that gets what is newest now.
                batch = channel.since(seen)
                seen = batch.version
                if batch.events:
                    yield _journal_event(batch)
            elif time.monotonic() >= ends + (0.0 if shown else _STUCK):
                return
            else:
                await channel.wait(min(_CHECK, max(ends - time.monotonic(), _SOON)))
    yield _end("campaign")


def _figures_event(shown: LiveStatus) -> ServerSentEvent:
    view = wire.LiveFigures(status=shown.status, ledger=shown.ledger)
    return ServerSentEvent(view.model_dump_json(), event="figures", retry=_RETRY)


def _journal_event(batch: EventBatch) -> ServerSentEvent:
    events = ",".join(batch.events)
    text = f'{{"events":[{events}],"skipped":{batch.skipped},"version":{batch.version}}}'
    return ServerSentEvent(text, event="journal", id=str(batch.version))


def _end(reason: str) -> ServerSentEvent:
    return ServerSentEvent(f'{{"reason":"{reason}"}}', event="end")


@router.get("/campaigns/{c}/picture", summary="A campaign over time, and its workers lately")
async def picture(
    c: CampaignId,
    _admin: AdminOf,
    services: Server,
    workers: Annotated[bool, Query()] = True,
) -> wire.PictureView:
    """Return what was settled and spent over time, final labels, and how workers are doing.

    Without ``workers``, none of them comes.
    """
    return await services.pictures.look(c, lambda found: _picture_view(found, workers=workers))


@router.get("/campaigns/{c}/outlook", summary="When a campaign will be done, and its forecast")
async def outlook(c: CampaignId, _admin: AdminOf, services: Server) -> wire.OutlookView:
    """Return pace and expected end, and the forecast of the plan beside what happened so far."""
    found, now = await services.desk.look(c, course_of), services.now
    return await services.pictures.look(c, lambda fold: outlook_of(fold.progress, found, now))


@router.get("/campaigns/{c}/threshold", summary="Try another threshold")
async def threshold(
    c: CampaignId,
    _admin: AdminOf,
    services: Server,
    at: Annotated[float | None, Query(ge=-1, le=1e6, allow_inf_nan=False)] = None,
) -> wire.ThresholdView:
    """Return where the rule in force draws the line, and what it would do if it was ``at``.

    Nothing changes. The rule with the threshold is ``preview.feedback``; PATCH the campaign with
    it to let it decide from now on.
    """
    now = await services.desk.look(c, _rule)
    return await services.pictures.look(c, lambda found: threshold_view(found, now, at))


def _rule(campaign: Campaign) -> Rule:
    state = campaign.state
    rule = state.plan.feedback
    return Rule(rule, rule.current_threshold(state.prices, state.doubts), state.prices)


def _picture_view(found: PictureFold, *, workers: bool) -> wire.PictureView:
    return wire.PictureView(
        progress=tuple(wire.PointView(**point._asdict()) for point in found.progress.points),
        labels=tuple(
            wire.LabelCount(label=label, spans=found.labels[label]) for label in found.names
        ),
        workers=tuple(
            lately_view(found, number) for number in range(found.joined if workers else 0)
        ),
        version=found.version,
    )
