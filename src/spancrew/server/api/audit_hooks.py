"""Routes for owners: webhooks that get the audit log."""

from typing import Annotated

from fastapi import APIRouter, Query, Request

from spancrew import wire
from spancrew.server.api import hooks
from spancrew.server.api.access import Owner, Server
from spancrew.server.api.parameters import USUAL, Limit, RowId
from spancrew.server.hooks.sources import AUDIT, AUDITED
from spancrew.server.processes import in_thread
from spancrew.server.refusals import invalid

router = APIRouter(prefix=f"{wire.PREFIX}/audit", tags=["audit"], responses=USUAL)


@router.post("/webhooks", summary="Send the audit log to an address", status_code=201)
async def add_webhook(
    body: wire.WebhookIn, _owner: Owner, request: Request, services: Server
) -> wire.NewWebhook:
    """Add a webhook for entries from now on, or for all ``after`` an id; it shows its secret."""
    if set(body.kinds) - {AUDITED}:
        raise invalid(f"kinds: the audit log has only {AUDITED}", "leave 'kinds' out")
    last = await in_thread(services.directory.audit.last)
    return await hooks.added(request, services, AUDIT, body, (AUDITED,), last)


@router.get("/webhooks", summary="Where the audit log is sent")
async def webhooks(_owner: Owner, services: Server) -> list[wire.WebhookView]:
    """Return the webhooks that get the audit log, and how far each is."""
    found = await in_thread(services.directory.webhooks.of_campaign, AUDIT)
    return [wire.WebhookView.model_validate(each) for each in found]


@router.delete("/webhooks/{id}", summary="Remove a webhook of the audit log")
async def remove_webhook(id: RowId, owner: Owner, services: Server) -> wire.Done:  # noqa: A002
    """Send no more entries there."""
    return await hooks.remove(AUDIT, id, owner, services)


@router.post("/webhooks/{id}/resume", summary="Try a stopped webhook of the audit log again")
async def resume_webhook(id: RowId, owner: Owner, services: Server) -> wire.Done:  # noqa: A002
    """Go on from where the webhook was given up; nothing is left out."""
    return await hooks.resume(AUDIT, id, owner, services)


@router.get("/webhooks/{id}/deliveries", summary="Attempts to deliver the audit log")
async def deliveries(
    id: RowId,  # noqa: A002
    owner: Owner,
    services: Server,
    limit: Annotated[Limit, Query()] = 100,
) -> list[wire.DeliveryView]:
    """Return the last attempts, the newest first."""
    return await hooks.deliveries(AUDIT, id, owner, services, limit)
