"""Sign-in by the identity provider of a team: to the provider, and back."""

import re

from fastapi import APIRouter, Request, Response

from spancrew.server.api.access import Server
from spancrew.server.api.trail import begin_sign_in
from spancrew.server.pages.render import HOMES, sent_to
from spancrew.server.people.identity import IdentityError, SignInFlow
from spancrew.server.people.sessions import begin_session, refuse_hurry
from spancrew.server.people.values import PersonRow
from spancrew.server.processes import in_thread
from spancrew.server.refusals import not_found
from spancrew.server.services import TEAM_BACK, Services

router = APIRouter(include_in_schema=False)

_COOKIE, _PATH, _LASTS = "spancrew_team", "/sign-in/team", 600
_OURS = re.compile(r"/(?!/)[a-z0-9/-]*")


@router.get("/sign-in/team")
async def go(request: Request, services: Server) -> Response:
    """Send a browser to the provider, with what it needs to come back."""
    refuse_hurry(request, services.sign_ins, services.now)
    if services.identity is None:
        raise not_found("identity provider")
    wanted = request.query_params.get("next", "")
    flow = SignInFlow.begin(wanted if _OURS.fullmatch(wanted) else "")
    try:
        answer = sent_to(await services.identity.begin(flow))
    except IdentityError as error:
        return _failed(services, error)
    answer.set_cookie(
        _COOKIE,
        flow.to_cookie(),
        max_age=_LASTS,
        path=_PATH,
        secure=services.settings.is_secure(request.url.scheme),
        httponly=True,
        samesite="lax",
    )
    return answer


@router.get(TEAM_BACK, name="team_sign_in")
async def back(request: Request, services: Server, code: str = "", state: str = "") -> Response:
    """Begin the session of somebody whom the provider knows and an admin has invited."""
    refuse_hurry(request, services.sign_ins, services.now)
    if services.identity is None:
        raise not_found("identity provider")
    flow = SignInFlow.from_cookie(request.cookies.get(_COOKIE, ""))
    if flow is None or flow.state != state or not code:
        return sent_to("/sign-in?problem=team")
    try:
        found = await services.identity.end(flow, code, services.now)
    except IdentityError as error:
        return _failed(services, error)
    people = services.directory.people
    person = await in_thread(people.by_identity, found.subject, found.email)
    if person is None:
        return sent_to("/sign-in?problem=stranger")
    return await _enter(request, services, person, flow.next)


async def _enter(request: Request, services: Services, person: PersonRow, wanted: str) -> Response:
    await begin_sign_in(request, services, person, "team")
    answer = sent_to(wanted or HOMES[person.role])
    await begin_session(request, answer, person, services.directory, services.settings)
    answer.delete_cookie(_COOKIE, path=_PATH)
    return answer


def _failed(services: Services, error: IdentityError) -> Response:
    services.log.warning("sign-in by the team failed", problem=str(error))
    return sent_to("/sign-in?problem=team")
