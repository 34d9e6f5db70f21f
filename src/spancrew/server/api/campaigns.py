"""Routes for admins: campaigns, from creation to the end."""

import secrets
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from spancrew import wire
from spancrew.campaign import Campaign, Material, pilot_plan
from spancrew.core import Dataset
from spancrew.server.api.access import Admin, AdminOf, EntryOf, Server
from spancrew.server.api.links import entry_url
from spancrew.server.api.parameters import USUAL, CampaignId
from spancrew.server.api.pilots import (
    CAMPAIGN_FIELD,
    PILOT_FIELD,
    pilot_parts,
    pilot_size,
    read_given,
)
from spancrew.server.api.practice import PRACTICE_FIELD, campaign_sentences, practice_count
from spancrew.server.api.trail import noted
from spancrew.server.api.upload import (
    CampaignForm,
    campaign_form,
    form_schema,
    rows_of,
    shown_repairs,
    text_field,
)
from spancrew.server.desk.summary import LiveStatus
from spancrew.server.desk.warmth import WARMTH
from spancrew.server.pages.problems import language_of
from spancrew.server.people.values import CampaignEntry, CampaignGuide, SolvedSentence
from spancrew.server.processes import in_thread
from spancrew.server.refusals import checked_url, forbidden, invalid
from spancrew.server.services import Services

router = APIRouter(prefix=wire.PREFIX, tags=["campaigns"], responses=USUAL)


@router.post(
    "/campaigns",
    summary="Create a campaign",
    status_code=201,
    openapi_extra=form_schema(
        "name", practice=PRACTICE_FIELD, pilot=PILOT_FIELD, campaign=CAMPAIGN_FIELD
    ),
)
async def create(request: Request, admin: Admin, services: Server) -> wire.NewCampaign:
    """Create a campaign from a bundled data set, a file, or a ``campaign`` that is a pilot.

    Without ``labels`` in the plan, those of the data set are taken. ``gold=ignore`` treats known
    labels as not known; it is needed where all labels are known. ``practice`` is a number of
    sentences with known labels that are taken out of the campaign, for workers to practise on.
    With ``pilot``, it has only so many sentences, and the others wait until it is done.
    """
    if admin.credential.campaign is not None:
        raise forbidden("this token is for one campaign; it cannot create another")
    async with campaign_form(request) as form:
        if form.name is None:
            raise invalid("a campaign needs a 'name'")
        practice, pilot = practice_count(form.fields), pilot_size(form)
        reading = await read_given(form, request, admin, services)
    given = form.plan if pilot is None else pilot_plan(form.plan, pilot)
    plan = wire.plan_of(given, tuple(reading.dataset.labels), reading.dataset.kind)
    WARMTH.prepare(plan)
    ready, solved = await in_thread(
        campaign_sentences, reading.dataset, plan.labels, practice, use_gold=form.use_gold
    )
    _refuse_all_known(ready)
    rest = None
    if pilot is not None:
        ready, rest = await in_thread(pilot_parts, ready, pilot)
    material = await in_thread(Material.of, ready)
    entry = CampaignEntry(secrets.token_hex(8), form.name, services.now, len(ready))
    await services.desk.open(entry.id, plan, material, rows_of(ready))
    await in_thread(_list, services, entry, solved, rest)
    noted(request, after=_said(entry, form, rest), campaign=entry.id)
    if not admin.person.is_owner:
        await in_thread(services.directory.people.grant, admin.person.id, entry.id)
        services.callers.forget(admin.person.id)
    view = await _view(entry, services)
    repairs = shown_repairs(reading.repairs, language_of(request))
    return wire.NewCampaign(**view.model_dump(), repairs=repairs)


def _list(
    services: Services,
    entry: CampaignEntry,
    solved: tuple[SolvedSentence, ...],
    rest: Dataset | None,
) -> None:
    """Put a campaign into the list, after all that belongs to it."""
    directory = services.directory
    if solved:
        directory.guides.put(entry.id, CampaignGuide(practice=solved), services.now)
    if rest is not None:
        directory.pilots.put(entry.id, list(rows_of(rest)))
    directory.campaigns.add(entry)


def _said(entry: CampaignEntry, form: CampaignForm, rest: Dataset | None) -> dict[str, Any]:
    """Return what the audit log has of a new campaign."""
    said: dict[str, Any] = {"name": entry.name, "sentences": entry.sentences}
    if rest is not None:
        said["waiting"] = len(rest)
    pilot = text_field(form.fields, "campaign", 40)
    return said | ({} if pilot is None else {"pilot": pilot})


def _refuse_all_known(ready: Dataset) -> None:
    """Refuse a campaign in which nobody would be asked anything."""
    if ready.has_gold.all():
        raise invalid(
            f"the labels of all {len(ready):,} sentences are known (gold), so there is nothing "
            "left to label",
            "set gold to ignore to have them labelled anew, or choose other data",
        )


@router.get("/campaigns", summary="List campaigns")
async def campaigns(admin: Admin, services: Server) -> list[wire.CampaignSummary]:
    """Return the campaigns of the caller, the oldest first."""
    found = await in_thread(services.directory.campaigns.all)
    return [wire.CampaignSummary.model_validate(each) for each in found if admin.reaches(each.id)]


@router.get("/campaigns/{c}", summary="Show a campaign")
async def campaign(c: CampaignId, _admin: AdminOf, services: Server) -> wire.CampaignView:
    """Return a campaign with its plan."""
    return await _view(await in_thread(services.directory.campaigns.one, c), services)


