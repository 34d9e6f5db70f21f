"""The way in for the workers of crowd platforms: Prolific and MTurk."""

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from spancrew.server.api.access import Server
from spancrew.server.api.joining import arrived
from spancrew.server.api.parameters import refusals
from spancrew.server.people.sessions import begin_session
from spancrew.wire import PREFIX, JoinView

router = APIRouter(
    prefix=PREFIX, tags=["crowd platforms"], responses=refusals(403, 404, 409, 422, 429, 503)
)

EntryKey = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,64}$", description="from the address")]


@router.get("/join/{key}", summary="Come from a crowd platform")
async def join(key: EntryKey, request: Request, response: Response, services: Server) -> JoinView:
    """Register a worker by the parameters that the platform adds, and begin a session.

    Prolific: PROLIFIC_PID, STUDY_ID, SESSION_ID. MTurk: workerId, assignmentId, hitId. The same
    worker comes back to the same place.
    """
    _, person = await arrived(key, request, services)
    if person is None:
        return JoinView(preview=True, me=None)
    me = await begin_session(request, response, person, services.directory, services.settings)
    return JoinView(preview=False, me=me)


@router.post("/join/{key}", summary="Come from a crowd platform")
async def join_by_post(
    key: EntryKey, request: Request, response: Response, services: Server
) -> JoinView:
    """Do the same for platforms that send the worker by POST, with parameters in the address."""
    return await join(key, request, response, services)
