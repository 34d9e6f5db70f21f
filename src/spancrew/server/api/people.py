"""Routes for admins: workers and experts, their links, their data and their money."""

import csv
import io
import json

from fastapi import APIRouter, Request
from fastapi.responses import Response

from spancrew import wire
from spancrew.campaign import Campaign, WorkerStanding
from spancrew.core import MODEL_PREFIX
from spancrew.errors import UnknownWorkerError
from spancrew.server.api.access import EXPORTED, LOOKED_AT, AdminOf, EntryOf, Server
from spancrew.server.api.invitations import invitation
from spancrew.server.api.parameters import USUAL, CampaignId, ExpertName, WorkerName
from spancrew.server.api.trail import noted
from spancrew.server.api.views import spans_view
from spancrew.server.people.directory import Directory
from spancrew.server.people.values import PersonRow
from spancrew.server.processes import in_thread
from spancrew.server.refusals import not_found
from spancrew.server.services import Services
from spancrew.stores import EventStore

router = APIRouter(prefix=wire.PREFIX, tags=["people"], responses=USUAL)


@router.post("/campaigns/{c}/workers", summary="Invite a worker", status_code=201)
async def invite_worker(
    c: CampaignId, body: wire.WorkerIn, request: Request, _entry: EntryOf, services: Server
) -> wire.Invitation:
    """Add a person or a model and return the secret of their link, which is shown only now."""
    now = services.now
    name = body.name if body.model is None else MODEL_PREFIX + body.model

    def join(campaign: Campaign) -> int:
        price, cap = body.price, body.cap
        return campaign.join(now, price=price, cap=cap, model=body.model, version=body.version)

    # The journal comes first: a number that belongs to nobody does no harm.
    number = await services.desk.do(c, join)
    people = services.directory.people
    person = await in_thread(people.add, "worker", now, campaign=c, number=number, name=name)
    known: dict[str, object] = {"price": body.price, "cap": body.cap}
    if body.model is not None:
        known |= {"model": body.model, "version": body.version}
    noted(request, after=known, target=person.pseudonym)
    return await invitation(services, person)


@router.get("/campaigns/{c}/workers", dependencies=[LOOKED_AT], summary="List workers")
async def workers(c: CampaignId, _admin: AdminOf, services: Server) -> list[wire.WorkerView]:
    """Return the workers of a campaign with what is known of them."""
    await services.presence.write()
    found = await services.desk.look(c, lambda campaign: campaign.standings())
    standings = {each.worker: each for each in found}
    people = await in_thread(services.directory.people.of_campaign, c, "worker")
    return [
        _worker_view(each, None if each.number is None else standings.get(each.number))
        for each in people
    ]


@router.patch("/campaigns/{c}/workers/{w}", summary="Pause, ban, readmit or cap a worker")
async def change_worker(
    c: CampaignId,
    w: WorkerName,
    body: wire.WorkerChange,
    _admin: AdminOf,
    request: Request,
    services: Server,
) -> wire.WorkerView:
    """Change the state or the cap of a worker; open work of a halted worker goes to others."""
    person = await _worker(services, c, w)
    number, now = int(w[1:]), services.now

    def work(campaign: Campaign) -> WorkerStanding:
        before = campaign.standings()[number]
        change_in(campaign, number, body, now)
        return before

    before = await services.desk.do(c, work)
    found = await services.desk.look(c, lambda campaign: campaign.standings()[number])
    noted(request, _state(before), _state(found) | {"reason": body.reason})
    return _worker_view(person, found)


@router.post("/campaigns/{c}/workers/{w}/link", summary="Make a new link for a worker")
async def renew_link(
    c: CampaignId, w: WorkerName, _admin: AdminOf, services: Server
) -> wire.Invitation:
    """Return a new link; the old one ends, and all sessions, tokens and the password with it."""
    person = await _worker(services, c, w)
    await in_thread(services.directory.people.end_access, person.id)
    services.callers.forget(person.id)
    return await invitation(services, person)


@router.get(
    "/campaigns/{c}/workers/{w}/data", dependencies=[EXPORTED], summary="All data of a worker"
)
async def data(c: CampaignId, w: WorkerName, _admin: AdminOf, services: Server) -> wire.WorkerData:
    """Return everything that is known of a worker."""
    person = await _worker(services, c, w)
    found = await services.desk.look(c, lambda campaign: campaign.standings()[int(w[1:])])
    store, directory = services.desk.store, services.directory
    return await in_thread(worker_data, store, directory, c, person, found)


@router.delete("/campaigns/{c}/workers/{w}/data", summary="Erase who a worker is")
async def erase(c: CampaignId, w: WorkerName, _admin: AdminOf, services: Server) -> wire.Done:
    """Forget name, links, sessions and platform of a worker, for good.

    They get nothing to do any more. The journal keeps their answers under the pseudonym.
    """
    person = await _worker(services, c, w)
    now = services.now
    await services.desk.do(
        c, lambda campaign: campaign.halt(int(w[1:]), now, banned=True, reason="erased")
    )
    await _forget(services, person)
    return wire.Done()


