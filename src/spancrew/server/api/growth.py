"""Routes by which a campaign gets more sentences while it runs."""

from collections.abc import Sequence
from typing import NamedTuple

from fastapi import APIRouter, Request

from spancrew import wire
from spancrew.campaign import Added, Plan
from spancrew.core import Dataset
from spancrew.errors import ConflictError
from spancrew.server.api.access import EntryOf, Server
from spancrew.server.api.guide import bare
from spancrew.server.api.parameters import USUAL, CampaignId
from spancrew.server.api.sources import read_source
from spancrew.server.api.trail import noted
from spancrew.server.api.upload import (
    campaign_form,
    form_schema,
    prepared,
    rows_of,
    shown_repairs,
    text_field,
)
from spancrew.server.live.known import KnownSentences
from spancrew.server.pages.problems import language_of
from spancrew.server.people.values import CampaignGuide
from spancrew.server.processes import in_thread
from spancrew.server.refusals import invalid
from spancrew.server.services import Services
from spancrew.stores import SentenceRow, material_of_rows

router = APIRouter(prefix=wire.PREFIX, tags=["sentences"], responses=USUAL)

_KEY = {"type": "string", "maxLength": 200, "description": "what the caller calls this addition"}
_ATTEMPTS = 5
"""How often sentences are compared anew because others were added meanwhile."""


class _Placed(NamedTuple):
    """Sentences that a campaign does not have yet, and the places of all that were sent."""

    fresh: list[SentenceRow]
    numbers: list[int]


@router.post(
    "/campaigns/{c}/sentences",
    summary="Add sentences",
    openapi_extra=form_schema(key=_KEY, name=None, plan=None),
)
async def add(
    c: CampaignId, entry: EntryOf, request: Request, services: Server
) -> wire.SentencesAddedView:
    """Add sentences to a campaign, also while it runs; they wait behind those that are there.

    One whose id and text are there already is not added again; where only the id is, it gets
    another. With a ``key``, sending the same once more changes nothing. The budget decides how
    many are begun. A campaign that was over because all was settled goes on.
    """
    async with campaign_form(request) as form:
        key = text_field(form.fields, "key", 200)
        reading = await read_source(form.source, services.settings.upload_limit)
    plan = await services.desk.look(c, lambda found: found.plan)
    _refuse_other_kind(reading.dataset, plan)
    ready = await in_thread(prepared, reading.dataset, plan.labels, use_gold=form.use_gold)
    rows = await in_thread(lambda: list(rows_of(ready)))
    _refuse_told(rows, await in_thread(services.directory.guides.of, c))
    placed, total = await _grown(services, c, plan, rows, key)
    noted(request, {"sentences": entry.sentences}, {"sentences": total})
    await in_thread(services.directory.campaigns.resize, c, total)
    return wire.SentencesAddedView(
        added=len(placed.fresh),
        known=len(rows) - len(placed.fresh),
        numbers=tuple(placed.numbers),
        sentences=total,
        repairs=tuple(shown_repairs(reading.repairs, language_of(request))),
    )


async def _grown(
    services: Services, c: str, plan: Plan, rows: Sequence[SentenceRow], key: str | None
) -> tuple[_Placed, int]:
    """Add what is new; return where all is, and how many sentences there are."""
    for attempt in range(_ATTEMPTS):
        known = await in_thread(services.known.of, c)
        placed = placed_rows(rows, known)
        if not placed.fresh:
            return placed, known.size
        try:
            added = await _added(services, c, plan, placed.fresh, key, known.size)
        except ConflictError:
            if attempt == _ATTEMPTS - 1:
                raise
        else:
            if added.again:
                return again(rows, known, added), known.size
            return placed, known.size + added.count
    raise AssertionError  # pragma: no cover  the last attempt returns or raises


async def _added(
    services: Services,
    c: str,
    plan: Plan,
    fresh: list[SentenceRow],
    key: str | None,
    expected: int,
) -> Added:
    material = await in_thread(material_of_rows, plan.label_set, fresh)
    now = services.now
    return await services.desk.grow(
        c, lambda found: found.add(material, now, key=key, expected=expected), fresh
    )


def placed_rows(rows: Sequence[SentenceRow], known: KnownSentences) -> _Placed:
    """Return which of some sentences are new; an id that another sentence has gets a number."""
    fresh: list[SentenceRow] = []
    numbers: list[int] = []
    taken = {row.id for row in rows}
    for row in rows:
        number = known.place(row)
        if number is None:
            number, id_ = known.size + len(fresh), row.id
            while id_ in known.by_id or (id_ != row.id and id_ in taken):
                id_ = f"{id_}+{number}"
            fresh.append(row._replace(id=id_))
        numbers.append(number)
    return _Placed(fresh, numbers)


def again(rows: Sequence[SentenceRow], known: KnownSentences, added: Added) -> _Placed:
    """Return where sentences are that were added by the same key before."""
    numbers, next_ = [], added.first
    for row in rows:
        number = known.place(row)
        if number is None or number >= added.first:
            number, next_ = next_, next_ + 1
        numbers.append(number)
    return _Placed([], numbers)


def _refuse_other_kind(dataset: Dataset, plan: Plan) -> None:
    if dataset.kind != plan.kind:
        raise invalid(f"the campaign is on {plan.kind}, these data are {dataset.kind}")


def _refuse_told(rows: Sequence[SentenceRow], guide: CampaignGuide) -> None:
    """Refuse sentences whose labels the guide gives away."""
    told = {bare(each.text) for each in (*guide.examples, *guide.practice)}
    for row in rows if told else ():
        if bare(row.text) in told:
            raise invalid(f"sentence {row.id!r} is in the guide, which gives its labels away")
