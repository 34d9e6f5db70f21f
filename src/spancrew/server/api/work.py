"""Routes for workers: get a sentence, answer, skip, say that one is still there."""

from dataclasses import replace

from fastapi import APIRouter

from spancrew import wire
from spancrew.campaign import Assignment, Campaign, Receipt, Submission, Waiting
from spancrew.server.api.access import Server, WorkerOf
from spancrew.server.api.parameters import USUAL, CampaignId
from spancrew.server.api.quick import WorkerRoute
from spancrew.server.api.turning import is_turned, turned_row, turned_sentence, turned_spans
from spancrew.server.api.views import (
    legend_view,
    remark_in,
    sentence_of,
    spans_in,
    spans_view,
)
from spancrew.server.people.sessions import Caller
from spancrew.server.processes import in_thread
from spancrew.server.services import Services

router = APIRouter(prefix=wire.PREFIX, tags=["work"], responses=USUAL, route_class=WorkerRoute)


@router.post("/campaigns/{c}/next", summary="Get a sentence to label")
async def next_(
    c: CampaignId, worker: WorkerOf, services: Server, body: wire.NextIn | None = None
) -> wire.WorkView:
    """Return the open assignment or a new one, or say why there is none.

    With ``ahead``, return the one so many after the open one, to be shown without waiting: people
    have as many as the plan says, a model may have more.
    """
    if not await services.is_warm(c):
        return wire.WorkView(waiting=_plain(Waiting("the server is getting ready", 2.0)))
    ahead = (body or wire.NextIn()).ahead
    now = services.now
    there = await services.available(c, worker.number)

    def work(campaign: Campaign) -> Assignment | Waiting:
        is_person = campaign.state.workers[worker.number].model is None
        most = min(ahead, campaign.plan.ahead) if is_person else ahead
        return campaign.next(worker.number, there, now, ahead=most)

    found = await services.desk.do(c, work)
    return await _work_view(services, c, found)


@router.post("/campaigns/{c}/answers", summary="Hand in an answer")
async def answer(
    c: CampaignId, body: wire.AnswerIn, worker: WorkerOf, services: Server
) -> wire.AnswerView:
    """Take an answer; it is safe when this returns. The same again is taken once."""
    now = services.now
    there = await services.available(c, worker.number)
    labels = await turned_sentence(services, c, body.assignment, worker.number)
    said = turned_spans(spans_in(body.spans), labels)
    given = Submission(
        body.assignment,
        worker.number,
        said,
        body.seconds,
        body.key,
        bool(labels),
        remark_in(body),
    )

    def work(campaign: Campaign) -> tuple[Receipt, Assignment | Waiting | None]:
        receipt = campaign.tell(given, now)
        return receipt, campaign.next(worker.number, there, now) if body.next else None

    receipt, found = await services.desk.do(c, work)
    return wire.AnswerView(
        receipt=wire.ReceiptView(
            assignment=body.assignment, paid=receipt.paid, late=receipt.late, again=receipt.again
        ),
        next=None if found is None else await _work_view(services, c, found),
    )


@router.get("/campaigns/{c}/last-answer", summary="My last answer")
async def last_answer(c: CampaignId, worker: WorkerOf, services: Server) -> wire.LastAnswerView:
    """Return the worker's last answer while it can be changed: until its sentence is judged."""
    found, sentence = await services.desk.look(
        c, lambda campaign: _last_answer(campaign, worker.number)
    )
    if found is None:
        return wire.LastAnswerView()
    row = await services.shown.sentence(c, sentence)
    labels = await turned_sentence(services, c, found.assignment, worker.number)
    return wire.LastAnswerView(
        assignment=found.assignment,
        sentence=sentence_of((turned_row(row) if labels else None) or row),
        spans=spans_view(turned_spans(found.spans, labels)),
        **found.remark._asdict(),
    )


