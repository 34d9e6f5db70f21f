"""Routes for admins: workers and experts, their links, their data and their money."""

import csv
import io

from fastapi import APIRouter, Request
from fastapi.responses import Response

from spancrew.campaign import Campaign
from spancrew.errors import UnknownWorkerError
from spancrew.server.api.access import AdminOf, Server
from spancrew.server.api.links import base_of, link_url
from spancrew.server.api.parameters import USUAL, CampaignId, ExpertName, WorkerName
from spancrew.server.api.person_data import worker_data
from spancrew.server.api.views import standing_view
from spancrew.server.people.values import PersonRow
from spancrew.server.processes import in_thread
from spancrew.server.refusals import not_found
from spancrew.server.services import Services
from spancrew.wire import (
    PREFIX,
    Done,
    ExpertIn,
    Invitation,
    PersonView,
    WorkerChange,
    WorkerData,
    WorkerIn,
    WorkerView,
)

router = APIRouter(prefix=PREFIX, tags=["people"], responses=USUAL)


@router.post("/campaigns/{c}/workers", summary="Invite a worker", status_code=201)
async def invite_worker(
    c: CampaignId, body: WorkerIn, request: Request, _admin: AdminOf, services: Server
) -> Invitation:
    """Add a worker and return the secret of their link, which is shown only now."""
    await in_thread(services.directory.campaigns.one, c)
    now = services.now
    # The journal comes first: a number that belongs to nobody does no harm.
    number = await services.desk.do(
        c, lambda found: found.join(now, price=body.price, cap=body.cap)
    )
    people = services.directory.people
    person = await in_thread(people.add, "worker", now, campaign=c, number=number, name=body.name)
    return await _invitation(person, request, services)


@router.get("/campaigns/{c}/workers", summary="List workers")
async def workers(c: CampaignId, _admin: AdminOf, services: Server) -> list[WorkerView]:
    """Return the workers of a campaign with what is known of them."""
    await services.presence.write()
    found = await services.desk.look(c, lambda campaign: campaign.standings())
    standings = {each.worker: standing_view(each) for each in found}
    people = await in_thread(services.directory.people.of_campaign, c, "worker")
    return [
        WorkerView(
            person=person_view(p), standing=standings.get(-1 if p.number is None else p.number)
        )
        for p in people
    ]


@router.patch("/campaigns/{c}/workers/{w}", summary="Pause, ban, readmit or cap a worker")
async def change_worker(
    c: CampaignId, w: WorkerName, body: WorkerChange, _admin: AdminOf, services: Server
) -> WorkerView:
    """Change the state or the cap of a worker; open work of a halted worker goes to others."""
    person = await _worker(services, c, w)
    number, now = int(w[1:]), services.now

    def work(campaign: Campaign) -> None:
        if body.state == "active":
            campaign.readmit(number, now)
        elif body.state is not None:
            campaign.halt(number, now, banned=body.state == "banned", reason=body.reason)
        if "cap" in body.model_fields_set:
            campaign.set_cap(number, body.cap, now)

    await services.desk.do(c, work)
    found = await services.desk.look(c, lambda campaign: campaign.standings()[number])
    return WorkerView(person=person_view(person), standing=standing_view(found))


@router.post("/campaigns/{c}/workers/{w}/link", summary="Make a new link for a worker")
async def renew_link(
    c: CampaignId, w: WorkerName, request: Request, _admin: AdminOf, services: Server
) -> Invitation:
    """Return a new link; the old one and all sessions of the worker end."""
    person = await _worker(services, c, w)
    secrets = services.directory.secrets
    await in_thread(secrets.revoke_all, person.id, "link")
    await in_thread(secrets.revoke_all, person.id, "session")
    services.callers.forget(person.id)
    return await _invitation(person, request, services)


@router.get("/campaigns/{c}/workers/{w}/data", summary="All data of a worker")
async def data(c: CampaignId, w: WorkerName, _admin: AdminOf, services: Server) -> WorkerData:
    """Return everything that is known of a worker."""
    person = await _worker(services, c, w)
    found = await services.desk.look(c, lambda campaign: campaign.standings()[int(w[1:])])
    store, directory = services.desk.store, services.directory
    return await in_thread(worker_data, store, directory, c, person, found)


