"""Routes for the guide of a campaign: instructions, examples, and the training of workers."""

from fastapi import APIRouter

from spancrew.campaign import Plan
from spancrew.core import Sentence
from spancrew.server.api.access import AdminOf, MemberOf, Server, WorkerOf
from spancrew.server.api.guide_checks import (
    checked_answer,
    cut,
    guide_of,
    is_trained,
    key_of,
    new_texts,
    refuse_leaks,
    solved_views,
)
from spancrew.server.api.parameters import USUAL, CampaignId, Position
from spancrew.server.api.views import spans_in, spans_view
from spancrew.server.people.values import CampaignGuide, PersonRow, SolvedSentence
from spancrew.server.processes import in_thread
from spancrew.server.refusals import not_found
from spancrew.server.services import Services
from spancrew.wire import (
    PREFIX,
    GuideIn,
    GuideView,
    PracticeIn,
    PracticeView,
    SentenceIn,
    ShownSentence,
    TextsIn,
    VerdictView,
)

router = APIRouter(prefix=PREFIX, tags=["guide"], responses=USUAL)


@router.get("/campaigns/{c}/guide", summary="Read the guide")
async def guide(c: CampaignId, member: MemberOf, services: Server) -> GuideView:
    """Return instructions and examples; what workers practise on with its spans to admins only."""
    await in_thread(services.directory.campaigns.one, c)
    found = await in_thread(services.directory.guides.of, c)
    return await _view(services, found, member.person)


@router.put("/campaigns/{c}/guide", summary="Write the guide")
async def write(c: CampaignId, body: GuideIn, admin: AdminOf, services: Server) -> GuideView:
    """Put this guide in the place of the one that is there.

    A sentence of the campaign itself is refused: its answer would be known to everybody.
    """
    await in_thread(services.directory.campaigns.one, c)
    made = await in_thread(guide_of, body, await _plan(services, c))
    known = await in_thread(services.directory.guides.of, c)
    await in_thread(refuse_leaks, services.desk.store, c, new_texts(made, known))
    await in_thread(services.directory.guides.put, c, made, services.now)
    return await _view(services, made, admin.person)


@router.post("/campaigns/{c}/guide/sentences", summary="Cut sentences into tokens")
async def sentences(
    c: CampaignId, body: TextsIn, _admin: AdminOf, services: Server
) -> list[ShownSentence]:
    """Return texts as sentences for the guide, with their tokens; nothing is kept."""
    await in_thread(services.directory.campaigns.one, c)
    made = [cut(SentenceIn(text=text), f"texts.{n}") for n, text in enumerate(body.texts)]
    texts = [(each.id, each.text) for each in made]
    await in_thread(refuse_leaks, services.desk.store, c, texts)
    return made


@router.get("/campaigns/{c}/training/{n}", summary="Get a sentence to practise on")
async def practice(
    c: CampaignId, n: Position, _worker: WorkerOf, services: Server
) -> PracticeView:
    """Return a sentence of the training without its spans."""
    found = await in_thread(services.directory.guides.of, c)
    solved = _one(found, n)
    return PracticeView(
        position=n,
        of=len(found.practice),
        sentence=Sentence(f"practice-{n + 1}", solved.text, solved.bounds),
    )


@router.post("/campaigns/{c}/training/{n}", summary="Practise")
async def practise(
    c: CampaignId, n: Position, body: PracticeIn, worker: WorkerOf, services: Server
) -> VerdictView:
    """Say what was right; that the sentence was answered is noted, the answer is not."""
    guides = services.directory.guides
    found = await in_thread(guides.of, c)
    solved = _one(found, n)
    given = checked_answer(spans_in(body.spans), solved, await _plan(services, c))
    await in_thread(guides.practise, worker.person.id, key_of(solved), services.now)
    right = set(solved.spans)
    return VerdictView(
        right=spans_view(tuple(s for s in given if s in right)),
        missing=spans_view(tuple(s for s in solved.spans if s not in given)),
        extra=spans_view(tuple(s for s in given if s not in right)),
        note=solved.note,
        perfect=given == solved.spans,
        trained=is_trained(found, await in_thread(guides.practised, worker.person.id)),
    )


async def _view(services: Services, found: CampaignGuide, reader: PersonRow) -> GuideView:
    trained = reader.role != "worker" or not found.practice
    if not trained:
        practised = await in_thread(services.directory.guides.practised, reader.id)
        trained = is_trained(found, practised)
    practice = solved_views(found.practice, "practice") if reader.role == "admin" else None
    return GuideView(
        instructions=found.instructions,
        examples=solved_views(found.examples, "example"),
        training=len(found.practice),
        trained=trained,
        practice=practice,
    )


async def _plan(services: Services, campaign: str) -> Plan:
    return await services.desk.look(campaign, lambda found: found.plan)


def _one(found: CampaignGuide, n: int) -> SolvedSentence:
    if n >= len(found.practice):
        raise not_found("sentence to practise on")
    return found.practice[n]
