"""The guide of a campaign: instructions, examples, and the training of workers."""

import hashlib
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from fastapi import APIRouter, Request

from spancrew import wire
from spancrew.campaign import Plan
from spancrew.campaign import Spans as DomainSpans
from spancrew.core import Sentence
from spancrew.errors import AnswerRefusedError, InvalidSentenceError
from spancrew.server.api.access import AdminOf, EntryOf, MemberOf, Server, WorkerOf
from spancrew.server.api.parameters import USUAL, CampaignId, Position
from spancrew.server.api.trail import noted
from spancrew.server.api.views import spans_in, spans_view
from spancrew.server.people.values import CampaignGuide, PersonRow, SolvedSentence
from spancrew.server.processes import in_thread
from spancrew.server.refusals import invalid, not_found
from spancrew.server.services import Services
from spancrew.stores import EventStore

router = APIRouter(prefix=wire.PREFIX, tags=["guide"], responses=USUAL)


@router.get("/campaigns/{c}/guide", summary="Read the guide")
async def guide(c: CampaignId, member: MemberOf, services: Server) -> wire.GuideView:
    """Return instructions and examples; what workers practise on with its spans to admins only."""
    await in_thread(services.directory.campaigns.one, c)
    found = await in_thread(services.directory.guides.of, c)
    return await _view(services, found, member.person)


@router.put("/campaigns/{c}/guide", summary="Write the guide")
async def write(
    c: CampaignId, body: wire.GuideIn, admin: AdminOf, request: Request, services: Server
) -> wire.GuideView:
    """Put this guide in the place of the one that is there.

    A sentence of the campaign itself is refused: its answer would be known to everybody.
    """
    await in_thread(services.directory.campaigns.one, c)
    made = await in_thread(guide_of, body, await _plan(services, c))
    known = await in_thread(services.directory.guides.of, c)
    await in_thread(refuse_leaks, services.desk.store, c, new_texts(made, known))
    await in_thread(services.directory.guides.put, c, made, services.now)
    noted(request, _size(known), _size(made))
    return await _view(services, made, admin.person)


@router.post("/campaigns/{c}/guide/sentences", summary="Cut sentences into tokens")
async def sentences(
    c: CampaignId, body: wire.TextsIn, _entry: EntryOf, services: Server
) -> list[wire.ShownSentence]:
    """Return texts as sentences for the guide, with their tokens; nothing is kept."""
    made = [cut(wire.SentenceIn(text=text), f"texts.{n}") for n, text in enumerate(body.texts)]
    texts = [(each.id, each.text) for each in made]
    await in_thread(refuse_leaks, services.desk.store, c, texts)
    return made


@router.get("/campaigns/{c}/training/{n}", summary="Get a sentence to practise on")
async def practice(
    c: CampaignId, n: Position, _worker: WorkerOf, services: Server
) -> wire.PracticeView:
    """Return a sentence of the training without its spans."""
    found = await in_thread(services.directory.guides.of, c)
    solved = _one(found, n)
    return wire.PracticeView(
        position=n,
        of=len(found.practice),
        sentence=Sentence(f"practice-{n + 1}", solved.text, solved.bounds),
    )


@router.post("/campaigns/{c}/training/{n}", summary="Practise")
async def practise(
    c: CampaignId, n: Position, body: wire.PracticeIn, worker: WorkerOf, services: Server
) -> wire.VerdictView:
    """Say what was right; that the sentence was answered is noted, the answer is not."""
    guides = services.directory.guides
    found = await in_thread(guides.of, c)
    solved = _one(found, n)
    given = checked_answer(spans_in(body.spans), solved, await _plan(services, c))
    await in_thread(guides.practise, worker.person.id, key_of(solved), services.now)
    right = set(solved.spans)
    return wire.VerdictView(
        right=spans_view(tuple(s for s in given if s in right)),
        missing=spans_view(tuple(s for s in solved.spans if s not in given)),
        extra=spans_view(tuple(s for s in given if s not in right)),
        note=solved.note,
        perfect=given == solved.spans,
        trained=is_trained(found, await in_thread(guides.practised, worker.person.id)),
    )


def _size(found: CampaignGuide) -> dict[str, int]:
    return {
        "characters": len(found.instructions),
        "examples": len(found.examples),
        "practice": len(found.practice),
    }


