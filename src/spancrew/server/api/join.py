"""How workers of crowd platforms join: Prolific and MTurk."""

import json
import re
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response

from spancrew import wire
from spancrew.errors import ConflictError
from spancrew.server.api.access import Server
from spancrew.server.api.parameters import refusals
from spancrew.server.people.sessions import begin_session, refuse_hurry
from spancrew.server.people.values import CampaignEntry, PersonRow
from spancrew.server.processes import in_thread
from spancrew.server.refusals import forbidden, invalid, not_found
from spancrew.server.services import Services

router = APIRouter(
    prefix=wire.PREFIX, tags=["crowd platforms"], responses=refusals(403, 404, 409, 422, 429, 503)
)

EntryKey = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,64}$", description="from the address")]


@router.get("/join/{key}", summary="Come from a crowd platform")
async def join(
    key: EntryKey, request: Request, response: Response, services: Server
) -> wire.JoinView:
    """Register a worker by the parameters that the platform adds, and begin a session.

    Prolific: PROLIFIC_PID, STUDY_ID, SESSION_ID. MTurk: workerId, assignmentId, hitId. The same
    worker comes back to the same place.
    """
    _, person = await arrived(key, request, services)
    if person is None:
        return wire.JoinView(preview=True, me=None)
    me = await begin_session(request, response, person, services.directory, services.settings)
    return wire.JoinView(preview=False, me=me)


@router.post("/join/{key}", summary="Come from a crowd platform")
async def join_by_post(
    key: EntryKey, request: Request, response: Response, services: Server
) -> wire.JoinView:
    """Do the same for platforms that send the worker by POST, with parameters in the address."""
    return await join(key, request, response, services)


_NAMES = {
    "prolific": ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"),
    "mturk": ("workerId", "assignmentId", "hitId"),
}
_PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"
_VALUE = re.compile(r"[A-Za-z0-9_.-]{1,128}")


async def arrived(
    key: str, request: Request, services: Services
) -> tuple[CampaignEntry, PersonRow | None]:
    """Return where somebody has come, and as which worker; a preview is nobody's."""
    refuse_hurry(request, services.sign_ins, services.now)
    entry = await in_thread(services.directory.campaigns.by_entry, key)
    if entry is None or entry.platform is None:
        raise not_found("campaign")
    given = _given(request, entry.platform)
    if given.get("assignmentId") == _PREVIEW:
        return entry, None
    return entry, await _person(services, entry, given)


def _given(request: Request, platform: str) -> dict[str, str]:
    names = _NAMES[platform]
    found = {name: request.query_params[name] for name in names if name in request.query_params}
    if names[0] not in found and found.get("assignmentId") != _PREVIEW:
        raise invalid(
            f"the address lacks {names[0]}, which {platform} adds",
            "open the study from the platform",
        )
    for name, value in found.items():
        if not _VALUE.fullmatch(value):
            raise invalid(f"{name}: letters, digits and _.- are expected, at most 128")
    return found


async def _person(services: Services, entry: CampaignEntry, given: dict[str, str]) -> PersonRow:
    """Return the worker of a platform, who is added if they come for the first time."""
    platform, people = entry.platform or "", services.directory.people
    who: dict[str, Any] = {"platform": platform, "platform_id": given[_NAMES[platform][0]]}
    person = await in_thread(people.find, campaign=entry.id, role="worker", **who)
    if person is None:
        person = await _registered(services, entry, who, given)
    if person.erased:
        raise forbidden("this worker has left the campaign")
    if person.number is not None:
        return person
    now = services.now
    number = await services.desk.do(entry.id, lambda campaign: campaign.join(now))
    return await in_thread(people.set_number, person.id, number)


async def _registered(
    services: Services, entry: CampaignEntry, who: dict[str, Any], given: dict[str, str]
) -> PersonRow:
    people = services.directory.people
    details = json.dumps(given)
    try:
        return await in_thread(
            people.add,
            "worker",
            services.now,
            campaign=entry.id,
            platform_details=details,
            **who,
        )
    except ConflictError:
        # Two tabs came at the same moment; the other one was quicker.
        found = await in_thread(people.find, campaign=entry.id, role="worker", **who)
        if found is None:
            raise
        return found