def _last_answer(campaign: Campaign, worker: int) -> tuple[Submission | None, int]:
    found = campaign.last_answer(worker)
    if found is None:
        return None, 0
    return found, campaign.state.workers[worker].recent[found.assignment].sentence


@router.post("/campaigns/{c}/last-answer", summary="Change my last answer")
async def change_answer(
    c: CampaignId, body: wire.ChangeIn, worker: WorkerOf, services: Server
) -> wire.ReceiptView:
    """Put an answer in the place of one that nobody has judged; it is paid once."""
    now = services.now
    labels = await turned_sentence(services, c, body.assignment, worker.number)
    said = turned_spans(spans_in(body.spans), labels)
    given = Submission(body.assignment, worker.number, said, key=body.key, remark=remark_in(body))
    receipt = await services.desk.do(c, lambda campaign: campaign.change(given, now))
    return wire.ReceiptView(
        assignment=body.assignment, paid=0.0, late=receipt.late, again=receipt.again
    )


@router.post("/campaigns/{c}/skip", summary="Give a sentence back")
async def skip(c: CampaignId, body: wire.SkipIn, worker: WorkerOf, services: Server) -> wire.Done:
    """Give an assignment back, with a reason."""
    now = services.now
    await services.desk.do(
        c, lambda campaign: campaign.skip(body.assignment, worker.number, body.reason, now)
    )
    return wire.Done()


@router.post("/campaigns/{c}/heartbeat", summary="Still at it")
async def heartbeat(
    c: CampaignId, body: wire.HeartbeatIn, worker: WorkerOf, services: Server
) -> wire.HeartbeatView:
    """Keep an assignment for longer."""
    now = services.now
    until = await services.desk.do(
        c, lambda campaign: campaign.heartbeat(body.assignment, worker.number, now)
    )
    return wire.HeartbeatView(until=until, left=max(0.0, until - now))


@router.get("/campaigns/{c}/progress", summary="How far I am")
async def progress(c: CampaignId, worker: WorkerOf, services: Server) -> wire.ProgressView:
    """Return the worker's own answers and earnings, and the completion code when they are done."""
    found = await services.desk.look(c, lambda campaign: _progress(campaign, worker))
    if not found.over:
        return found
    entry = await in_thread(services.directory.campaigns.one, c)
    if entry.platform is None or worker.person.platform is None:
        return found
    done = wire.Completion(code=entry.completion_code, url=entry.completion_url)
    return found.model_copy(update={"completion": done})


def _progress(campaign: Campaign, worker: Caller) -> wire.ProgressView:
    own = campaign.state.workers[worker.number]
    return wire.ProgressView(
        worker=worker.person.pseudonym,
        answers=own.answered,
        earned=own.earned,
        cap=campaign.plan.cap if own.cap is None else own.cap,
        over=campaign.is_done(worker.number),
        labels=campaign.plan.labels,
        kind=campaign.plan.kind,
        completion=None,
        instruction=campaign.plan.instruction,
        legend=legend_view(campaign.plan),
        ahead=campaign.plan.ahead,
    )


def _plain(found: Waiting) -> Waiting:
    """Return why a worker waits; nothing about others, money or how work is checked."""
    if found.code != "none":
        return found
    return replace(found, reason="there is no sentence for you right now")


async def _work_view(services: Services, c: str, found: Assignment | Waiting) -> wire.WorkView:
    if isinstance(found, Waiting):
        return wire.WorkView(waiting=_plain(found))
    row = await services.shown.sentence(c, found.sentence)
    labels = await services.turning(c)
    turned = bool(labels) and is_turned(c, found.number, row, labels)
    shown = wire.WorkerAssignment(
        assignment=found.number,
        until=found.until,
        left=max(0.0, found.until - services.now),
        sentence=sentence_of((turned_row(row) if turned else None) or row),
        turned=turned,
        suggested=None if found.suggested is None else spans_view(found.suggested),
    )
    return wire.WorkView(assignment=shown)