@router.delete("/campaigns/{c}/workers/{w}/data", summary="Erase who a worker is")
async def erase(c: CampaignId, w: WorkerName, _admin: AdminOf, services: Server) -> Done:
    """Forget name, links, sessions and platform of a worker, for good.

    They get nothing to do any more. The journal keeps their answers under the pseudonym.
    """
    person = await _worker(services, c, w)
    now = services.now
    await services.desk.do(
        c, lambda campaign: campaign.halt(int(w[1:]), now, banned=True, reason="erased")
    )
    await _forget(services, person)
    return Done()


@router.get(
    "/campaigns/{c}/payments.csv",
    summary="What to pay to whom",
    response_class=Response,
    responses={200: {"description": "A table", "content": {"text/csv": {}}}},
)
async def payments(c: CampaignId, _admin: AdminOf, services: Server) -> Response:
    """Return a line for every worker: who they are, their answers and what they earned."""
    await in_thread(services.directory.campaigns.one, c)
    standings = await services.desk.look(c, lambda campaign: campaign.standings())
    people = await in_thread(services.directory.people.of_campaign, c, "worker")
    known = {person.number: person for person in people}
    file = io.StringIO()
    table = csv.writer(file, lineterminator="\n")
    table.writerow(("worker", "platform", "platform_id", "name", "answers", "earned"))
    for each in standings:
        person = known.get(each.worker)
        who = (person.platform, person.platform_id, person.name) if person else (None, None, None)
        cells = [_cell(value) for value in who]
        table.writerow((f"w{each.worker}", *cells, each.answers, f"{each.earned:.4f}"))
    headers = {"Content-Disposition": 'attachment; filename="payments.csv"'}
    return Response(file.getvalue(), media_type="text/csv; charset=utf-8", headers=headers)


@router.post("/campaigns/{c}/experts", summary="Invite an expert", status_code=201)
async def invite_expert(
    c: CampaignId, body: ExpertIn, request: Request, _admin: AdminOf, services: Server
) -> Invitation:
    """Add an expert and return the secret of their link, which is shown only now."""
    await in_thread(services.directory.campaigns.one, c)
    person = await in_thread(
        services.directory.people.add, "expert", services.now, campaign=c, name=body.name
    )
    return await _invitation(person, request, services)


@router.get("/campaigns/{c}/experts", summary="List experts")
async def experts(c: CampaignId, _admin: AdminOf, services: Server) -> list[PersonView]:
    """Return the experts of a campaign."""
    await services.presence.write()
    await in_thread(services.directory.campaigns.one, c)
    found = await in_thread(services.directory.people.of_campaign, c, "expert")
    return [person_view(each) for each in found]


@router.delete("/campaigns/{c}/experts/{e}", summary="Dismiss an expert")
async def dismiss(c: CampaignId, e: ExpertName, _admin: AdminOf, services: Server) -> Done:
    """End an expert's access and forget who they are; their labels stay."""
    person = await in_thread(
        services.directory.people.find, campaign=c, role="expert", number=int(e[1:])
    )
    if person is None:
        raise not_found("expert")
    await _forget(services, person)
    return Done()


def person_view(person: PersonRow) -> PersonView:
    """Return a person as an admin sees them."""
    return PersonView.model_validate(person)


async def _worker(services: Services, campaign: str, pseudonym: str) -> PersonRow:
    number = int(pseudonym[1:])
    find = services.directory.people.find
    person = await in_thread(find, campaign=campaign, role="worker", number=number)
    if person is None:
        raise UnknownWorkerError(f"there is no worker {pseudonym} in this campaign")
    return person


async def _forget(services: Services, person: PersonRow) -> None:
    services.presence.forget(person)
    await in_thread(services.directory.people.erase, person.id)
    services.callers.forget(person.id)


async def _invitation(person: PersonRow, request: Request, services: Services) -> Invitation:
    issue = services.directory.secrets.issue
    _, secret = await in_thread(issue, "link", person.id, services.now)
    url = link_url(base_of(request, services.settings), secret)
    return Invitation(person=person_view(person), token=secret, url=url)


def _cell(value: str | None) -> str:
    """Return a cell that a spreadsheet takes for text, never for a formula."""
    text = value or ""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