async def _view(services: Services, found: CampaignGuide, reader: PersonRow) -> wire.GuideView:
    trained = reader.role != "worker" or not found.practice
    if not trained:
        practised = await in_thread(services.directory.guides.practised, reader.id)
        trained = is_trained(found, practised)
    practice = solved_views(found.practice, "practice") if reader.role == "admin" else None
    return wire.GuideView(
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


_LEAK = (
    "write a sentence of your own, or create the campaign with 'practice', "
    "which takes sentences out of it"
)


def guide_of(given: wire.GuideIn, plan: Plan) -> CampaignGuide:
    """Return a guide whose sentences fit the plan; refuse others, with their place."""
    examples, practice = (
        tuple(_one_solved(each, plan, f"{name}.{n}") for n, each in enumerate(solved))
        for name, solved in (("examples", given.examples), ("practice", given.practice))
    )
    _refuse_twins(examples, practice)
    return CampaignGuide(given.instructions, examples, practice)


def cut(given: wire.SentenceIn, place: str) -> Sentence:
    """Return a sentence with its tokens; without any given, they are what suits its script."""
    try:
        if given.tokens is None:
            return Sentence.from_text(place, given.text)
        return Sentence(place, given.text, tuple(given.tokens))
    except InvalidSentenceError as error:
        # The place takes the part of an id, which these sentences do not have yet.
        raise invalid(f"{place}: {str(error).replace(repr(place), '').strip()}") from None


def refuse_leaks(store: EventStore, campaign: str, texts: Sequence[tuple[str, str]]) -> None:
    """Refuse texts, each with its place, that are sentences of the campaign.

    Whoever had read the answer in the guide could not be checked with it any more.
    """
    wanted = {bare(text): place for place, text in texts}
    for row in store.sentences(campaign) if wanted else ():
        if (place := wanted.get(bare(row.text))) is not None:
            raise invalid(
                f"{place}: this is sentence {row.id!r} of the campaign; the guide would give its "
                "answer away",
                _LEAK,
            )


def new_texts(guide: CampaignGuide, known: CampaignGuide) -> list[tuple[str, str]]:
    """Return the texts of a guide that another one has not, each with its place."""
    old = {each.text for each in (*known.examples, *known.practice)}
    return [
        (f"{name}.{n}", each.text)
        for name, solved in (("examples", guide.examples), ("practice", guide.practice))
        for n, each in enumerate(solved)
        if each.text not in old
    ]


def bare(text: str) -> str:
    """Return what two writings of the same sentence share: no spaces, no capitals.

    >>> bare("Ana left Rome .") == bare("Ana left  rome.")
    True
    """
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def key_of(solved: SolvedSentence) -> str:
    """Return by what a sentence of the training is known, wherever it stands."""
    return hashlib.sha256(solved.text.encode()).hexdigest()[:32]


def is_trained(guide: CampaignGuide, practised: Iterable[str]) -> bool:
    """Tell whether somebody who practised these sentences has been through the training."""
    return {key_of(each) for each in guide.practice} <= set(practised)


def solved_views(solved: Sequence[SolvedSentence], name: str) -> tuple[wire.SolvedView, ...]:
    """Return sentences with their spans."""
    return tuple(
        wire.SolvedView(
            sentence=Sentence(f"{name}-{n}", each.text, each.bounds),
            spans=spans_view(each.spans),
            note=each.note,
        )
        for n, each in enumerate(solved, 1)
    )


def checked_answer(spans: DomainSpans, solved: SolvedSentence, plan: Plan) -> DomainSpans:
    """Return an answer of the training in order; refuse one that does not fit."""
    if problem := _problem(spans, len(solved.bounds), plan):
        raise AnswerRefusedError(problem.text)
    return tuple(sorted(spans))


class _Problem(NamedTuple):
    """What is wrong with spans, and with which one if it is one."""

    number: int | None
    text: str


def _one_solved(given: wire.SolvedIn, plan: Plan, place: str) -> SolvedSentence:
    sentence, spans = cut(given.sentence, place), spans_in(given.spans)
    if problem := _problem(spans, len(sentence), plan):
        number = "" if problem.number is None else f".{problem.number}"
        raise invalid(f"{place}.spans{number}: {problem.text}")
    return SolvedSentence(sentence.text, sentence.bounds, tuple(sorted(spans)), given.note.strip())


def _problem(spans: DomainSpans, length: int, plan: Plan) -> _Problem | None:
    """Return the first thing that is wrong with spans, as with those of an answer."""
    for number, (start, end, label) in enumerate(spans):
        if label not in plan.labels:
            known = ", ".join(plan.labels)
            return _Problem(number, f"{label!r} is none of the labels ({known})")
        if not start < end <= length:
            text = f"{start}-{end} is empty or outside the sentence of {length} tokens"
            return _Problem(number, text)
    order = sorted(range(len(spans)), key=lambda number: spans[number])
    for left, right in pairwise(order):
        if spans[right][0] < spans[left][1]:
            borders = [f"{start}-{end}" for start, end, _ in (spans[left], spans[right])]
            return _Problem(max(left, right), f"the spans {' and '.join(borders)} overlap")
    if plan.kind == "choices":
        chosen = {start for start, end, _ in spans if end == start + 1}
        if missing := set(range(length)) - chosen:
            return _Problem(None, f"question {min(missing)} has no answer of its own")
    return None


def _refuse_twins(examples: Sequence[SolvedSentence], practice: Sequence[SolvedSentence]) -> None:
    """Refuse a sentence to practise on whose answer stands elsewhere in the guide."""
    seen = {bare(each.text): f"examples.{n}" for n, each in enumerate(examples)}
    for n, each in enumerate(practice):
        other = seen.setdefault(bare(each.text), place := f"practice.{n}")
        if other != place:
            raise invalid(f"{place}: this sentence is at {other}, too; keep one of them")
