"""Who is calling, how sessions begin and end, and who is there."""

import hashlib
import hmac
from collections import OrderedDict
from dataclasses import dataclass

from fastapi import Request, Response

from spancrew.server.people.credentials import digest_of
from spancrew.server.people.directory import Directory
from spancrew.server.people.values import Credential, PersonRow, SecretKind
from spancrew.server.processes import in_thread
from spancrew.server.refusals import too_many
from spancrew.server.settings import Buckets, Clock, ServerSettings
from spancrew.wire import Me

COOKIE = "spancrew_session"
_KNOWN_FOR = 60.0
"""Seconds for which a secret is not looked up again, unless somebody's access has ended."""
_HEAR_EVERY = 1.0
"""Seconds between two looks whether it has, in another process."""
_NOTE_EVERY = 60.0
"""Seconds between two notes that a token is in use."""
_MOST = 10_000


@dataclass(frozen=True, slots=True)
class Caller:
    """A person who calls, by which secret, and what it allows; API tokens have no ``csrf``.

    ``rights`` are the campaigns of an admin who is no owner.
    """

    credential: Credential
    csrf: str | None
    rights: frozenset[str] = frozenset()

    @property
    def person(self) -> PersonRow:
        """Return who calls."""
        return self.credential.person

    @property
    def secret(self) -> int:
        """Return the id of the secret."""
        return self.credential.id

    @property
    def is_token(self) -> bool:
        """Tell whether a program calls, by a token."""
        return self.credential.kind == "token"

    @property
    def is_owner(self) -> bool:
        """Tell whether everything on the server is theirs, as far as the secret goes."""
        return self.person.is_owner and self.credential.campaign is None

    def reaches(self, campaign: str) -> bool:
        """Tell whether a campaign is there for this caller."""
        if self.credential.campaign not in {None, campaign}:
            return False
        if self.person.role != "admin":
            return self.person.campaign == campaign
        return self.person.is_owner or campaign in self.rights

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
        self._known: OrderedDict[tuple[SecretKind, str], tuple[Caller, float]] = OrderedDict()
        self._heard_at = -_HEAR_EVERY
        self._revocations = -1

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
        key = (kind, digest_of(secret))
        now = self._clock()
        await self._hear(now)
        known, until = self._known.get(key, (None, 0.0))
        if known is not None and now < until:
            return known
        heard = self._revocations
        found = await in_thread(self._looked_up, kind, secret, now)
        # What was looked up before somebody's access ended may be theirs.
        if found is not None and heard == self._revocations:
            self._known[key] = (found, _until(found.credential, now))
            self._known.move_to_end(key)
            if len(self._known) > _MOST:
                self._known.popitem(last=False)
        return found

    def _looked_up(self, kind: SecretKind, secret: str, now: float) -> Caller | None:
        found = self._directory.secrets.find(kind, secret, now)
        if found is None or found.person.erased:
            return None
        if kind == "token" and now - (found.used_at or 0.0) >= _NOTE_EVERY:
            self._directory.secrets.note_use(found.id, now)
        person, rights = found.person, frozenset[str]()
        if person.role == "admin" and not person.is_owner:
            rights = self._directory.people.rights(person.id)
        return Caller(found, csrf_of(secret) if kind == "session" else None, rights)

    async def _hear(self, now: float) -> None:
        """Look everybody up again if an access has ended, here or in another process."""
        if 0 <= now - self._heard_at < _HEAR_EVERY:
            return
        self._heard_at = now
        count = await in_thread(self._directory.secrets.revocations)
        if count != self._revocations:
            self._revocations = count
            self._known.clear()


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
