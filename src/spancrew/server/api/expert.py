"""Routes for experts: the queue, the next sheet, and its labels."""

import re
from collections.abc import Iterable, Mapping
from typing import Literal

from fastapi import APIRouter

from spancrew import wire
from spancrew.campaign import Campaign, Doubt, ExpertSheet, Given, Plan, Receipt, Taught, Waiting
from spancrew.feedback import feedback_name
from spancrew.server.api.access import ExpertOf, Server, WatcherOf
from spancrew.server.api.parameters import USUAL, CampaignId
from spancrew.server.api.views import legend_view, sentence_of, spans_in, spans_view
from spancrew.server.processes import in_thread
from spancrew.server.services import Services
from spancrew.stores import SentenceRow

router = APIRouter(prefix=wire.PREFIX, tags=["expert"], responses=USUAL)
_MOST_SHOWN = 200
_SHOWN: dict[str, Literal["crew", "reopened", "blind"]] = {"crew": "crew", "reopened": "reopened"}
_LAST = 20
"""Sentences that an expert is offered to correct."""

Names = Mapping[int, str | None]
"""The names of workers by their numbers; None where there is none, or it is forgotten."""


@router.get("/campaigns/{c}/expert/queue", summary="Sentences that wait for an expert")
async def queue(c: CampaignId, _watcher: WatcherOf, services: Server) -> list[wire.DoubtView]:
    """Return the first 200 of the queue: what workers wait for, then by expected loss."""
    found = await services.desk.look(c, lambda campaign: campaign.expert_queue(_MOST_SHOWN))
    rows = [await services.shown.sentence(c, each.sentence) for each in found]
    now = services.now
    return [doubt_view(each, row, now) for each, row in zip(found, rows, strict=True)]


@router.post("/campaigns/{c}/expert/next", summary="Get a sentence to decide on")
async def next_(
    c: CampaignId, expert: ExpertOf, services: Server, body: wire.ExpertNextIn | None = None
) -> wire.ExpertWorkView:
    """Return the next sheet, with all answers side by side, or say why there is none.

    With ``sentence``, return that one of the queue, or refuse if another expert is at it. The one
    in hand comes again, with more time when half of it is over.
    """
    now, who = services.now, expert.person.pseudonym
    wanted = (body or wire.ExpertNextIn()).sentence
    found, plan = await services.desk.do(
        c, lambda campaign: (campaign.next_expert(who, now, wanted), campaign.plan)
    )
    return await _work_view(services, c, found, plan)


@router.post("/campaigns/{c}/expert/put-back", summary="Leave a sentence to another expert")
async def put_back(
    c: CampaignId, body: wire.PutBackIn, expert: ExpertOf, services: Server
) -> wire.ExpertWorkView:
    """Put a sentence back and return another one; the same if no other is left."""
    now, who = services.now, expert.person.pseudonym

    def work(campaign: Campaign) -> tuple[ExpertSheet | Waiting, Plan]:
        campaign.put_back(body.sentence, who, now)
        return campaign.next_expert(who, now), campaign.plan

    return await _work_view(services, c, *await services.desk.do(c, work))


@router.post("/campaigns/{c}/expert/answers", summary="Decide on a sentence")
async def answer(
    c: CampaignId, body: wire.ExpertAnswerIn, expert: ExpertOf, services: Server
) -> wire.ExpertAnswerView:
    """Take the labels of an expert; they are safe when this returns, with what they taught."""
    now, who = services.now, expert.person.pseudonym

    def work(campaign: Campaign) -> tuple[Receipt, ExpertSheet | Waiting | None, Plan]:
        receipt = campaign.tell_expert(
            body.sentence, who, spans_in(body.spans), now, seconds=body.seconds, key=body.key
        )
        return receipt, campaign.next_expert(who, now) if body.next else None, campaign.plan

    receipt, found, plan = await services.desk.do(c, work)
    names = await _names(services, c, (each.worker for each in receipt.taught))
    return wire.ExpertAnswerView(
        receipt=wire.ExpertReceiptView(sentence=receipt.sentence, again=receipt.again),
        taught=taught_view(receipt.taught, names),
        next=None if found is None else await _work_view(services, c, found, plan),
    )


