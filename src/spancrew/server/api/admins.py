"""Routes for owners: who else runs campaigns on this server, and which."""

from typing import Annotated

from fastapi import APIRouter, Path, Request

from spancrew import wire
from spancrew.server.api.access import LOOKED_AT, Owner, Server
from spancrew.server.api.invitations import invitation
from spancrew.server.api.parameters import USUAL
from spancrew.server.api.trail import noted
from spancrew.server.people.values import PersonRow
from spancrew.server.processes import in_thread
from spancrew.server.refusals import RefusedError, not_found
from spancrew.server.services import Services

router = APIRouter(prefix=f"{wire.PREFIX}/admins", tags=["admins"], responses=USUAL)

AdminName = Annotated[str, Path(pattern=r"^a[0-9]{1,18}$", description="an admin, such as a2")]
_LINK_LASTS = 7 * 86400.0


@router.post("", summary="Invite an admin", status_code=201)
async def invite_admin(
    body: wire.AdminIn, request: Request, _owner: Owner, services: Server
) -> wire.Invitation:
    """Add an admin and return their link, which works once, within a week.

    With null as ``campaigns`` they become an owner, to whom everything on the server belongs.
    """
    people = services.directory.people
    await _refuse_unknown(services, body.campaigns)
    person = await in_thread(people.add, "admin", services.now, name=body.name, email=body.email)
    await in_thread(people.set_rights, person.id, body.campaigns)
    noted(request, after={"campaigns": body.campaigns}, target=person.pseudonym)
    return await invitation(services, person, lasts=_LINK_LASTS, once=True)


@router.get("", dependencies=[LOOKED_AT], summary="List admins")
async def admins(_owner: Owner, services: Server) -> list[wire.AdminView]:
    """Return all admins with their campaigns."""
    found = await in_thread(services.directory.people.admins)
    return [await _view(services, each) for each in found]


@router.patch("/{a}", summary="Change the campaigns of an admin")
async def change_admin(
    a: AdminName, body: wire.AdminChange, request: Request, _owner: Owner, services: Server
) -> wire.AdminView:
    """Give an admin these campaigns and no others; null makes an owner of them."""
    person = await _admin(services, a)
    await _refuse_unknown(services, body.campaigns)
    if body.campaigns is not None:
        await _refuse_last_owner(services, person)
    before = await _view(services, person)
    await in_thread(services.directory.people.set_rights, person.id, body.campaigns)
    services.callers.forget(person.id)
    noted(request, {"campaigns": before.campaigns}, {"campaigns": body.campaigns})
    return await _view(services, await _admin(services, a))


@router.post("/{a}/link", summary="Make a new link for an admin")
async def renew_admin_link(a: AdminName, _owner: Owner, services: Server) -> wire.Invitation:
    """Return a new link; sessions, tokens, password and second factor of the admin end."""
    person = await _admin(services, a)
    await in_thread(services.directory.people.end_access, person.id)
    services.callers.forget(person.id)
    return await invitation(services, person, lasts=_LINK_LASTS, once=True)


@router.delete("/{a}", summary="Dismiss an admin")
async def dismiss_admin(a: AdminName, _owner: Owner, services: Server) -> wire.Done:
    """End an admin's access and forget who they are; their campaigns stay."""
    person = await _admin(services, a)
    await _refuse_last_owner(services, person)
    await in_thread(services.directory.people.erase, person.id)
    services.callers.forget(person.id)
    return wire.Done()


async def _admin(services: Services, pseudonym: str) -> PersonRow:
    find = services.directory.people.find
    person = await in_thread(find, id=int(pseudonym[1:]), role="admin", erased=False)
    if person is None:
        raise not_found("admin")
    return person


async def _refuse_unknown(services: Services, campaigns: list[str] | None) -> None:
    known = {each.id for each in await in_thread(services.directory.campaigns.all)}
    if set(campaigns or ()) - known:
        raise not_found("campaign")


async def _refuse_last_owner(services: Services, person: PersonRow) -> None:
    everyone = await in_thread(services.directory.people.admins)
    if person.is_owner and sum(each.is_owner for each in everyone) == 1:
        raise RefusedError(
            409, "last_owner", "this is the last owner of the server", "make another owner first"
        )


async def _view(services: Services, person: PersonRow) -> wire.AdminView:
    rights = await in_thread(services.directory.people.rights, person.id)
    return wire.AdminView(
        person=wire.PersonView.model_validate(person),
        email=person.email,
        campaigns=None if person.is_owner else sorted(rights),
    )
