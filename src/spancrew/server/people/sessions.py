"""Who is calling, how sessions begin and end, and who is there."""

import hashlib
import hmac
from collections import OrderedDict
from dataclasses import dataclass

from fastapi import Request, Response

from spancrew.server.people.directory import Directory
from spancrew.server.people.people import digest_of
from spancrew.server.people.values import Credential, PersonRow, SecretKind
from spancrew.server.processes import in_thread
from spancrew.server.refusals import too_many
from spancrew.server.settings import Buckets, Clock, ServerSettings
from spancrew.wire import Me

COOKIE = "spancrew_session"
_KNOWN_FOR = 15.0
"""Seconds for which a session is not looked up again; another process hears of an end so late."""
_MOST = 10_000


@dataclass(frozen=True, slots=True)
class Caller:
    """A person who calls, and by which secret; ``csrf`` is None for API tokens."""

    person: PersonRow
    secret: int
    kind: SecretKind
    csrf: str | None

    @property
    def number(self) -> int:
        """Return the number of a worker or an expert in their campaign."""
        assert self.person.number is not None  # noqa: S101  sessions begin after joining
        return self.person.number


def csrf_of(secret: str) -> str:
    """Return the CSRF token of a session, which only the owner of its secret can compute."""
    return hmac.new(secret.encode("utf-8", "surrogatepass"), b"csrf", hashlib.sha256).hexdigest()


class Callers:
    """Knows who has which secret, for some seconds without asking the directory."""

    def __init__(self, directory: Directory, clock: Clock) -> None:
        self._directory = directory
        self._clock = clock
        self._known: OrderedDict[tuple[SecretKind, str], tuple[Credential, float]] = OrderedDict()

    async def of(self, request: Request) -> Caller | None:
        """Return who sent a request; None if we do not know them."""
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and token:
            return await self._caller("token", token.strip())
        secret = request.cookies.get(COOKIE)
        return await self._caller("session", secret) if secret else None

    def forget(self, person: int) -> None:
        """Look a person's secrets up again."""
        for key in [k for k, (found, _) in self._known.items() if found.person.id == person]:
            del self._known[key]

    def forget_campaign(self, campaign: str) -> None:
        """Look the secrets of a campaign's people up again."""
        gone = [k for k, (found, _) in self._known.items() if found.person.campaign == campaign]
        for key in gone:
            del self._known[key]

    async def _caller(self, kind: SecretKind, secret: str) -> Caller | None:
        found = await self._find(kind, secret)
        if found is None or found.person.erased:
            return None
        csrf = csrf_of(secret) if kind == "session" else None
        return Caller(found.person, found.id, kind, csrf)

    async def _find(self, kind: SecretKind, secret: str) -> Credential | None:
        key = (kind, digest_of(secret))
        now = self._clock()
        known, until = self._known.get(key, (None, 0.0))
        if known is not None and now < until:
            return known
        found = await in_thread(self._directory.secrets.find, kind, secret, now)
        self._known.pop(key, None)
        if found is not None:
            self._known[key] = (found, _until(found, now))
            if len(self._known) > _MOST:
                self._known.popitem(last=False)
        return found


def _until(found: Credential, now: float) -> float:
    soon = now + _KNOWN_FOR
    return soon if found.expires_at is None else min(soon, found.expires_at)


_DAY = 86400.0


def refuse_hurry(request: Request, buckets: Buckets, now: float) -> None:
    """Refuse an address that tries to come in too often."""
    address = request.client.host if request.client else ""
    if wait := buckets.take(address, now):
        raise too_many(wait)


async def begin_session(
    request: Request,
    response: Response,
    person: PersonRow,
    directory: Directory,
    settings: ServerSettings,
) -> Me:
    """Begin a session: its secret goes into a cookie that scripts cannot read."""
    lasts = settings.session_days * _DAY
    issue = directory.secrets.issue
    _, secret = await in_thread(issue, "session", person.id, settings.clock(), lasts=lasts)
    response.set_cookie(
        COOKIE,
        secret,
        max_age=int(lasts),
        path="/",
        secure=settings.is_secure(request.url.scheme),
        httponly=True,
        samesite="lax",
    )
    return me_of(person, csrf_of(secret))


def end_cookie(request: Request, response: Response, settings: ServerSettings) -> None:
    """Tell the browser to forget the session."""
    response.delete_cookie(
        COOKIE,
        path="/",
        secure=settings.is_secure(request.url.scheme),
        httponly=True,
        samesite="lax",
    )


def me_of(person: PersonRow, csrf: str | None) -> Me:
    """Return what people are told about themselves."""
    return Me(
        role=person.role,
        pseudonym=person.pseudonym,
        name=person.name,
        campaign=person.campaign,
        csrf=csrf,
    )
