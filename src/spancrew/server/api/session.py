"""Routes for everybody: sign in and out, who am I, password and second factor."""

from typing import Annotated

from fastapi import APIRouter, Cookie, Request, Response

from spancrew import wire
from spancrew.server.api.access import (
    AdminInBrowser,
    InBrowser,
    Known,
    Server,
    refuse_foreign_origin,
)
from spancrew.server.api.parameters import USUAL
from spancrew.server.api.trail import begin_sign_in
from spancrew.server.people.sessions import (
    COOKIE,
    Caller,
    begin_session,
    end_cookie,
    me_of,
    refuse_hurry,
)
from spancrew.server.people.totp import app_url, new_secret, step_of
from spancrew.server.people.values import PersonRow
from spancrew.server.processes import in_thread
from spancrew.server.refusals import (
    RefusedError,
    forbidden,
    invalid,
    not_found,
    not_signed_in,
    too_many,
)
from spancrew.server.services import Services

router = APIRouter(prefix=wire.PREFIX, tags=["session"], responses=USUAL)


@router.post("/session", summary="Sign in by name and password")
async def sign_in(
    body: wire.SignIn, request: Request, response: Response, services: Server
) -> wire.Me:
    """Begin a session; the answer sets its cookie.

    Who has a second factor sends its ``code``, too. After some failures, from wherever they come,
    an account has to wait, longer each time.
    """
    refuse_foreign_origin(request, services)
    refuse_hurry(request, services.password_tries, services.now)
    directory = services.directory
    if wait := await in_thread(directory.attempts.begin, body.name, services.now):
        raise too_many(wait)
    known = await in_thread(directory.people.sign_in, body.name)
    person = await in_thread(directory.people.one, known.person) if known else None
    await begin_sign_in(request, services, person, "password")
    fits = await services.passwords.fits(known and known.password, body.password)
    if not fits or known is None or person is None:
        raise RefusedError(401, "not_signed_in", "name and password do not fit together")
    if known.totp is not None:
        await _check_code(services, person.id, known.totp, body.code)
    await in_thread(directory.attempts.succeed, body.name)
    return await begin_session(request, response, person, directory, services.settings)


async def _check_code(services: Services, person: int, secret: str, code: str | None) -> None:
    """Refuse a code that is missing or wrong, or was used before."""
    if code is None:
        raise RefusedError(
            401, "second_factor", "a code is needed, too", "send the code of your app"
        )
    step = step_of(secret, code, services.now)
    if step is None or not await in_thread(services.directory.people.use_totp, person, step):
        raise RefusedError(
            401, "second_factor", "the code is wrong, or was used before", "wait for the next one"
        )


@router.post("/session/link", summary="Exchange a link for a session")
async def follow_link(
    body: wire.LinkIn, request: Request, response: Response, services: Server
) -> wire.Me:
    """Begin a session of the person whom the link was made for."""
    refuse_foreign_origin(request, services)
    refuse_hurry(request, services.sign_ins, services.now)
    found = await in_thread(services.directory.secrets.redeem, body.token, services.now)
    if found is None or found.person.erased:
        raise not_signed_in("this link is not valid, not valid any more, or was used already")
    await begin_sign_in(request, services, found.person, "link")
    return await begin_session(
        request, response, found.person, services.directory, services.settings
    )


@router.delete("/session", summary="Sign out")
async def sign_out(
    request: Request, response: Response, found: Known, services: Server
) -> wire.Done:
    """End the session by which this is called."""
    await in_thread(services.directory.secrets.revoke, found.secret, found.person.id)
    services.callers.forget(found.person.id)
    end_cookie(request, response, services.settings)
    return wire.Done()


@router.get("/me", summary="Who am I")
async def me(found: Known, _cookie: Annotated[str | None, Cookie(alias=COOKIE)] = None) -> wire.Me:
    """Return the role of the caller, and the CSRF token of the session."""
    return me_of(found.person, found.csrf)


@router.put("/me/password", summary="Set a name and a password to sign in with")
async def set_password(body: wire.PasswordIn, found: InBrowser, services: Server) -> wire.Done:
    """Set or change the password; other sessions, tokens and one-time links of the caller end."""
    person = found.person
    if person.login is not None:
        await _check_password(services, person.login, body.old)
    hashed = await services.passwords.hashed(body.password)
    await in_thread(services.directory.people.set_password, person.id, body.name, hashed)
    await in_thread(services.directory.secrets.end_derived, person.id, but=found.secret)
    services.callers.forget(person.id)
    return wire.Done()


async def _check_password(services: Services, login: str, given: str | None) -> None:
    if wait := await in_thread(services.directory.attempts.begin, login, services.now):
        raise too_many(wait)
    known = await in_thread(services.directory.people.sign_in, login)
    if not await services.passwords.fits(known and known.password, given or ""):
        raise forbidden("the password is missing or wrong", "old_password")
    await in_thread(services.directory.attempts.succeed, login)


@router.post("/me/second-factor", summary="Begin to use a second factor")
async def offer_factor(found: AdminInBrowser) -> wire.SecondFactor:
    """Return a secret for an authenticator app; it counts once a code of it was sent."""
    person = _with_password(found)
    secret = new_secret()
    return wire.SecondFactor(secret=secret, url=app_url(secret, person.login or ""))


@router.put("/me/second-factor", summary="Ask for a second factor from now on")
async def set_factor(body: wire.FactorIn, found: AdminInBrowser, services: Server) -> wire.Done:
    """Prove that the app has the secret; from now on a password alone is not enough."""
    person = _with_password(found)
    await _check_password(services, person.login or "", body.password)
    if step_of(body.secret, body.code, services.now) is None:
        raise invalid("the code is not of this secret", "is the clock of the phone right?")
    await in_thread(services.directory.people.set_totp, person.id, body.secret)
    await in_thread(services.directory.secrets.end_derived, person.id, but=found.secret)
    services.callers.forget(person.id)
    return wire.Done()


@router.delete("/me/second-factor", summary="Ask for a second factor no longer")
async def remove_factor(body: wire.CodeIn, found: AdminInBrowser, services: Server) -> wire.Done:
    """Sign in by password alone again; a last code is needed."""
    person = _with_password(found)
    known = await in_thread(services.directory.people.sign_in, person.login or "")
    if known is None or known.totp is None:
        raise not_found("second factor")
    await _check_code(services, person.id, known.totp, body.code)
    await in_thread(services.directory.people.set_totp, person.id, None)
    return wire.Done()


def _with_password(found: Caller) -> PersonRow:
    """Return who signs in by password; the second factor comes on top of it."""
    if found.person.login is None:
        raise RefusedError(409, "no_password", "there is no password yet", "set one first")
    return found.person
