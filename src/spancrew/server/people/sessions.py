"""Who is calling, how sessions begin and end, and who is there."""

import asyncio
import hashlib
import hmac
from collections import OrderedDict, defaultdict
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


_WRITE_EVERY, _LOOK_EVERY = 15.0, 1.0
"""Seconds between two writes about a worker, and between two looks at a campaign."""


class Presence:
    """Marks workers as present and tells who is; at most one write and one look a second.

    Workers of this process are known at once, those of others after a second or so. A worker is
    written down at most every 15 seconds; marks wait until somebody looks.
    """

    def __init__(self, directory: Directory) -> None:
        self._directory = directory
        self._written: dict[int, float] = {}
        self._marks: dict[int, float] = {}
        self._heard: defaultdict[str, dict[int, float]] = defaultdict(dict)
        self._looked: dict[str, float] = {}
        self._present: dict[str, frozenset[int]] = {}
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    def mark(self, person: PersonRow, now: float) -> None:
        """Note that a worker or an expert was heard of."""
        if person.campaign is None or person.number is None:
            return
        if person.role == "worker":
            self._heard[person.campaign][person.number] = now
        if now - self._written.get(person.id, -_WRITE_EVERY) >= _WRITE_EVERY:
            self._marks[person.id] = self._written[person.id] = now

    async def write(self) -> None:
        """Write down who was last seen when, for others to read."""
        marks, self._marks = self._marks, {}
        await in_thread(self._directory.people.see, marks)

    async def available(
        self, campaign: str, worker: int, window: float, now: float
    ) -> frozenset[int]:
        """Return the workers of a campaign who are there, the one who asks among them."""
        if self._is_due(campaign, now):
            async with self._turns[campaign]:
                if self._is_due(campaign, now):
                    await self._look(campaign, window, now)
        present = self._present[campaign]
        if worker not in present:
            # A new set: others may be looking at the old one in their threads.
            present = self._present[campaign] = present | {worker}
        return present

    def forget(self, person: PersonRow) -> None:
        """Drop what is noted of a worker or an expert."""
        self._written.pop(person.id, None)
        self._marks.pop(person.id, None)
        if person.role == "worker" and person.campaign is not None and person.number is not None:
            self._heard[person.campaign].pop(person.number, None)
            self._looked.pop(person.campaign, None)

    def _is_due(self, campaign: str, now: float) -> bool:
        return now - self._looked.get(campaign, -_LOOK_EVERY) >= _LOOK_EVERY

    async def _look(self, campaign: str, window: float, now: float) -> None:
        await self.write()
        since = now - max(window, _WRITE_EVERY)
        found = await in_thread(self._directory.people.present, campaign, since)
        heard = self._heard[campaign]
        self._present[campaign] = found | {n for n, at in heard.items() if at >= now - window}
        self._looked[campaign] = now
