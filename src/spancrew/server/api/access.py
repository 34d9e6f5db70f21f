"""Who may do what: dependencies that let a call through or refuse it."""

import hmac
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Request
from fastapi.security import APIKeyCookie, HTTPBearer

from spancrew.server.api.parameters import CampaignId
from spancrew.server.api.trail import SAFE, begin_look, begin_trail
from spancrew.server.people.sessions import COOKIE, Caller
from spancrew.server.people.values import CampaignEntry, Role
from spancrew.server.processes import in_thread
from spancrew.server.refusals import forbidden, not_found, not_signed_in, too_many
from spancrew.server.services import Services, services_of

CSRF_HEADER = "X-CSRF-Token"

# All dependencies here are coroutines: FastAPI would call plain functions in threads.
# These two only describe themselves in the OpenAPI document; Callers does the work.
_COOKIE = APIKeyCookie(name=COOKIE, auto_error=False, scheme_name="session")
_BEARER = HTTPBearer(auto_error=False, scheme_name="token")

Server = Annotated[Services, Depends(services_of)]


async def caller(
    request: Request,
    services: Server,
    _cookie: Annotated[object, Depends(_COOKIE)],
    _bearer: Annotated[object, Depends(_BEARER)],
) -> Caller:
    """Return who is calling; refuse strangers, forgeries and those who call too often."""
    found = await services.callers.of(request)
    if found is None:
        raise not_signed_in()
    request.state.caller = found
    if wait := services.calls.take(found.secret, services.settings.clock()):
        raise too_many(wait)
    if request.method not in SAFE:
        _refuse_reader(found)
        if found.csrf is not None:
            refuse_foreign_origin(request, services)
            _check_csrf(request, found.csrf)
    await begin_trail(request, services, found)
    return found


Known = Annotated[Caller, Depends(caller)]


async def _looked(request: Request, found: Known, services: Server) -> None:
    await begin_look(request, services, found, is_export=False)


async def _exported(request: Request, found: Known, services: Server) -> None:
    await begin_look(request, services, found, is_export=True)


LOOKED_AT = Depends(_looked)
"""For routes that show personal data: who looks is noted in the audit log, now and then."""
EXPORTED = Depends(_exported)
"""For routes that hand personal data out: every call is noted."""


async def admin(found: Known) -> Caller:
    """Let admins through."""
    if found.person.role != "admin":
        raise forbidden("only an admin may do this")
    return found


async def owner(found: Known) -> Caller:
    """Let owners through: admins to whom everything on the server belongs."""
    if not found.is_owner:
        raise forbidden("only an owner of the server may do this, by a secret for all campaigns")
    return found


async def in_browser(found: Known) -> Caller:
    """Let through who has signed in; a token that leaks must not become another secret."""
    if found.is_token:
        raise forbidden("a token cannot make or change credentials", remedy="sign in to do this")
    return found


async def admin_of(c: CampaignId, found: Known) -> Caller:
    """Let admins through to a campaign; to others, foreign campaigns do not exist."""
    return _of(c, found, "admin")


async def expert_of(c: CampaignId, found: Known, services: Server) -> Caller:
    """Let the experts of a campaign through, and note that they are there."""
    expert = _of(c, found, "expert")
    services.presence.mark(expert.person, services.settings.clock())
    return expert


async def watcher_of(c: CampaignId, found: Known) -> Caller:
    """Let admins and the experts of a campaign through."""
    return _of(c, found, "admin" if found.person.role == "admin" else "expert")


async def member_of(c: CampaignId, found: Known) -> Caller:
    """Let admins through, and everybody who belongs to a campaign."""
    return _of(c, found, found.person.role)


async def worker_of(c: CampaignId, found: Known, services: Server) -> Caller:
    """Let the workers of a campaign through, and note that they are there."""
    worker = _of(c, found, "worker")
    services.presence.mark(worker.person, services.settings.clock())
    return worker


async def admin_in_browser(found: Annotated[Caller, Depends(in_browser)]) -> Caller:
    """Let admins through who have signed in."""
    return await admin(found)


Admin = Annotated[Caller, Depends(admin)]
Owner = Annotated[Caller, Depends(owner)]
InBrowser = Annotated[Caller, Depends(in_browser)]
AdminInBrowser = Annotated[Caller, Depends(admin_in_browser)]
AdminOf = Annotated[Caller, Depends(admin_of)]


async def entry_of(c: CampaignId, _admin: AdminOf, services: Server) -> CampaignEntry:
    """Return a campaign of the list to an admin; refuse one that is not there."""
    return await in_thread(services.directory.campaigns.one, c)


EntryOf = Annotated[CampaignEntry, Depends(entry_of)]
ExpertOf = Annotated[Caller, Depends(expert_of)]
MemberOf = Annotated[Caller, Depends(member_of)]
WatcherOf = Annotated[Caller, Depends(watcher_of)]
WorkerOf = Annotated[Caller, Depends(worker_of)]


def refuse_foreign_origin(request: Request, services: Services) -> None:
    """Refuse a browser that sends what another site has made it send."""
    origin = request.headers.get("origin")
    if origin is None:
        return
    ours = services.settings.origin
    host = request.headers.get("host", "").lower()
    same = origin.lower() == ours if ours else urlsplit(origin).netloc.lower() == host
    if not same:
        raise forbidden("this request comes from another site", "foreign_origin")


def _of(campaign: str, found: Caller, role: Role) -> Caller:
    person = found.person
    if not found.reaches(campaign):
        raise not_found("campaign")
    if person.role != role:
        raise forbidden(f"this is for the role {role}; yours is {person.role}")
    return found


def _refuse_reader(found: Caller) -> None:
    if found.credential.scope == "read":
        raise forbidden("this token may only read", remedy="make one with another scope")


def _check_csrf(request: Request, expected: str) -> None:
    given = request.headers.get(CSRF_HEADER, "")
    if not hmac.compare_digest(given.encode("utf-8", "replace"), expected.encode()):
        raise forbidden(
            "the CSRF token is missing or wrong",
            "csrf",
            f"send the value 'csrf' of GET /api/v1/me in the header {CSRF_HEADER}",
        )
