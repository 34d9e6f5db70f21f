"""Routes for API tokens: one's own, and those of others for admins."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from spancrew import wire
from spancrew.server.api.access import InBrowser, Known, Server
from spancrew.server.api.parameters import USUAL, RowId
from spancrew.server.api.trail import noted
from spancrew.server.people.sessions import Caller
from spancrew.server.people.values import Credential
from spancrew.server.processes import in_thread
from spancrew.server.refusals import RefusedError, forbidden, not_found
from spancrew.server.services import Services

router = APIRouter(prefix=f"{wire.PREFIX}/tokens", tags=["session"], responses=USUAL)
_MOST_TOKENS = 100
_DAY = 86400.0


@router.post("", summary="Make an API token", status_code=201)
async def add_token(
    body: wire.TokenIn, found: InBrowser, request: Request, services: Server
) -> wire.NewToken:
    """Return a token for a program, which is shown only now.

    It has the rights of the caller, less what its scope and its campaign leave out, and ends
    after some days.
    """
    scope = body.scope or found.person.full_scope
    if scope not in {"read", found.person.full_scope}:
        raise forbidden(f"the scope {scope} is not for the role {found.person.role}")
    if body.campaign is not None and not found.reaches(body.campaign):
        raise not_found("campaign")
    secrets, person = services.directory.secrets, found.person.id
    if len(await in_thread(secrets.all, "token", person=person)) >= _MOST_TOKENS:
        raise RefusedError(409, "too_many_tokens", f"there are {_MOST_TOKENS} tokens; delete some")
    known: dict[str, Any] = {"name": body.name, "scope": scope, "campaign": body.campaign}
    now, lasts = services.now, body.days * _DAY
    id_, token = await in_thread(secrets.issue, "token", person, now, lasts=lasts, **known)
    noted(request, after={**known, "days": body.days}, target=id_)
    made = Credential(
        id_, "token", body.name, now, now + lasts, scope, body.campaign, None, found.person
    )
    return wire.NewToken(**_view(made).model_dump(), token=token)


@router.get("", summary="List API tokens")
async def tokens(
    found: Known,
    services: Server,
    everyone: Annotated[bool, Query(description="for admins: those of all their people")] = False,
) -> list[wire.TokenView]:
    """Return the tokens of the caller, or of everybody whom an admin is responsible for."""
    return [_view(each) for each in await _visible(found, services, everyone=everyone)]


@router.delete("/{id}", summary="Revoke an API token")
async def remove_token(
    id: RowId,  # noqa: A002
    found: Known,
    request: Request,
    services: Server,
) -> wire.Done:
    """Make a token worthless: one of the caller, or for admins one of their people."""
    visible = await _visible(found, services, everyone=found.person.role == "admin")
    token = next((each for each in visible if each.id == id), None)
    if token is None:
        raise not_found("token")
    noted(request, {"name": token.name, "person": token.person.pseudonym})
    await in_thread(services.directory.secrets.revoke, id, token.person.id)
    services.callers.forget(token.person.id)
    return wire.Done()


async def _visible(found: Caller, services: Services, *, everyone: bool) -> list[Credential]:
    if everyone and found.person.role != "admin":
        raise forbidden("only an admin may see the tokens of others")
    person = None if everyone else found.person.id
    every = await in_thread(services.directory.secrets.all, "token", person=person)
    return [each for each in every if _is_visible(found, each)]


def _is_visible(found: Caller, token: Credential) -> bool:
    """Tell whether a token is the caller's, or its bearer is in the caller's hands."""
    owner = token.person
    if owner.id == found.person.id or found.is_owner:
        return True
    return owner.campaign is not None and found.reaches(owner.campaign)


def _view(token: Credential) -> wire.TokenView:
    return wire.TokenView.model_validate(
        {
            **{name: getattr(token, name) for name in _SHOWN},
            "person": token.person.pseudonym,
            "role": token.person.role,
        }
    )


_SHOWN = ("id", "name", "created_at", "expires_at", "scope", "campaign", "used_at")
