"""Routes for those who run the server: health and figures."""

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST

from spancrew import wire
from spancrew.campaign import Campaign
from spancrew.errors import UnknownCampaignError
from spancrew.server.api.access import Server, admin, caller
from spancrew.server.api.parameters import refusals
from spancrew.server.processes import in_thread
from spancrew.server.services import Services

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
    """Return counters of this process and gauges of all campaigns; for admins, unless opened."""
    if not services.settings.open_metrics:
        await admin(await caller(request, services, None, None))
    entries = await in_thread(services.directory.campaigns.all)
    services.metrics.forget_campaigns()
    for entry in entries:
        await _show(services, entry.id)
    return Response(services.metrics.page(), media_type=CONTENT_TYPE_LATEST)


async def _show(services: Services, campaign: str) -> None:
    try:
        figures = await services.desk.look(campaign, _figures)
        kinds = await in_thread(services.tallies.kinds, campaign)
    except UnknownCampaignError:
        return  # deleted while we looked
    services.metrics.show_campaign(campaign, figures, kinds)


def _figures(campaign: Campaign) -> dict[str, float]:
    status, ledger = campaign.status(), campaign.ledger()
    return {
        "open_leases": len(campaign.state.leases),
        "expert_queue": status.at_expert,
        "settled_sentences": status.settled,
        "spent": ledger.spent,
        "committed": ledger.committed,
        "journal_version": status.version,
    }
