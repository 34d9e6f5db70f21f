"""Pilots: the first sentences of raw data, labelled by workers and by an expert.

Once a pilot is done, its campaign is data like a file: what was labelled, and what is left. A
rehearsal and a plan rest on the first, the campaign that is planned labels the second.
"""

import numpy as np
from fastapi import APIRouter, Request

from spancrew import wire
from spancrew.campaign import LEAST_PILOT, MOST_PILOT
from spancrew.core import Dataset, Sentence, parse_json, whole_data
from spancrew.formats import Reading
from spancrew.server.api.access import Admin, Server
from spancrew.server.api.export import result_of
from spancrew.server.api.parameters import USUAL
from spancrew.server.api.sources import read_source
from spancrew.server.api.trail import noted
from spancrew.server.api.upload import CampaignForm, text_field
from spancrew.server.desk.summary import LiveStatus
from spancrew.server.people.sessions import Caller
from spancrew.server.people.values import CampaignEntry
from spancrew.server.processes import in_thread
from spancrew.server.refusals import RefusedError, invalid, not_found
from spancrew.server.services import Services

router = APIRouter(prefix=wire.PREFIX, tags=["pilots"], responses=USUAL)

PILOT_FIELD = {
    "type": "string",
    "pattern": "^(2[0-9]|[3-9][0-9]|1[0-9][0-9]|200)$",
    "description": "label so many sentences first, by workers and by an expert",
}
CAMPAIGN_FIELD = {
    "type": "string",
    "maxLength": 40,
    "description": "or the id of a pilot that is done",
}


@router.get("/pilots", summary="List pilots")
async def pilots(admin: Admin, services: Server) -> list[wire.PilotView]:
    """Return the pilots of the caller, the oldest first, with how far they are."""
    waiting = await in_thread(services.directory.pilots.all)
    listed = await in_thread(services.directory.campaigns.all)
    found = [each for each in listed if each.id in waiting and admin.reaches(each.id)]
    statuses = await services.statuses([each.id for each in found])
    return [
        _view(each, statuses[each.id], waiting[each.id]) for each in found if each.id in statuses
    ]


def _view(entry: CampaignEntry, found: LiveStatus, waiting: int) -> wire.PilotView:
    status, labelled = found.status, _labelled(found)
    return wire.PilotView(
        id=entry.id,
        name=entry.name,
        phase=status.phase,
        sentences=status.sentences,
        labelled=labelled,
        missing=status.sentences - labelled,
        waiting=waiting,
        workers=status.workers,
    )


def _labelled(found: LiveStatus) -> int:
    """Return how many sentences have the labels of an expert."""
    return found.status.audited + found.status.by_expert


def pilot_size(form: CampaignForm) -> int | None:
    """Return how many sentences a form wants as a pilot; None if it wants none."""
    text = text_field(form.fields, "pilot", 20)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and LEAST_PILOT <= int(text) <= MOST_PILOT):
        raise invalid(f"pilot: a whole number from {LEAST_PILOT} to {MOST_PILOT} is expected")
    return int(text)


def pilot_parts(ready: Dataset, size: int) -> tuple[Dataset, Dataset]:
    """Return the sentences of a pilot, and those that wait for it."""
    if ready.has_gold.any():
        raise invalid(
            "pilot: some labels are known (gold), and a pilot asks for all of its own",
            "set gold to ignore to have them labelled anew",
        )
    if len(ready) <= size:
        raise invalid(
            f"pilot: there are {len(ready):,} sentences, and a pilot of {size} leaves none",
            "take a smaller pilot, or more data",
        )
    return ready.take(np.arange(size)), ready.take(np.arange(size, len(ready)))


async def read_given(
    form: CampaignForm, request: Request, admin: Caller, services: Services
) -> Reading:
    """Read the data of a form: a pilot that is done, or whatever was sent."""
    found = await pilot_given(form, request, admin, services)
    if found is None:
        return await read_source(form.source, services.settings.upload_limit)
    return Reading(found, ())


async def pilot_given(
    form: CampaignForm, request: Request, admin: Caller, services: Services
) -> Dataset | None:
    """Return the data of the pilot that a form names; None if it names none.

    The audit log has which one it was.
    """
    campaign = text_field(form.fields, "campaign", 40)
    if campaign is None:
        return None
    if any(each is not None for each in form.source[:3]):
        raise invalid("campaign: a pilot has its own data; leave out data, file and text")
    if not admin.reaches(campaign):
        raise not_found("campaign")
    await in_thread(services.directory.campaigns.one, campaign)
    noted(request, after={"pilot": campaign}, campaign=campaign)
    rest = await in_thread(services.directory.pilots.rest, campaign)
    if rest is None:
        raise invalid(
            f"campaign {campaign!r} is no pilot",
            "export it, and send the file, to plan with what it has",
        )
    _refuse_unfinished((await services.statuses([campaign]))[campaign])
    plan = await services.desk.look(campaign, lambda found: found.plan)
    done = await in_thread(result_of, services.desk.store, campaign, plan, {}, None, True)
    left = (Sentence(row.id, row.text, row.bounds, parse_json(row.meta)) for row in rest)
    return await in_thread(whole_data, done, left)


def _refuse_unfinished(found: LiveStatus) -> None:
    status, labelled = found.status, _labelled(found)
    if status.phase == "finished":
        return
    raise RefusedError(
        409,
        "not_now",
        f"the pilot is not done: {status.sentences - labelled} of its {status.sentences} "
        "sentences still need labels of workers and of an expert",
        f"wait for them, or finish the pilot to use the {labelled} that have them",
        details={"missing": status.sentences - labelled},
    )
