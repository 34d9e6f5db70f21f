"""Routes for admins: webhooks."""

import secrets
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Query, Request

from spancrew import wire
from spancrew.campaign import KINDS
from spancrew.server.alerts.book import ALERT
from spancrew.server.api.access import AdminOf, EntryOf, Server
from spancrew.server.api.parameters import USUAL, CampaignId, Limit, RowId
from spancrew.server.api.trail import noted
from spancrew.server.hooks.delivery import checked_hook
from spancrew.server.processes import in_thread
from spancrew.server.refusals import RefusedError, invalid, not_found
from spancrew.server.services import Services

router = APIRouter(prefix=wire.PREFIX, tags=["webhooks"], responses=USUAL)
_MOST_HOOKS = 20


@router.post("/campaigns/{c}/webhooks", summary="Send events to an address", status_code=201)
async def add(
    c: CampaignId, body: wire.WebhookIn, _entry: EntryOf, request: Request, services: Server
) -> wire.NewWebhook:
    """Add a webhook and return the secret that signs its deliveries, which is shown only now."""
    if unknown := sorted(set(body.kinds) - {*KINDS, ALERT}):
        raise invalid(f"kinds: {', '.join(unknown)} are not kinds of events")
    last = await in_thread(services.desk.store.version, c)
    return await added(request, services, c, body, tuple(sorted(set(body.kinds))), last)


async def added(
    request: Request,
    services: Services,
    c: str,
    body: wire.WebhookIn,
    kinds: tuple[str, ...],
    last: int,
) -> wire.NewWebhook:
    """Add a webhook for what comes after ``last``, or after the version that is asked for."""
    checked_hook(body.url, private=services.settings.private_hooks)
    hooks, secret = services.directory.webhooks, secrets.token_urlsafe(32)
    if len(await in_thread(hooks.of_campaign, c)) >= _MOST_HOOKS:
        raise RefusedError(409, "too_many_webhooks", f"there are {_MOST_HOOKS} webhooks already")
    cursor = last if body.after is None else min(body.after, last)
    id_ = await in_thread(hooks.add, c, body.url, secret, kinds, services.now, cursor=cursor)
    # The rest of an address may be a secret.
    noted(request, after={"host": urlsplit(body.url).hostname, "kinds": kinds}, target=id_)
    return wire.NewWebhook(
        id=id_,
        url=body.url,
        kinds=kinds,
        created_at=services.now,
        cursor=cursor,
        failures=0,
        stopped=False,
        secret=secret,
    )


@router.get("/campaigns/{c}/webhooks", summary="List webhooks")
async def webhooks(c: CampaignId, _entry: EntryOf, services: Server) -> list[wire.WebhookView]:
    """Return the webhooks of a campaign and how far each is."""
    found = await in_thread(services.directory.webhooks.of_campaign, c)
    return [wire.WebhookView.model_validate(each) for each in found]


@router.delete("/campaigns/{c}/webhooks/{id}", summary="Remove a webhook")
async def remove(c: CampaignId, id: RowId, _admin: AdminOf, services: Server) -> wire.Done:  # noqa: A002
    """Send no more events there."""
    if not await in_thread(services.directory.webhooks.remove, id, c):
        raise not_found("webhook")
    return wire.Done()


@router.post("/campaigns/{c}/webhooks/{id}/resume", summary="Try a stopped webhook again")
async def resume(c: CampaignId, id: RowId, _admin: AdminOf, services: Server) -> wire.Done:  # noqa: A002
    """Go on from where the webhook was given up; nothing is left out."""
    if not await in_thread(services.directory.webhooks.resume, id, c):
        raise not_found("webhook")
    return wire.Done()


@router.get("/campaigns/{c}/webhooks/{id}/deliveries", summary="Attempts to deliver")
async def deliveries(
    c: CampaignId,
    id: RowId,  # noqa: A002
    _admin: AdminOf,
    services: Server,
    limit: Annotated[Limit, Query()] = 100,
) -> list[wire.DeliveryView]:
    """Return the last attempts, the newest first."""
    known = await in_thread(services.directory.webhooks.of_campaign, c)
    if id not in {each.id for each in known}:
        raise not_found("webhook")
    found = await in_thread(services.directory.webhooks.deliveries, id, limit)
    return [wire.DeliveryView.model_validate(each) for each in found]
