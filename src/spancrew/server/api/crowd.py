"""Routes for admins: many workers at once."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Annotated, NamedTuple, TypedDict

from fastapi import APIRouter, Query, Request
from starlette.datastructures import UploadFile

from spancrew import wire
from spancrew.campaign import Campaign, WorkerStanding
from spancrew.errors import CampaignError, UnknownWorkerError
from spancrew.server.api.access import LOOKED_AT, AdminOf, EntryOf, Server
from spancrew.server.api.links import link_url
from spancrew.server.api.parameters import USUAL, CampaignId
from spancrew.server.api.people import change_in
from spancrew.server.api.ranked import lately_view, ranked
from spancrew.server.api.roll import read_roll
from spancrew.server.api.trail import noted
from spancrew.server.live.attention import WatchedWorker, concerns_of
from spancrew.server.live.picture import PictureFold
from spancrew.server.people.inviting import invite_workers, invited_names
from spancrew.server.people.presence import WRITTEN_EVERY
from spancrew.server.people.values import PersonRow
from spancrew.server.processes import in_thread
from spancrew.server.refusals import invalid

router = APIRouter(prefix=wire.PREFIX, tags=["people"], responses=USUAL)

_FILE = {"type": "string", "format": "binary", "description": "CSV: name, price, cap"}
_FORM = {"type": "object", "properties": {"file": _FILE}, "required": ["file"]}
_BODY = {"required": True, "content": {"multipart/form-data": {"schema": _FORM}}}


@router.post(
    "/campaigns/{c}/invitations",
    summary="Invite many workers",
    status_code=201,
    openapi_extra={"requestBody": _BODY},
)
async def invite_workers_by_file(
    c: CampaignId, request: Request, _entry: EntryOf, services: Server
) -> list[wire.Invitation]:
    """Add the workers of a CSV, all or none, and return their links, which are shown only now.

    Its first line names the columns: ``name``, and ``price`` and ``cap`` where they differ from
    the plan's. A cell may be empty. Who is in the campaign by that name already is not invited
    again: such a file is refused.
    """
    invited = await in_thread(invited_names, services.directory.engine, c)
    roll = await in_thread(read_roll, await _sent(request), invited)
    now = services.now

    def join(campaign: Campaign) -> list[int]:
        return [campaign.join(now, price=each.price, cap=each.cap) for each in roll]

    # The journal comes first: a number that belongs to nobody does no harm.
    numbers = await services.desk.do(c, join)
    names = {number: each.name for number, each in zip(numbers, roll, strict=True)}
    made = await in_thread(invite_workers, services.directory.engine, c, names, now)
    noted(request, after={"invited": len(made)}, target=ranges(numbers))
    url = services.settings.public_url
    return [
        wire.Invitation(
            person=wire.PersonView.model_validate(person), token=secret, url=link_url(url, secret)
        )
        for person, secret in made
    ]


@router.get("/campaigns/{c}/workers/page", dependencies=[LOOKED_AT], summary="Look for workers")
async def find_workers(
    c: CampaignId,
    _admin: AdminOf,
    services: Server,
    wanted: Annotated[wire.WorkersWanted, Query()],
) -> wire.WorkersView:
    """Return a page of workers with what is known of them, the first to come first.

    ``by`` is a column to order them by, from its lowest value or with ``down`` from its highest.
    """
    await services.presence.write()
    people = await in_thread(services.directory.people.of_campaign, c, "worker")
    now = services.now
    known, crew = await services.desk.look(c, lambda found: _crew_of(found, people, now))
    if wanted.by is None:
        return await in_thread(_page, people, known, wanted, crew)
    at = now if crew.is_running else None
    return await services.pictures.look(
        c, lambda fold: _page(people, known, wanted, crew, _Picture(fold, people, known, at))
    )


class _Crew(NamedTuple):
    """How many people the crew has, None where its size follows attendance, and who waits."""

    is_running: bool
    size: int | None
    left_out: int


def _crew_of(
    campaign: Campaign, people: Iterable[PersonRow], now: float
) -> tuple[dict[int, WorkerStanding], _Crew]:
    """Return the standings by number, and how the crew is."""
    known = dict(enumerate(campaign.standings()))
    plan = campaign.plan
    window = max(plan.presence, WRITTEN_EVERY)
    present = {
        each.number
        for each in people
        if each.number in known and each.seen_at and abs(now - each.seen_at) <= window
    }
    size = plan.crew_size if isinstance(plan.crew_size, int) else None
    out = campaign.left_out({number for number in present if number is not None})
    return known, _Crew(campaign.phase == "running", size, out)


@router.patch("/campaigns/{c}/workers", summary="Pause, ban, readmit or cap many workers")
async def change_workers(
    c: CampaignId, body: wire.WorkersChange, _admin: AdminOf, request: Request, services: Server
) -> wire.WorkersChanged:
    """Change the state or the cap of workers, all or none; open work of the halted goes to others.

    To readmit somebody who is banned is refused, and then nobody is.
    """
    numbers = sorted({int(each[1:]) for each in body.workers})
    now = services.now

    def work(campaign: Campaign) -> list[tuple[WorkerStanding, WorkerStanding]]:
        standings = campaign.standings()
        _refuse_some(numbers, standings, body)
        for number in numbers:
            change_in(campaign, number, body, now)
        after = campaign.standings()
        return [(standings[number], after[number]) for number in numbers]

    done = await services.desk.do(c, work)
    changed = sum(_told(before) != _told(after) for before, after in done)
    after: dict[str, object] = {"workers": ranges(numbers), "reason": body.reason}
    given = body.model_dump(include={"state", "cap"} & body.model_fields_set)
    noted(request, _before([each for each, _ in done]), given | after)
    return wire.WorkersChanged(changed=changed, same=len(done) - changed)


async def _sent(request: Request) -> bytes:
    """Return the file of a form; it is read here, so that strangers cannot upload."""
    async with request.form(max_files=1, max_fields=1) as form:
        file = form.get("file")
        if not isinstance(file, UploadFile):
            raise invalid("file: a CSV is expected")
        return await file.read()


class _Picture:
    """How workers have been doing lately, and who needs a look; ``now`` is None without work."""

    def __init__(
        self,
        fold: PictureFold,
        people: Iterable[PersonRow],
        standings: Mapping[int, WorkerStanding],
        now: float | None,
    ) -> None:
        self.fold = fold
        self.twins = fold.mistakes.twins()
        seen = {each.number: each.seen_at or each.created_at for each in people}
        watched = (
            WatchedWorker(each, fold.workers[each.worker], seen[each.worker])
            for each in standings.values()
            if each.worker in seen and each.worker < fold.joined
        )
        self.concerns: dict[int, tuple[wire.Concern, ...]] = concerns_of(
            watched, self.twins, now or 0.0, is_running=now is not None
        )


class _Looked(TypedDict):
    person: PersonRow
    standing: WorkerStanding | None
    state: wire.PersonState


def _page(
    people: Iterable[PersonRow],
    standings: Mapping[int, WorkerStanding],
    wanted: wire.WorkersWanted,
    crew: _Crew,
    picture: _Picture | None = None,
) -> wire.WorkersView:
    everybody = [_looked(each, standings) for each in people]
    text = wanted.text.strip().casefold()
    found = [
        each
        for each in everybody
        if wanted.state in {None, each["state"]} and text in _words(each["person"])
    ]
    if picture is not None:
        found = _in_order(found, wanted, picture)
    first = wanted.page * wanted.size
    return wire.WorkersView(
        workers=tuple(_found(each, picture) for each in found[first : first + wanted.size]),
        found=tuple(each["person"].pseudonym for each in found if _is_there(each)),
        total=len(found),
        everybody=len(everybody),
        page=wanted.page,
        size=wanted.size,
        names={} if picture is None else _names(people),
        attention=0 if picture is None else len(picture.concerns),
        left_out=crew.left_out,
        crew=crew.size,
    )


def _in_order(
    found: list[_Looked], wanted: wire.WorkersWanted, picture: _Picture
) -> list[_Looked]:
    by_number = {each["standing"].worker: each for each in found if each["standing"] is not None}
    standings = [each["standing"] for each in by_number.values() if each["standing"] is not None]
    by, why = wanted.by or "worker", picture.concerns
    order = ranked(standings, picture.fold, by, down=wanted.down, concerns=why)
    return [by_number[number] for number in order]


def _found(each: _Looked, picture: _Picture | None) -> wire.FoundWorker:
    standing = each["standing"]
    if picture is None or standing is None:
        return wire.FoundWorker.model_validate(each)
    number = standing.worker
    more = {
        "lately": lately_view(picture.fold, number),
        "attention": picture.concerns.get(number, ()),
        "twin": f"w{picture.twins[number]}" if number in picture.twins else None,
    }
    return wire.FoundWorker.model_validate({**each, **more})


def _names(people: Iterable[PersonRow]) -> dict[str, str]:
    return {each.pseudonym: each.name for each in people if each.name is not None}


def _is_there(each: _Looked) -> bool:
    """Tell whether something can be done with a worker: one who never joined has no number yet."""
    return each["standing"] is not None and not each["person"].erased


def _looked(person: PersonRow, standings: Mapping[int, WorkerStanding]) -> _Looked:
    standing = None if person.number is None else standings.get(person.number)
    return {"person": person, "standing": standing, "state": state_of(person, standing)}


def state_of(person: PersonRow, standing: WorkerStanding | None) -> wire.PersonState:
    """Return the state of a worker: erased, one of the campaign, or invited until they come."""
    if person.erased:
        return "erased"
    state = standing.state if standing else "new"
    has_come = person.seen_at is not None or (standing is not None and standing.answers > 0)
    return state if has_come or state in {"paused", "banned"} else "invited"


def _words(person: PersonRow) -> str:
    known = (person.pseudonym, person.name, person.platform_id)
    return " ".join(each for each in known if each).casefold()


def _refuse_some(
    numbers: list[int], standings: list[WorkerStanding], body: wire.WorkersChange
) -> None:
    """Refuse before anything has happened, so that it is all or none."""
    if beyond := [each for each in numbers if each >= len(standings)]:
        raise UnknownWorkerError(f"{ranges(beyond)} are not in this campaign; nothing was changed")
    banned = [each for each in numbers if standings[each].state == "banned"]
    if body.state == "active" and banned:
        raise CampaignError(
            f"{ranges(banned)}: banned for good; leave them out, nobody was readmitted"
        )


def _told(standing: WorkerStanding) -> tuple[str, int | None]:
    return standing.state, standing.cap


def _before(standings: list[WorkerStanding]) -> dict[str, object]:
    """Return who was in which state and had which cap, in as few words as tell it."""
    groups: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for each in standings:
        groups["state", each.state].append(each.worker)
        groups["cap", str(each.cap)].append(each.worker)
    return {f"{name} {value}": ranges(of) for (name, value), of in groups.items()}


def ranges(numbers: Iterable[int]) -> str:
    """Return workers in a few words.

    >>> ranges([0, 1, 2, 7])
    'w0-w2 w7'
    """
    ordered = sorted(numbers)
    gaps = [k + 1 for k, (a, b) in enumerate(pairwise(ordered)) if b != a + 1]
    runs = [ordered[a:b] for a, b in pairwise([0, *gaps, len(ordered)])]
    return " ".join(f"w{run[0]}" if len(run) == 1 else f"w{run[0]}-w{run[-1]}" for run in runs)
