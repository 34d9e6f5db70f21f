"""Sessions: how they begin and end."""

from fastapi import Request, Response

from spancrew.server.limits import Buckets
from spancrew.server.people.callers import COOKIE, csrf_of
from spancrew.server.people.values import Person
from spancrew.server.refusals import too_many
from spancrew.server.services import Services
from spancrew.server.threads import in_thread
from spancrew.wire import Me

_DAY = 86400.0


def refuse_hurry(request: Request, buckets: Buckets, now: float) -> None:
    """Refuse an address that tries to come in too often."""
    address = request.client.host if request.client else ""
    if wait := buckets.take(address, now):
        raise too_many(wait)


async def begin_session(
    request: Request, response: Response, services: Services, person: Person
) -> Me:
    """Begin a session: its secret goes into a cookie that scripts cannot read."""
    lasts = services.settings.session_days * _DAY
    issue = services.directory.secrets.issue
    _, secret = await in_thread(issue, "session", person.id, services.now, lasts=lasts)
    response.set_cookie(
        COOKIE,
        secret,
        max_age=int(lasts),
        path="/",
        secure=services.settings.is_secure(request.url.scheme),
        httponly=True,
        samesite="lax",
    )
    return me_of(person, csrf_of(secret))


def end_cookie(request: Request, response: Response, services: Services) -> None:
    """Tell the browser to forget the session."""
    response.delete_cookie(
        COOKIE,
        path="/",
        secure=services.settings.is_secure(request.url.scheme),
        httponly=True,
        samesite="lax",
    )


def me_of(person: Person, csrf: str | None) -> Me:
    """Return what people are told about themselves."""
    return Me(
        role=person.role,
        pseudonym=person.pseudonym,
        name=person.name,
        campaign=person.campaign,
        csrf=csrf,
    )