@router.get(
    "/campaigns/{c}/payments.csv",
    dependencies=[EXPORTED],
    summary="What to pay to whom",
    response_class=Response,
    responses={200: {"description": "A table", "content": {"text/csv": {}}}},
)
async def payments(c: CampaignId, _entry: EntryOf, services: Server) -> Response:
    """Return a line for every person: who they are, their answers and what they earned."""
    standings = await services.desk.look(c, lambda campaign: campaign.standings())
    people = await in_thread(services.directory.people.of_campaign, c, "worker")
    known = {person.number: person for person in people}
    file = io.StringIO()
    table = csv.writer(file, lineterminator="\n")
    table.writerow(("worker", "platform", "platform_id", "name", "answers", "earned"))
    for each in (one for one in standings if one.model is None):
        person = known.get(each.worker)
        who = (person.platform, person.platform_id, person.name) if person else (None, None, None)
        cells = [_cell(value) for value in who]
        table.writerow((f"w{each.worker}", *cells, each.answers, f"{each.earned:.4f}"))
    headers = {"Content-Disposition": 'attachment; filename="payments.csv"'}
    return Response(file.getvalue(), media_type="text/csv; charset=utf-8", headers=headers)


@router.post("/campaigns/{c}/experts", summary="Invite an expert", status_code=201)
async def invite_expert(
    c: CampaignId, body: wire.ExpertIn, request: Request, _entry: EntryOf, services: Server
) -> wire.Invitation:
    """Add an expert and return the secret of their link, which is shown only now."""
    person = await in_thread(
        services.directory.people.add,
        "expert",
        services.now,
        campaign=c,
        name=body.name,
        email=body.email,
    )
    noted(request, target=person.pseudonym)
    return await invitation(services, person)


@router.get("/campaigns/{c}/experts", dependencies=[LOOKED_AT], summary="List experts")
async def experts(c: CampaignId, _entry: EntryOf, services: Server) -> list[wire.PersonView]:
    """Return the experts of a campaign."""
    await services.presence.write()
    found = await in_thread(services.directory.people.of_campaign, c, "expert")
    return [wire.PersonView.model_validate(each) for each in found]


@router.delete("/campaigns/{c}/experts/{e}", summary="Dismiss an expert")
async def dismiss(c: CampaignId, e: ExpertName, _admin: AdminOf, services: Server) -> wire.Done:
    """End an expert's access and forget who they are; their labels stay."""
    person = await in_thread(
        services.directory.people.find, campaign=c, role="expert", number=int(e[1:])
    )
    if person is None:
        raise not_found("expert")
    await _forget(services, person)
    return wire.Done()


def change_in(campaign: Campaign, number: int, change: wire.WorkerChange, now: float) -> None:
    """Change what is asked for about a worker."""
    if change.state == "active":
        campaign.readmit(number, now)
    elif change.state is not None:
        banned = change.state == "banned"
        campaign.halt(number, now, banned=banned, reason=change.reason)
    if "cap" in change.model_fields_set:
        campaign.set_cap(number, change.cap, now)


def _state(found: WorkerStanding) -> dict[str, object]:
    return {"state": found.state, "cap": found.cap}


def _worker_view(person: PersonRow, standing: WorkerStanding | None) -> wire.WorkerView:
    return wire.WorkerView.model_validate({"person": person, "standing": standing})


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


def _cell(value: str | None) -> str:
    """Return a cell that a spreadsheet takes for text, never for a formula."""
    text = value or ""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def worker_data(
    store: EventStore,
    directory: Directory,
    campaign: str,
    person: PersonRow,
    standing: WorkerStanding,
) -> wire.WorkerData:
    """Collect what the directory and the journal have of a worker."""
    answers: dict[int, wire.AnswerRecord] = {}
    assignments = 0
    mark = f'"worker":{person.number},'
    for version, entry in store.read(campaign):
        if entry.kind not in {"Assigned", "Answered", "Reanswered"} or mark not in entry.body:
            continue
        body = json.loads(entry.body)
        if entry.kind == "Assigned":
            assignments += 1
            continue
        number, spans = body["assignment"], spans_view(body["spans"])
        if entry.kind == "Reanswered":
            answers[number] = answers[number].model_copy(update={"spans": spans})
            continue
        answers[number] = wire.AnswerRecord(
            version=version,
            assignment=number,
            sentence=store.sentence(campaign, body["sentence"]).id,
            spans=spans,
            at=entry.at,
            **{name: body[name] for name in ("seconds", "paid", "late", "surplus")},
        )
    sessions = directory.secrets.all("session", person=person.id)
    return wire.WorkerData(
        person=wire.PersonView.model_validate(person),
        platform_details=directory.people.details(person.id),
        standing=wire.StandingView.model_validate(standing),
        sessions=tuple(each.created_at for each in sessions),
        practised=tuple(directory.guides.practised(person.id).values()),
        assignments=assignments,
        answers=tuple(answers.values()),
    )
