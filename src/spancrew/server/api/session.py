"""Routes for everybody: sign in and out, who am I, passwords and API tokens."""

from typing import Annotated

from fastapi import APIRouter, Cookie, Request, Response

from spancrew import wire
from spancrew.server.api.access import Known, Server, refuse_foreign_origin
from spancrew.server.api.parameters import USUAL, RowId
from spancrew.server.api.trail import begin_sign_in, noted
from spancrew.server.people.sessions import (
    COOKIE,
    Caller,
    begin_session,
    end_cookie,
    me_of,
    refuse_hurry,
)
from spancrew.server.processes import in_thread
from spancrew.server.refusals import RefusedError, forbidden, not_found, not_signed_in

router = APIRouter(prefix=wire.PREFIX, tags=["session"], responses=USUAL)
_MOST_TOKENS = 100


@router.post("/session", summary="Sign in by name and password")
async def sign_in(
    body: wire.SignIn, request: Request, response: Response, services: Server
) -> wire.Me:
    """Begin a session; the answer sets its cookie."""
    refuse_foreign_origin(request, services)
    refuse_hurry(request, services.password_tries, services.now)
    found = await in_thread(services.directory.people.password, body.name)
    person = await in_thread(services.directory.people.one, found[0]) if found else None
    await begin_sign_in(request, services, person, "password")
    known = found[1] if found else None
    if not await services.passwords.fits(known, body.password) or person is None:
        raise RefusedError(401, "not_signed_in", "name and password do not fit together")
    return await begin_session(request, response, person, services.directory, services.settings)


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
async def set_password(body: wire.PasswordIn, found: Known, services: Server) -> wire.Done:
    """Set or change the password; all other sessions of the caller end."""
    person = found.person
    if person.login is not None:
        known = await in_thread(services.directory.people.password, person.login)
        if not await services.passwords.fits(known[1] if known else None, body.old or ""):
            raise forbidden("the old password is missing or wrong", "old_password")
    hashed = await services.passwords.hashed(body.password)
    await in_thread(services.directory.people.set_password, person.id, body.name, hashed)
    but = found.secret if found.kind == "session" else None
    await in_thread(services.directory.secrets.revoke_all, person.id, "session", but=but)
    services.callers.forget(person.id)
    return wire.Done()


@router.post("/tokens", summary="Make an API token", status_code=201)
async def add_token(
    body: wire.TokenIn, found: Known, request: Request, services: Server
) -> wire.NewToken:
    """Return a token with the rights of the caller; it is shown only now."""
    _refuse_tokens_by_token(found)
    secrets, now = services.directory.secrets, services.now
    if len(await in_thread(secrets.of_person, found.person.id, "token")) >= _MOST_TOKENS:
        raise RefusedError(409, "too_many_tokens", f"there are {_MOST_TOKENS} tokens; delete some")
    id_, token = await in_thread(secrets.issue, "token", found.person.id, now, name=body.name)
    noted(request, after={"name": body.name}, target=id_)
    return wire.NewToken(id=id_, name=body.name, created_at=now, token=token)


@router.get("/tokens", summary="List my API tokens")
async def tokens(found: Known, services: Server) -> list[wire.TokenView]:
    """Return the tokens of the caller, without the secrets."""
    rows = await in_thread(services.directory.secrets.of_person, found.person.id, "token")
    return [wire.TokenView(id=id_, name=name, created_at=at) for id_, name, at in rows]


@router.delete("/tokens/{id}", summary="Revoke an API token")
async def remove_token(id: RowId, found: Known, services: Server) -> wire.Done:  # noqa: A002
    """Make a token of the caller worthless."""
    rows = await in_thread(services.directory.secrets.of_person, found.person.id, "token")
    if id not in {row[0] for row in rows}:
        raise not_found("token")
    await in_thread(services.directory.secrets.revoke, id, found.person.id)
    services.callers.forget(found.person.id)
    return wire.Done()


def _refuse_tokens_by_token(found: Caller) -> None:
    """Refuse a token that would outlive the one that made it."""
    if found.kind == "token":
        raise forbidden("a token cannot make tokens", remedy="sign in to make one")
