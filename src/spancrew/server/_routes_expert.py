"""Routes for experts: the queue, the next sheet, and its labels."""

from fastapi import APIRouter

from spancrew.campaign import Campaign, Doubt, ExpertSheet, Plan, Receipt, Waiting
from spancrew.server._access import ExpertOf, Server, WatcherOf
from spancrew.server._look import doubt_view, sheet_view, spans_in, waiting_view
from spancrew.server._services import Services
from spancrew.server._threads import in_thread
from spancrew.server._wire import PREFIX, USUAL, CampaignId
from spancrew.server._wire_work import (
    DoubtView,
    ExpertAnswerIn,
    ExpertAnswerView,
    ExpertReceiptView,
    ExpertWorkView,
)

router = APIRouter(prefix=PREFIX, tags=["expert"], responses=USUAL)
_MOST_SHOWN = 200


@router.get("/campaigns/{c}/expert/queue", summary="Sentences that wait for an expert")
async def queue(c: CampaignId, _watcher: WatcherOf, services: Server) -> list[DoubtView]:
    """Return the first sentences of the queue, those with the largest expected loss first."""
    found = await services.desk.look(c, lambda campaign: campaign.expert_queue()[:_MOST_SHOWN])
    return await in_thread(_queue, services, c, found)


@router.post("/campaigns/{c}/expert/next", summary="Get a sentence to decide on")
async def next_(c: CampaignId, expert: ExpertOf, services: Server) -> ExpertWorkView:
    """Return the next sheet, with all answers side by side, or say why there is none."""
    now, who = services.now, expert.person.pseudonym
    found = await services.desk.do(
        c, lambda campaign: (campaign.next_expert(who, now), campaign.plan)
    )
    return await _work_view(services, c, *found)


@router.post("/campaigns/{c}/expert/answers", summary="Decide on a sentence")
async def answer(
    c: CampaignId, body: ExpertAnswerIn, expert: ExpertOf, services: Server
) -> ExpertAnswerView:
    """Take the labels of an expert; they are safe when this returns."""
    now, who = services.now, expert.person.pseudonym

    def work(campaign: Campaign) -> tuple[Receipt, ExpertSheet | Waiting | None, Plan]:
        receipt = campaign.tell_expert(
            body.sentence, who, spans_in(body.spans), now, seconds=body.seconds, key=body.key
        )
        return receipt, campaign.next_expert(who, now) if body.next else None, campaign.plan

    receipt, found, plan = await services.desk.do(c, work)
    return ExpertAnswerView(
        receipt=ExpertReceiptView(sentence=receipt.sentence, again=receipt.again),
        next=None if found is None else await _work_view(services, c, found, plan),
    )


async def _work_view(
    services: Services, c: str, found: ExpertSheet | Waiting, plan: Plan
) -> ExpertWorkView:
    if isinstance(found, Waiting):
        return ExpertWorkView(waiting=waiting_view(found))
    row = await services.shown.sentence(c, found.sentence)
    return ExpertWorkView(sheet=sheet_view(found, row, plan))


def _queue(services: Services, c: str, found: list[Doubt]) -> list[DoubtView]:
    store = services.desk.store
    return [doubt_view(each, store.sentence(c, each.sentence).id) for each in found]
