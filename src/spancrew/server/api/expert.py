"""Routes for experts: the queue, the next sheet, and its labels."""

from collections.abc import Iterable

from fastapi import APIRouter

from spancrew.campaign import Campaign, ExpertSheet, Plan, Receipt, Waiting
from spancrew.server.api.access import ExpertOf, Server, WatcherOf
from spancrew.server.api.expert_views import Names, doubt_view, sheet_view, taught_view
from spancrew.server.api.parameters import USUAL, CampaignId
from spancrew.server.api.views import spans_in
from spancrew.server.processes import in_thread
from spancrew.server.services import Services
from spancrew.wire import (
    PREFIX,
    DoubtView,
    ExpertAnswerIn,
    ExpertAnswerView,
    ExpertNextIn,
    ExpertReceiptView,
    ExpertWorkView,
    PutBackIn,
)

router = APIRouter(prefix=PREFIX, tags=["expert"], responses=USUAL)
_MOST_SHOWN = 200


@router.get("/campaigns/{c}/expert/queue", summary="Sentences that wait for an expert")
async def queue(c: CampaignId, _watcher: WatcherOf, services: Server) -> list[DoubtView]:
    """Return the first 200 of the queue: what workers wait for, then by expected loss."""
    found = await services.desk.look(c, lambda campaign: campaign.expert_queue(_MOST_SHOWN))
    rows = [await services.shown.sentence(c, each.sentence) for each in found]
    now = services.now
    return [doubt_view(each, row, now) for each, row in zip(found, rows, strict=True)]


@router.post("/campaigns/{c}/expert/next", summary="Get a sentence to decide on")
async def next_(
    c: CampaignId, expert: ExpertOf, services: Server, body: ExpertNextIn | None = None
) -> ExpertWorkView:
    """Return the next sheet, with all answers side by side, or say why there is none.

    With ``sentence``, return that one of the queue, or refuse if another expert is at it. The one
    in hand comes again, with more time when half of it is over.
    """
    now, who = services.now, expert.person.pseudonym
    wanted = (body or ExpertNextIn()).sentence
    found, plan = await services.desk.do(
        c, lambda campaign: (campaign.next_expert(who, now, wanted), campaign.plan)
    )
    return await _work_view(services, c, found, plan)


@router.post("/campaigns/{c}/expert/put-back", summary="Leave a sentence to another expert")
async def put_back(
    c: CampaignId, body: PutBackIn, expert: ExpertOf, services: Server
) -> ExpertWorkView:
    """Put a sentence back and return another one; the same if no other is left."""
    now, who = services.now, expert.person.pseudonym

    def work(campaign: Campaign) -> tuple[ExpertSheet | Waiting, Plan]:
        campaign.put_back(body.sentence, who, now)
        return campaign.next_expert(who, now), campaign.plan

    return await _work_view(services, c, *await services.desk.do(c, work))


@router.post("/campaigns/{c}/expert/answers", summary="Decide on a sentence")
async def answer(
    c: CampaignId, body: ExpertAnswerIn, expert: ExpertOf, services: Server
) -> ExpertAnswerView:
    """Take the labels of an expert; they are safe when this returns, with what they taught."""
    now, who = services.now, expert.person.pseudonym

    def work(campaign: Campaign) -> tuple[Receipt, ExpertSheet | Waiting | None, Plan]:
        receipt = campaign.tell_expert(
            body.sentence, who, spans_in(body.spans), now, seconds=body.seconds, key=body.key
        )
        return receipt, campaign.next_expert(who, now) if body.next else None, campaign.plan

    receipt, found, plan = await services.desk.do(c, work)
    names = await _names(services, c, (each.worker for each in receipt.taught))
    return ExpertAnswerView(
        receipt=ExpertReceiptView(sentence=receipt.sentence, again=receipt.again),
        taught=taught_view(receipt.taught, names),
        next=None if found is None else await _work_view(services, c, found, plan),
    )


async def _work_view(
    services: Services, c: str, found: ExpertSheet | Waiting, plan: Plan
) -> ExpertWorkView:
    if isinstance(found, Waiting):
        return ExpertWorkView(waiting=found)
    row = await services.shown.sentence(c, found.sentence)
    names = await _names(services, c, (given.worker for given in found.answers))
    return ExpertWorkView(sheet=sheet_view(found, row, plan, names, services.now))


async def _names(services: Services, c: str, workers: Iterable[int]) -> Names:
    """Return the names of some workers, of which experts are shown the initials only."""
    numbers = frozenset(workers)
    return await in_thread(services.directory.people.names, c, numbers) if numbers else {}