@router.patch("/campaigns/{c}", summary="Change budget or feedback rule")
async def change(
    c: CampaignId, body: wire.CampaignChange, entry: EntryOf, request: Request, services: Server
) -> wire.CampaignView:
    """Change one of the two; null as a budget lifts the limit."""
    if len(body.model_fields_set) > 1:
        raise invalid("budget and feedback are changed one at a time", "send two requests")
    now, feedback = services.now, body.feedback
    plan = await services.desk.look(c, lambda found: found.plan.to_json())
    if "budget" in body.model_fields_set:
        noted(request, {"budget": plan["budget"]}, {"budget": body.budget})
        await services.desk.do(c, lambda found: found.set_budget(body.budget, now))
    elif feedback is not None:
        noted(request, {"feedback": plan["feedback"]}, {"feedback": feedback})
        await services.desk.do(c, lambda found: found.set_rule(feedback, now))
    return await _view(entry, services)


@router.delete("/campaigns/{c}", summary="Delete a campaign")
async def delete(c: CampaignId, entry: EntryOf, request: Request, services: Server) -> wire.Done:
    """Delete a campaign with its journal, its people and its webhooks, for good."""
    noted(request, {"name": entry.name, "sentences": entry.sentences})
    await services.desk.delete(c)
    await in_thread(services.directory.campaigns.remove, c)
    services.forget_campaign(c)
    return wire.Done()


@router.post("/campaigns/{c}/start", summary="Start a campaign, or go on")
async def start(
    c: CampaignId, entry: EntryOf, request: Request, services: Server
) -> wire.CampaignView:
    """Hand out assignments from now on."""
    now = services.now
    await _move(c, request, services, lambda found: found.start(now))
    return await _view(entry, services)


@router.post("/campaigns/{c}/pause", summary="Pause a campaign")
async def pause(
    c: CampaignId, entry: EntryOf, request: Request, services: Server
) -> wire.CampaignView:
    """Hand out nothing any more; open assignments can be answered."""
    now = services.now
    await _move(c, request, services, lambda found: found.pause(now))
    return await _view(entry, services)


@router.post("/campaigns/{c}/finish", summary="Finish a campaign")
async def finish(
    c: CampaignId,
    entry: EntryOf,
    request: Request,
    services: Server,
    body: wire.FinishIn | None = None,
) -> wire.CampaignView:
    """End a campaign for good."""
    now, reason = services.now, (body or wire.FinishIn()).reason
    await _move(c, request, services, lambda found: found.finish(now, reason))
    return await _view(entry, services)


@router.put("/campaigns/{c}/entry", summary="Let the workers of a crowd platform in")
async def set_entry(
    c: CampaignId, body: wire.EntryIn, request: Request, _admin: AdminOf, services: Server
) -> wire.EntryView:
    """Return the address for the platform; a second call changes the rest and keeps it."""
    if body.completion_url is not None:
        checked_url(body.completion_url, "completion_url")
    listed = services.directory.campaigns
    before = await in_thread(listed.one, c)
    opened = await in_thread(
        listed.open_entry, c, body.platform, body.completion_code, body.completion_url
    )
    noted(request, {"platform": before.platform}, {"platform": opened.platform})
    view = entry_view(opened, services)
    assert view is not None  # noqa: S101  it was just opened
    return view


def entry_view(entry: CampaignEntry, services: Services) -> wire.EntryView | None:
    """Return how workers of a crowd platform join; None if they cannot."""
    if entry.entry_key is None or entry.platform is None:
        return None
    return wire.EntryView(
        platform=entry.platform,
        url=entry_url(services.settings.public_url, entry.entry_key),
        completion_code=entry.completion_code,
        completion_url=entry.completion_url,
    )


async def _move(
    c: str, request: Request, services: Services, command: Callable[[Campaign], object]
) -> None:
    """Bring a campaign into another phase."""

    def work(found: Campaign) -> tuple[str, str]:
        before = found.phase
        command(found)
        return before, found.phase

    before, after = await services.desk.do(c, work)
    noted(request, {"phase": before}, {"phase": after})


async def _view(entry: CampaignEntry, services: Services) -> wire.CampaignView:
    phase, plan = await services.desk.look(
        entry.id, lambda found: (found.phase, found.plan.to_json())
    )
    return wire.CampaignView(
        **wire.CampaignSummary.model_validate(entry).model_dump(),
        phase=phase,
        plan=plan,
        entry=entry_view(entry, services),
    )


_MOST = 50
"""A list shows so many at a time."""

Wanted = Annotated[list[str], Query(max_length=_MOST, description="ids of campaigns")]


@router.get("/figures", summary="How far some campaigns are")
async def figures(
    admin: Admin,
    services: Server,
    campaign: Wanted = [],  # noqa: B006  FastAPI copies it
) -> list[wire.FiguresView]:
    """Return phase, progress, money and quality of some campaigns; those not there are left out.

    At most 50 are looked at in one call.
    """
    known = {each.id for each in await in_thread(services.directory.campaigns.all)}
    wanted = [id_ for id_ in dict.fromkeys(campaign) if id_ in known and admin.reaches(id_)]
    found = await services.statuses(wanted)
    return [_figures(id_, each) for id_, each in found.items()]


def _figures(id_: str, found: LiveStatus) -> wire.FiguresView:
    return wire.FiguresView(
        id=id_,
        phase=found.status.phase,
        sentences=found.status.sentences,
        settled=found.status.settled,
        spent=found.ledger.spent,
        expected_quality=found.status.expected_quality,
    )
