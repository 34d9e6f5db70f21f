"""The trail of a request: what an admin does is noted before it is done, and with its outcome.

The dependency that says who is calling begins the trail of every call by an admin that is not a
mere look, so that no route can forget it. Routes add what they changed by :func:`noted`.
"""

import re
from dataclasses import replace
from typing import Any

from fastapi import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from spancrew.errors import StoreError
from spancrew.server.people.audit import AuditEntry, Details, Via
from spancrew.server.people.sessions import Caller
from spancrew.server.people.values import PersonRow
from spancrew.server.processes import in_thread
from spancrew.server.services import Services

SAFE = {"GET", "HEAD", "OPTIONS"}
_CAMPAIGN = re.compile(r"[a-z0-9]{1,40}")
_REFUSED = 400
"""The first status that says that nothing was done."""


class Trail:
    """What becomes an entry of the audit log when the answer goes out."""

    def __init__(self, services: Services, pending: int, entry: AuditEntry) -> None:
        self.entry = entry
        self._services = services
        self._pending = pending

    async def end(self, status: int) -> None:
        """Add the entry; if the store fails now, it is added later, without the outcome."""
        is_done = status < _REFUSED
        entry = self.entry if is_done else replace(self.entry, before=None, after=None)
        audit = self._services.directory.audit
        try:
            if entry.role == "admin":
                await in_thread(audit.end, self._pending, replace(entry, status=status))
            else:
                await in_thread(audit.drop, self._pending)
        except StoreError as error:
            self._services.log.warning("audit entry waits", problem=type(error).__name__)
        else:
            if is_done:
                self._services.looks.add(_look(entry), entry.at)


async def begin_trail(request: Request, services: Services, found: Caller) -> None:
    """Note that an admin is about to do something; what cannot be noted is refused."""
    if request.method in SAFE or found.person.role != "admin":
        return
    entry = _entry(request, services, found.person, found.credential.kind)
    await _begin(request, services, replace(entry, credential=found.secret))


async def begin_look(
    request: Request, services: Services, found: Caller, *, is_export: bool
) -> None:
    """Note that an admin looks at personal data; the same look again soon is noted only once.

    Of an export, what was asked for is noted, too.
    """
    if found.person.role != "admin":
        return
    entry = _entry(request, services, found.person, found.credential.kind)
    entry = replace(entry, credential=found.secret, after=_asked(request) if is_export else None)
    if is_export or not services.looks.has(_look(entry), services.now):
        await _begin(request, services, entry)


async def begin_sign_in(
    request: Request, services: Services, person: PersonRow | None, via: Via
) -> None:
    """Note that an admin signs in, or that somebody tries to in their name.

    Call it before the session begins; the status of the answer says how it ended. Others leave no
    entry, but with a password take as long, so that nobody can measure which names are admins'.
    """
    if via == "password" or (person is not None and person.role == "admin"):
        await _begin(request, services, _entry(request, services, person, via))


def noted(
    request: Request,
    before: Details | None = None,
    after: Details | None = None,
    *,
    campaign: str | None = None,
    target: object = None,
) -> None:
    """Say what a call by an admin changes; neither names of people nor secrets belong here."""
    trail: Trail | None = getattr(request.state, "trail", None)
    if trail is None:
        return
    known: dict[str, Any] = {"before": before, "after": after, "campaign": campaign}
    known["target"] = None if target is None else str(target)
    given = {name: value for name, value in known.items() if value is not None}
    trail.entry = replace(trail.entry, **given)


async def _begin(request: Request, services: Services, entry: AuditEntry) -> None:
    pending = await in_thread(services.directory.audit.begin, entry)
    request.state.trail = Trail(services, pending, entry)


def _entry(request: Request, services: Services, person: PersonRow | None, via: Via) -> AuditEntry:
    given = dict(request.path_params)
    campaign = str(given.pop("c", ""))
    return AuditEntry(
        services.now,
        person.id if person else None,
        person.role if person else "nobody",
        via,
        action_of(request.scope["route"]),
        campaign=campaign if _CAMPAIGN.fullmatch(campaign) else None,
        target=_plain(" ".join(map(str, given.values())), 80) or None,
        address=_plain(request.client.host if request.client else "", 80),
        agent=_plain(request.headers.get("user-agent", ""), 200),
    )


def _asked(request: Request) -> Details | None:
    given = request.query_params.items()
    return {_plain(name, 80): _plain(value, 80) for name, value in given} or None


def action_of(route: Any) -> str:
    """Return what a route is called in the audit log: its subject and its name."""
    return f"{(*route.tags, 'server')[0]}.{route.name}"


def _look(entry: AuditEntry) -> tuple[object, ...]:
    return entry.credential, entry.action, entry.campaign, entry.target


def _plain(text: str, most: int) -> str:
    """Return a text that every database can keep."""
    return "".join(each if each.isprintable() else "?" for each in text[:most])


class AuditTrail:
    """Adds the entry of a call to the audit log before its answer goes out."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and end its trail if it has one."""

        async def ended(message: Message) -> None:
            trail = scope.get("state", {}).get("trail")
            if message["type"] == "http.response.start" and trail is not None:
                await trail.end(message["status"])
            await send(message)

        await self._app(scope, receive, ended)
