"""Routes for admins: how a campaign is doing, and why."""

import json
from collections.abc import Iterator
from typing import Annotated, Any, Literal, NamedTuple

from fastapi import APIRouter, Query

from spancrew import wire
from spancrew.campaign import Ledger, Status
from spancrew.server.api.access import AdminOf, EntryOf, Server
from spancrew.server.api.parameters import USUAL, After, CampaignId, Limit, RowId
from spancrew.server.live.figures import AgreementFold
from spancrew.server.processes import in_thread
from spancrew.server.refusals import not_found
from spancrew.server.services import Services
from spancrew.stores import EventStore, Recorded

router = APIRouter(prefix=wire.PREFIX, tags=["watch"], responses=USUAL)


@router.get("/campaigns/{c}/status", summary="How far a campaign is")
async def status(c: CampaignId, _admin: AdminOf, services: Server) -> Status:
    """Return counts of sentences, workers and answers."""
    return await services.desk.look(c, lambda campaign: campaign.status())


@router.get("/campaigns/{c}/ledger", summary="What a campaign costs")
async def ledger(c: CampaignId, _admin: AdminOf, services: Server) -> Ledger:
    """Return what is spent, committed, forecast and saved."""
    return await services.desk.look(c, lambda campaign: campaign.ledger())


@router.get("/campaigns/{c}/standings", summary="What is known of the workers")
async def standings(c: CampaignId, _admin: AdminOf, services: Server) -> list[wire.StandingView]:
    """Return the standing of every worker."""
    found = await services.desk.look(c, lambda campaign: campaign.standings())
    return [wire.StandingView.model_validate(each) for each in found]


@router.get("/campaigns/{c}/agreement", summary="How much the answers agree")
async def agreement(c: CampaignId, _admin: AdminOf, services: Server) -> wire.AgreementView:
    """Return Fleiss' kappa over all answers that count, and a histogram by sentence."""
    found = await services.agreements.look(c, AgreementFold.figures)
    return wire.AgreementView(
        overall=found.overall,
        mean=found.mean,
        sentences=len(found.by_sentence),
        answers=found.answers,
        histogram=tuple(wire.Bin(low=a, high=b, sentences=n) for a, b, n in found.histogram),
        version=found.version,
    )


@router.get("/campaigns/{c}/events", summary="Events since a version")
async def events(
    c: CampaignId,
    _entry: EntryOf,
    services: Server,
    after: Annotated[After, Query()] = 0,
    limit: Annotated[Limit, Query()] = 100,
) -> wire.EventsView:
    """Return events of the journal in order; call again with ``after`` = ``version``."""
    found = await in_thread(read_some, services, c, min(after, wire.MOST - 1), limit + 1)
    shown = tuple(event_view(each) for each in found[:limit])
    last = shown[-1].version if shown else after
    return wire.EventsView(events=shown, version=last, more=len(found) > limit)


@router.get("/campaigns/{c}/assignments/{a}", summary="Why this worker")
async def assignment(
    c: CampaignId, a: RowId, _entry: EntryOf, services: Server
) -> wire.AssignmentView:
    """Return an assignment with the reason for which it was made."""
    return await in_thread(assignment_view, services.desk.store, c, a)


def read_some(services: Services, campaign: str, after: int, limit: int) -> list[Recorded]:
    """Return the first events after a version."""
    found: list[Recorded] = []
    for each in services.desk.store.read(campaign, after=after):
        found.append(each)
        if len(found) == limit:
            break
    return found


def event_view(recorded: Recorded) -> wire.EventView:
    """Return an event as it is shown."""
    version, entry = recorded
    return wire.EventView(
        version=version, kind=entry.kind, at=entry.at, body=json.loads(entry.body)
    )


State = Literal["open", "expired", "skipped", "returned", "answered"]
_ENDS: dict[str, State] = {
    "Expired": "expired",
    "Skipped": "skipped",
    "Returned": "returned",
    "Answered": "answered",
}
_NEAR = 1000
"""Events that are read one by one rather than halved further."""


class _Assignment(NamedTuple):
    version: int
    at: float
    body: dict[str, Any]


def assignment_view(store: EventStore, campaign: str, number: int) -> wire.AssignmentView:
    """Return an assignment with its reason, and what became of it."""
    made = _find_assignment(store, campaign, number)
    if made is None:
        raise not_found("assignment")
    body = made.body
    return wire.AssignmentView(
        assignment=number,
        sentence=store.sentence(campaign, body["sentence"]).id,
        worker=f"w{body['worker']}",
        at=made.at,
        until=body["until"],
        purpose=body["purpose"],
        reason=body["reason"],
        state=_state(store, campaign, number, made.version),
    )


def _find_assignment(store: EventStore, campaign: str, number: int) -> _Assignment | None:
    """Find when an assignment was made; their numbers grow with the versions."""
    low, high = 0, store.version(campaign)
    while high - low > _NEAR:
        middle = (low + high) // 2
        first = next(_assignments(store.read(campaign, after=middle)), None)
        if first is None or first.body["assignment"] > number:
            high = middle
        else:
            low = middle
    for made in _assignments(store.read(campaign, after=low)):
        if made.body["assignment"] >= number:
            return made if made.body["assignment"] == number else None
    return None


def _assignments(entries: Iterator[Recorded]) -> Iterator[_Assignment]:
    for version, entry in entries:
        if entry.kind == "Assigned":
            yield _Assignment(version, entry.at, json.loads(entry.body))


def _state(store: EventStore, campaign: str, number: int, after: int) -> State:
    """Return what became of an assignment; one that expired may still be answered."""
    state: State = "open"
    mark = f'"assignment":{number}'
    for _, entry in store.read(campaign, after=after):
        if entry.kind in _ENDS and mark in entry.body:
            if json.loads(entry.body)["assignment"] == number:
                state = _ENDS[entry.kind]
            if state not in {"open", "expired"}:
                return state
    return state
