"""Routes for admins: how a campaign is doing, why, and what came of it."""

import json
import shutil
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

from spancrew.campaign import Campaign, Ledger, Plan, Status
from spancrew.core import Dataset
from spancrew.server.api.access import AdminOf, Server
from spancrew.server.api.assignment_story import assignment_view
from spancrew.server.api.export import Revised, result_of
from spancrew.server.api.export_file import as_download
from spancrew.server.api.parameters import USUAL, After, CampaignId, Limit, RowId
from spancrew.server.api.views import standing_view
from spancrew.server.live.figures import AgreementFold
from spancrew.server.processes import in_thread
from spancrew.server.services import Services
from spancrew.stores import Recorded
from spancrew.wire import (
    MOST,
    PREFIX,
    AgreementView,
    AssignmentView,
    Bin,
    EventsView,
    EventView,
    StandingView,
    finite,
)

router = APIRouter(prefix=PREFIX, tags=["watch"], responses=USUAL)


@router.get("/campaigns/{c}/status", summary="How far a campaign is")
async def status(c: CampaignId, _admin: AdminOf, services: Server) -> Status:
    """Return counts of sentences, workers and answers."""
    return await services.desk.look(c, lambda campaign: campaign.status())


@router.get("/campaigns/{c}/ledger", summary="What a campaign costs")
async def ledger(c: CampaignId, _admin: AdminOf, services: Server) -> Ledger:
    """Return what is spent, committed, forecast and saved."""
    return await services.desk.look(c, lambda campaign: campaign.ledger())


@router.get("/campaigns/{c}/standings", summary="What is known of the workers")
async def standings(c: CampaignId, _admin: AdminOf, services: Server) -> list[StandingView]:
    """Return the standing of every worker."""
    found = await services.desk.look(c, lambda campaign: campaign.standings())
    return [standing_view(each) for each in found]


@router.get("/campaigns/{c}/agreement", summary="How much the answers agree")
async def agreement(c: CampaignId, _admin: AdminOf, services: Server) -> AgreementView:
    """Return Fleiss' kappa over all answers that count, and a histogram by sentence."""
    material = await services.desk.look(c, lambda campaign: campaign.state.material)
    found = await services.agreements.look(
        c, lambda: AgreementFold(material), AgreementFold.figures
    )
    return AgreementView(
        overall=finite(found.overall),
        mean=finite(found.mean),
        sentences=len(found.by_sentence),
        answers=found.answers,
        histogram=tuple(Bin(low=a, high=b, sentences=n) for a, b, n in found.histogram),
        version=found.version,
    )


@router.get("/campaigns/{c}/events", summary="Events since a version")
async def events(
    c: CampaignId,
    _admin: AdminOf,
    services: Server,
    after: Annotated[After, Query()] = 0,
    limit: Annotated[Limit, Query()] = 100,
) -> EventsView:
    """Return events of the journal in order; call again with ``after`` = ``version``."""
    await in_thread(services.directory.campaigns.one, c)
    found = await in_thread(read_some, services, c, min(after, MOST - 1), limit + 1)
    shown = tuple(event_view(each) for each in found[:limit])
    last = shown[-1].version if shown else after
    return EventsView(events=shown, version=last, more=len(found) > limit)


@router.get("/campaigns/{c}/assignments/{a}", summary="Why this worker")
async def assignment(c: CampaignId, a: RowId, _admin: AdminOf, services: Server) -> AssignmentView:
    """Return an assignment with the reason for which it was made."""
    await in_thread(services.directory.campaigns.one, c)
    return await in_thread(assignment_view, services.desk.store, c, a)


@router.get(
    "/campaigns/{c}/export",
    summary="Final labels and raw answers as a file",
    response_class=FileResponse,
    responses={200: {"description": "The file", "content": {"application/octet-stream": {}}}},
)
async def export(
    c: CampaignId,
    _admin: AdminOf,
    services: Server,
    *,
    format: Annotated[str, Query(max_length=40)] = "spancrew",  # noqa: A002  the word users know
    revise: bool = False,
    answers: bool = True,
    names: bool = False,
) -> FileResponse:
    """Return all sentences with their final labels in any format that spancrew writes.

    ``revise`` judges the sentences of the crowd again with all that is known by now; ``names``
    shows who the workers are, instead of pseudonyms.
    """
    entry = await in_thread(services.directory.campaigns.one, c)
    plan = await services.desk.look(c, lambda campaign: campaign.plan)
    revised = await _revised(services, c) if revise else None
    shown = await in_thread(worker_names, services, c) if names else {}
    dataset = await in_thread(_result, services, c, plan, shown, revised, answers)
    made = await in_thread(as_download, dataset, entry.name, format)
    return FileResponse(
        made.path,
        filename=made.name,
        media_type="application/octet-stream",
        headers={"X-Spancrew-Losses": made.losses},
        background=BackgroundTask(shutil.rmtree, made.folder, ignore_errors=True),
    )


async def _revised(services: Services, campaign: str) -> Revised:
    """Judge once more on a copy, so that nobody has to wait for it."""
    material, state = await services.desk.look(
        campaign, lambda found: (found.state.material, found.snapshot())
    )
    return await in_thread(lambda: Campaign.restore(material, state).revised())


def read_some(services: Services, campaign: str, after: int, limit: int) -> list[Recorded]:
    """Return the first events after a version."""
    found: list[Recorded] = []
    for each in services.desk.store.read(campaign, after=after):
        found.append(each)
        if len(found) == limit:
            break
    return found


def event_view(recorded: Recorded) -> EventView:
    """Return an event as it is shown."""
    version, entry = recorded
    return EventView(version=version, kind=entry.kind, at=entry.at, body=json.loads(entry.body))


def worker_names(services: Services, campaign: str) -> dict[int, str]:
    """Return what workers are called, by number; a name that two have gets their number."""
    people = services.directory.people.of_campaign(campaign, "worker")
    named = {p.number: p.name or p.platform_id for p in people if p.number is not None}
    known = [name for name in named.values() if name]
    return {
        number: name if known.count(name) == 1 else f"{name} (w{number})"
        for number, name in named.items()
        if name
    }


def _result(
    services: Services,
    campaign: str,
    plan: Plan,
    names: dict[int, str],
    revised: Revised | None,
    answers: bool,
) -> Dataset:
    store = services.desk.store
    return result_of(store, campaign, plan, names=names, revised=revised, answers=answers)
