"""Routes to look at sentences and their labels, and to correct them."""

import json
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from spancrew import wire
from spancrew.core import Span
from spancrew.server.api.access import AdminOf, Server, WatcherOf
from spancrew.server.api.parameters import USUAL, CampaignId, RowId
from spancrew.server.api.trail import noted
from spancrew.server.api.views import sentence_of, spans_in
from spancrew.server.api.watch import event_view
from spancrew.server.people.sessions import Caller
from spancrew.server.processes import in_thread
from spancrew.server.refusals import not_found
from spancrew.server.services import Services
from spancrew.stores import PAGE, Recorded, SentenceFilter, SentenceState

router = APIRouter(prefix=wire.PREFIX, tags=["sentences"], responses=USUAL)

_MOST_EVENTS = 500
"""Events of one sentence that are shown."""


@router.get("/campaigns/{c}/sentences", summary="Look for sentences")
async def sentences(
    c: CampaignId,
    watcher: WatcherOf,
    services: Server,
    wanted: Annotated[wire.SentencesWanted, Query()],
) -> wire.SentencesView:
    """Return a page of sentences with their final labels.

    An expert sees those that are settled, except where they are to label one without having seen
    any answer.
    """
    is_expert = watcher.person.role != "admin"
    looked_for = SentenceFilter(
        wanted.state or "",
        wanted.by or "",
        wanted.label,
        None if wanted.worker is None else int(wanted.worker[1:]),
        wanted.text,
        wanted.doubt,
        wanted.disputed,
        "" if is_expert else wanted.audit or "",
        wanted.corrected,
        is_expert,
        tuple(wanted.number),
    )
    page, by_doubt = wanted.page, wanted.sort == "doubt"
    await in_thread(services.index.catch_up, c)
    found = await in_thread(services.index.page, c, looked_for, page, by_doubt=by_doubt)
    hits = [await _hit(services, c, each) for each in found.found]
    return wire.SentencesView(
        labels_offered=await services.desk.look(c, lambda campaign: campaign.plan.labels),
        sentences=tuple(hits),
        total=found.total,
        page=page,
        size=PAGE,
    )


@router.get("/campaigns/{c}/sentences/{number}", summary="All about a sentence")
async def sentence(
    c: CampaignId, number: RowId, watcher: WatcherOf, services: Server
) -> wire.SentenceDetail:
    """Return a sentence with its answers, votes, assignments and events."""
    is_expert = watcher.person.role != "admin"
    await in_thread(services.index.catch_up, c)
    state, events = await in_thread(services.index.sentence, c, number, _MOST_EVENTS)
    if state is None or (is_expert and not _is_shown(state)):
        raise not_found("sentence")
    names = await _names(services, c, events, watcher)
    plan, may = await services.desk.look(
        c, lambda campaign: (campaign.plan, campaign.may_correct(number))
    )
    return wire.SentenceDetail(
        hit=await _hit(services, c, state),
        answers=_answers(events, names),
        assignments=_assignments(events, names),
        events=() if is_expert else tuple(event_view(each) for each in events),
        labels_offered=plan.labels,
        kind=plan.kind,
        may_correct=may and not is_expert,
    )


@router.post("/campaigns/{c}/sentences/{number}/overrule", summary="Overrule labels")
async def overrule(
    c: CampaignId,
    number: RowId,
    body: wire.OverruleIn,
    admin: AdminOf,
    services: Server,
    request: Request,
) -> wire.Done:
    """Give a settled sentence other labels, which count as an expert's from now on.

    Scores, standings, the consensus and the certificate follow; what was paid stays.
    """
    now, who = services.now, admin.person.pseudonym
    receipt = await services.desk.do(
        c, lambda k: k.overrule(number, who, spans_in(body.spans), now, note=body.note)
    )
    spans = [[each.start, each.end, each.label] for each in body.spans]
    noted(request, after={"spans": json.dumps(spans), "again": receipt.again})
    return wire.Done()


@router.post("/campaigns/{c}/sentences/{number}/reopen", summary="Ask an expert again")
async def reopen(
    c: CampaignId,
    number: RowId,
    body: wire.ReopenIn,
    admin: AdminOf,
    services: Server,
    request: Request,
) -> wire.Done:
    """Put a settled sentence into the experts' queue; its labels stay until one answers."""
    now, who = services.now, admin.person.pseudonym
    await services.desk.do(c, lambda campaign: campaign.reopen(number, who, now, note=body.note))
    noted(request, after={"note": body.note})
    return wire.Done()


def _is_shown(state: SentenceState) -> bool:
    return state.state == "settled" and state.audit != "drawn"


async def _hit(services: Services, c: str, state: SentenceState) -> wire.SentenceHit:
    row = await services.shown.sentence(c, state.number)
    labels = tuple(
        wire.LabelView(
            start=start, end=end, label=label, confidence=sure, voters=tuple(f"w{v}" for v in who)
        )
        for start, end, label, sure, who in state.spans
    )
    return wire.SentenceHit.model_validate(
        {
            "number": state.number,
            "sentence": sentence_of(row),
            "state": state.state,
            "by": state.by,
            "labels": labels,
            "confidence": state.confidence,
            "doubt": state.doubt,
            "disputed": state.is_disputed,
            "audit": state.audit,
            "corrections": state.corrections,
            "workers": tuple(f"w{each}" for each in state.workers),
        }
    )


async def _names(
    services: Services, c: str, events: list[Recorded], watcher: Caller
) -> Mapping[int, str | None]:
    """Return the names of workers for an admin; an expert knows them by pseudonym."""
    if watcher.person.role != "admin":
        return {}
    bodies = [json.loads(each.entry.body) for each in events]
    numbers = frozenset(body["worker"] for body in bodies if "worker" in body)
    return await in_thread(services.directory.people.names, c, numbers) if numbers else {}


def _answers(
    events: list[Recorded], names: Mapping[int, str | None]
) -> tuple[wire.SentenceAnswer, ...]:
    """Return the answers as they are now, with the scores that count."""
    given: dict[int, dict[str, Any]] = {}
    rewards: dict[int, float | None] = {}
    for _, entry in events:
        body = json.loads(entry.body)
        match entry.kind:
            case "Answered":
                given[body["worker"]] = {**body, "at": entry.at}
            case "Reanswered":
                given[body["worker"]]["spans"] = body["spans"]
            case "Scored":
                rewards[body["worker"]] = body["reward"]
            case "Settled" | "Corrected":
                rewards |= {w: r for w, r in body["rewards"] if r is not None}
            case _:
                pass
    return tuple(
        wire.SentenceAnswer(
            worker=f"w{worker}",
            name=names.get(worker),
            spans=tuple(Span(*span) for span in body["spans"]),
            reward=rewards.get(worker),
            at=body["at"],
            counted=not body["surplus"],
            late=body["late"],
        )
        for worker, body in given.items()
    )


def _assignments(
    events: list[Recorded], names: Mapping[int, str | None]
) -> tuple[wire.SentenceAssignment, ...]:
    made = [(each.entry.at, json.loads(each.entry.body)) for each in events if _assigns(each)]
    return tuple(
        wire.SentenceAssignment(
            assignment=body["assignment"],
            worker=f"w{body['worker']}",
            name=names.get(body["worker"]),
            at=at,
            purpose=body["purpose"],
            reason=body["reason"],
        )
        for at, body in made
    )


def _assigns(each: Recorded) -> bool:
    return each.entry.kind == "Assigned"
