"""Routes for those who run the server: health and figures."""

import math

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST

from spancrew import wire
from spancrew.server.api.access import Admin, Server, caller, owner
from spancrew.server.api.parameters import USUAL, refusals
from spancrew.server.desk.summary import LiveStatus
from spancrew.server.processes import in_thread

router = APIRouter(tags=["operation"])


class Health(wire.Wire):
    """Whether the server works."""

    status: str


@router.get("/health", summary="Is the process alive")
async def health() -> Health:
    """Return at once, whatever the store does."""
    return Health(status="alive")


@router.get("/health/ready", summary="Does the store answer", responses=refusals(503))
async def ready(services: Server) -> Health:
    """Return when the store has answered; 503 if it does not."""
    await in_thread(services.directory.check)
    return Health(status="ready")


@router.get(
    "/metrics",
    summary="Figures for Prometheus",
    response_class=PlainTextResponse,
    responses=refusals(401, 403, 429, 503),
)
async def metrics(request: Request, services: Server) -> Response:
    """Return counters of this process and gauges of all campaigns; for owners, unless opened."""
    if not services.settings.open_metrics:
        await owner(await caller(request, services, None, None))
    entries = await in_thread(services.directory.campaigns.all)
    found = await services.statuses([entry.id for entry in entries])
    versions = {name: each.status.version for name, each in found.items()}
    kinds = await in_thread(services.tallies.kinds, versions)
    services.metrics.forget_campaigns()
    for name, each in found.items():
        services.metrics.show_campaign(name, _figures(each), kinds[name])
    services.metrics.show_server(
        await in_thread(services.watch.machine), await in_thread(services.watch.book.all)
    )
    return Response(services.metrics.page(), media_type=CONTENT_TYPE_LATEST)


@router.get(f"{wire.PREFIX}/alerts", summary="What needs a look", responses=USUAL)
async def alerts(admin: Admin, services: Server) -> list[wire.AlertView]:
    """Return the alerts that are raised, the oldest first; they are looked at every minute."""
    found = await in_thread(services.watch.book.all)
    names = {each.id: each.name for each in await in_thread(services.directory.campaigns.all)}
    return [
        wire.AlertView(
            kind=key.kind,
            campaign=key.campaign or None,
            name=names.get(key.campaign),
            since=each.since,
            message=each.message,
            facts=each.facts,
        )
        for key, each in found.items()
        if (key.campaign in names and admin.reaches(key.campaign))
        or (not key.campaign and admin.is_owner)
    ]


def _figures(found: LiveStatus) -> dict[str, float]:
    return {
        "open_leases": found.leases,
        "expert_queue": found.status.at_expert,
        "settled_sentences": found.status.settled,
        "sentences": found.status.sentences,
        "waiting_sentences": found.status.waiting,
        "workers": found.status.workers,
        "answers": found.status.answers,
        "spent": found.ledger.spent,
        "budget": math.inf if found.ledger.budget is None else found.ledger.budget,
        "committed": found.ledger.committed,
        "journal_version": found.status.version,
    }
