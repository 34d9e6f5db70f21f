"""Routes for admins: campaigns, from creation to the end."""

import secrets

from fastapi import APIRouter, Request

from spancrew.campaign import Material
from spancrew.server.api.access import Admin, AdminOf, Server
from spancrew.server.api.campaign_form import campaign_form, form_schema
from spancrew.server.api.links import base_of, entry_url
from spancrew.server.api.parameters import USUAL, CampaignId
from spancrew.server.api.practice import PRACTICE_FIELD, practice_count, taken_out
from spancrew.server.api.upload import prepared, read_source, rows_of, shown_repairs
from spancrew.server.desk.warmth import WARMTH
from spancrew.server.people.values import CampaignEntry, CampaignGuide
from spancrew.server.processes import in_thread
from spancrew.server.refusals import checked_url, invalid
from spancrew.server.services import Services
from spancrew.wire import (
    PREFIX,
    CampaignChange,
    CampaignSummary,
    CampaignView,
    Done,
    EntryIn,
    EntryView,
    FinishIn,
    NewCampaign,
    plan_of,
)

router = APIRouter(prefix=PREFIX, tags=["campaigns"], responses=USUAL)


@router.post(
    "/campaigns",
    summary="Create a campaign",
    status_code=201,
    openapi_extra=form_schema("name", practice=PRACTICE_FIELD),
)
async def create(request: Request, _admin: Admin, services: Server) -> NewCampaign:
    """Create a campaign from a bundled data set or an uploaded file.

    Without ``labels`` in the plan, those of the data set are taken. ``gold=ignore`` treats known
    labels as not known. ``practice`` is a number of sentences with known labels that are taken out
    of the campaign, for workers to practise on.
    """
    async with campaign_form(request) as form:
        if form.name is None:
            raise invalid("a campaign needs a 'name'")
        practice = practice_count(form.fields)
        reading = await read_source(form.source, services.settings.upload_limit)
    dataset, repairs = reading
    plan = plan_of(form.plan, tuple(dataset.labels))
    WARMTH.prepare(plan)
    known = form.use_gold or practice > 0
    ready = await in_thread(prepared, dataset, plan.labels, use_gold=known)
    ready, solved = await in_thread(taken_out, ready, practice)
    if not form.use_gold:
        ready = await in_thread(prepared, ready, plan.labels, use_gold=False)
    material = await in_thread(Material.of, ready)
    entry = CampaignEntry(secrets.token_hex(8), form.name, services.now, len(ready))
    await services.desk.open(entry.id, plan, material, rows_of(ready))
    if solved:
        guide = CampaignGuide(practice=solved)
        await in_thread(services.directory.guides.put, entry.id, guide, services.now)
    await in_thread(services.directory.campaigns.add, entry)
    view = await _view(entry, request, services)
    return NewCampaign(**view.model_dump(), repairs=shown_repairs(repairs))


@router.get("/campaigns", summary="List campaigns")
async def campaigns(_admin: Admin, services: Server) -> list[CampaignSummary]:
    """Return all campaigns, the oldest first."""
    entries = await in_thread(services.directory.campaigns.all)
    return [
        CampaignSummary(id=e.id, name=e.name, created_at=e.created_at, sentences=e.sentences)
        for e in entries
    ]


@router.get("/campaigns/{c}", summary="Show a campaign")
async def campaign(
    c: CampaignId, request: Request, _admin: AdminOf, services: Server
) -> CampaignView:
    """Return a campaign with its plan."""
    return await _view(await in_thread(services.directory.campaigns.one, c), request, services)


@router.patch("/campaigns/{c}", summary="Change budget or feedback rule")
async def change(
    c: CampaignId, body: CampaignChange, request: Request, _admin: AdminOf, services: Server
) -> CampaignView:
    """Change one of the two; null as a budget lifts the limit."""
    entry = await in_thread(services.directory.campaigns.one, c)
    if len(body.model_fields_set) > 1:
        raise invalid("budget and feedback are changed one at a time", "send two requests")
    now, feedback = services.now, body.feedback
    if "budget" in body.model_fields_set:
        await services.desk.do(c, lambda found: found.set_budget(body.budget, now))
    elif feedback is not None:
        await services.desk.do(c, lambda found: found.set_rule(feedback, now))
    return await _view(entry, request, services)


@router.delete("/campaigns/{c}", summary="Delete a campaign")
async def delete(c: CampaignId, _admin: AdminOf, services: Server) -> Done:
    """Delete a campaign with its journal, its people and its webhooks, for good."""
    await in_thread(services.directory.campaigns.one, c)
    await services.desk.delete(c)
    await in_thread(services.directory.campaigns.remove, c)
    services.forget_campaign(c)
    return Done()


@router.post("/campaigns/{c}/start", summary="Start a campaign, or go on")
async def start(
    c: CampaignId, request: Request, _admin: AdminOf, services: Server
) -> CampaignView:
    """Hand out assignments from now on."""
    entry = await in_thread(services.directory.campaigns.one, c)
    now = services.now
    await services.desk.do(c, lambda found: found.start(now))
    return await _view(entry, request, services)


@router.post("/campaigns/{c}/pause", summary="Pause a campaign")
async def pause(
    c: CampaignId, request: Request, _admin: AdminOf, services: Server
) -> CampaignView:
    """Hand out nothing any more; open assignments can be answered."""
    entry = await in_thread(services.directory.campaigns.one, c)
    now = services.now
    await services.desk.do(c, lambda found: found.pause(now))
    return await _view(entry, request, services)


@router.post("/campaigns/{c}/finish", summary="Finish a campaign")
async def finish(
    c: CampaignId,
    request: Request,
    _admin: AdminOf,
    services: Server,
    body: FinishIn | None = None,
) -> CampaignView:
    """End a campaign for good."""
    entry = await in_thread(services.directory.campaigns.one, c)
    now, reason = services.now, (body or FinishIn()).reason
    await services.desk.do(c, lambda found: found.finish(now, reason))
    return await _view(entry, request, services)


@router.put("/campaigns/{c}/entry", summary="Let the workers of a crowd platform in")
async def set_entry(
    c: CampaignId, body: EntryIn, request: Request, _admin: AdminOf, services: Server
) -> EntryView:
    """Return the address for the platform; a second call changes the rest and keeps it."""
    if body.completion_url is not None:
        checked_url(body.completion_url, "completion_url")
    opened = await in_thread(
        services.directory.campaigns.open_entry,
        c,
        body.platform,
        body.completion_code,
        body.completion_url,
    )
    view = entry_view(opened, request, services)
    assert view is not None  # noqa: S101  it was just opened
    return view


def entry_view(entry: CampaignEntry, request: Request, services: Services) -> EntryView | None:
    """Return the way in for a crowd platform; None if there is none."""
    if entry.entry_key is None or entry.platform is None:
        return None
    return EntryView(
        platform=entry.platform,
        url=entry_url(base_of(request, services.settings), entry.entry_key),
        completion_code=entry.completion_code,
        completion_url=entry.completion_url,
    )


async def _view(entry: CampaignEntry, request: Request, services: Services) -> CampaignView:
    phase, plan = await services.desk.look(
        entry.id, lambda found: (found.phase, found.plan.to_json())
    )
    return CampaignView(
        id=entry.id,
        name=entry.name,
        created_at=entry.created_at,
        sentences=entry.sentences,
        phase=phase,
        plan=plan,
        entry=entry_view(entry, request, services),
    )