@router.get("/campaigns/{c}/expert/labels", summary="My last labels")
async def labels(c: CampaignId, expert: ExpertOf, services: Server) -> list[wire.OwnLabelsView]:
    """Return the last sentences that the expert labelled and can correct, the latest first."""
    who = expert.person.pseudonym
    found, plan = await services.desk.look(
        c, lambda campaign: (campaign.own_labels(who, _LAST), campaign.plan)
    )
    return [
        wire.OwnLabelsView(
            number=number,
            sentence=sentence_of(await services.shown.sentence(c, number)),
            spans=spans_view(spans),
            labels_offered=plan.labels,
            kind=plan.kind,
        )
        for number, spans in found
    ]


@router.post("/campaigns/{c}/expert/corrections", summary="Correct my labels")
async def correct(
    c: CampaignId, body: wire.CorrectionIn, expert: ExpertOf, services: Server
) -> wire.ExpertReceiptView:
    """Correct labels of one's own; scores, standings and the certificate follow.

    Nothing is paid for it, and what others were asked meanwhile stays.
    """
    now, who = services.now, expert.person.pseudonym
    receipt = await services.desk.do(
        c, lambda k: k.correct(body.sentence, who, spans_in(body.spans), now, key=body.key)
    )
    return wire.ExpertReceiptView(sentence=receipt.sentence, again=receipt.again)


async def _work_view(
    services: Services, c: str, found: ExpertSheet | Waiting, plan: Plan
) -> wire.ExpertWorkView:
    if isinstance(found, Waiting):
        return wire.ExpertWorkView(waiting=found)
    row = await services.shown.sentence(c, found.sentence)
    names = await _names(services, c, (given.worker for given in found.answers))
    return wire.ExpertWorkView(sheet=sheet_view(found, row, plan, names, services.now))


async def _names(services: Services, c: str, workers: Iterable[int]) -> Names:
    """Return the names of some workers, of which experts are shown the initials only."""
    numbers = frozenset(workers)
    return await in_thread(services.directory.people.names, c, numbers) if numbers else {}


_WORD = re.compile(r"[^\W\d_]+")


def initials(name: str | None, pseudonym: str) -> str:
    """Return the initials of a name, of its first and last word; without a name the pseudonym.

    >>> initials("ana maria da silva", "w3"), initials("王小明", "w4"), initials(None, "w5")
    ('AS', '王', 'w5')
    """
    words = _WORD.findall(name or "")
    ends = [words[0], words[-1]] if len(words) > 1 else words
    return "".join(word[0].upper() for word in ends) or pseudonym


def doubt_view(doubt: Doubt, row: SentenceRow, now: float) -> wire.DoubtView:
    """Return a sentence of the experts' queue; nothing tells an audit from a warm-up."""
    shown = _SHOWN.get(doubt.purpose, "blind")
    return wire.DoubtView(
        sentence=doubt.sentence,
        id=row.id,
        text=row.text[: wire.MOST_TEXT],
        loss=0.0 if shown == "blind" else doubt.loss,
        reason=doubt.reason,
        purpose=shown,
        since=doubt.since,
        claimed_by=doubt.claimed_by if doubt.until > now else None,
        agreement=doubt.agreement,
        errors=doubt.errors,
        answers=doubt.answers,
    )


def sheet_view(
    sheet: ExpertSheet, row: SentenceRow, plan: Plan, names: Names, now: float
) -> wire.SheetView:
    """Return the sheet of an expert."""
    return wire.SheetView(
        number=sheet.sentence,
        until=sheet.until,
        sentence=sentence_of(row),
        doubt=doubt_view(sheet.doubt, row, now),
        answers=tuple(_given_view(given, names) for given in sheet.answers),
        crowd=spans_view(sheet.crowd),
        labels=plan.labels,
        kind=plan.kind,
        rule=feedback_name(plan.feedback),
        decides_by=plan.feedback.decides_by,
        instruction=plan.instruction,
        legend=legend_view(plan),
    )


def _given_view(given: Given, names: Names) -> wire.GivenView:
    who = _who(given.worker, names)
    return wire.GivenView(
        worker=who["worker"],
        initials=who["initials"],
        spans=spans_view(given.spans),
        unsure=given.remark.unsure,
        note=given.remark.note,
        flag=given.remark.flag,
    )


def taught_view(taught: Iterable[Taught], names: Names) -> tuple[wire.TaughtView, ...]:
    """Return what the word of an expert taught."""
    return tuple(
        wire.TaughtView(
            **_who(each.worker, names),
            reward=each.reward,
            before=each.before,
            after=each.after,
            counted=each.counted,
        )
        for each in taught
    )


def _who(worker: int, names: Names) -> dict[str, str]:
    pseudonym = f"w{worker}"
    return {"worker": pseudonym, "initials": initials(names.get(worker), pseudonym)}
