"""Who takes part, and by which secrets they are known: only digests and hashes are kept."""

import hashlib
import secrets as random
from asyncio import Semaphore
from collections.abc import Collection, Mapping
from typing import Any

from anyio import to_thread
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import Engine, Select, delete, func, or_, select, update
from sqlalchemy.exc import IntegrityError

from spancrew.errors import ConflictError
from spancrew.server.people.schema import Statements, added, people, secrets, training
from spancrew.server.people.values import Credential, PersonRow, Role, SecretKind
from spancrew.stores import writing

_PERSON = tuple(people.c[name] for name in PersonRow.__slots__)


class People:
    """The people of all campaigns; the one table that has their names."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._tables = Statements(engine)

    def add(
        self, role: Role, now: float, *, campaign: str | None = None, **known: Any
    ) -> PersonRow:
        """Add a person; ``known`` are number, name, login, password and platform."""
        values = {"role": role, "campaign": campaign, "created_at": now, "erased": False, **known}
        try:
            with writing(self._engine) as connection:
                if role == "expert":
                    values["number"] = connection.execute(_next_expert(campaign)).scalar_one()
                id_ = added(connection, people, values)
        except IntegrityError as error:
            raise ConflictError(
                f"somebody is called {known.get('login')!r} already, or came at the same moment; "
                "choose another name, or try again"
            ) from error
        return self.one(id_)

    def one(self, id_: int) -> PersonRow:
        """Return a person who is there."""
        (row,) = self._tables.all(_select(id=id_))
        return PersonRow(*row)

    def find(self, **known: Any) -> PersonRow | None:
        """Return the first person with these values; None if there is none."""
        row = self._tables.first(_select(**known).limit(1))
        return None if row is None else PersonRow(*row)

    def of_campaign(self, campaign: str, role: Role) -> list[PersonRow]:
        """Return the people of a campaign with a role, the first to come first."""
        query = _select(campaign=campaign, role=role).order_by(people.c.number, people.c.id)
        return [PersonRow(*row) for row in self._tables.all(query)]

    def names(self, campaign: str, workers: Collection[int]) -> dict[int, str | None]:
        """Return the names of some workers by their numbers; None where one has no name."""
        query = select(people.c.number, people.c.name).where(
            *_workers_of(campaign), people.c.number.in_(workers)
        )
        return {int(number): name for number, name in self._tables.all(query)}

    def password(self, login: str) -> tuple[int, str | None] | None:
        """Return who has a login and the hash of the password; None if nobody has."""
        mine = people.c.login == login, people.c.erased.is_(False)
        row = self._tables.first(select(people.c.id, people.c.password).where(*mine))
        return None if row is None else (row[0], row[1])

    def set_password(self, person: int, login: str, password: str) -> None:
        """Let a person sign in by name and password, whose hash is given."""
        values = {"login": login, "password": password}
        try:
            self._tables.change(update(people).where(people.c.id == person).values(values))
        except IntegrityError as error:
            raise ConflictError(
                f"the name {login!r} is somebody else's; choose another"
            ) from error

    def set_number(self, person: int, number: int) -> PersonRow:
        """Give a worker who joined a campaign their number, unless they have one already."""
        lacks = people.c.id == person, people.c.number.is_(None)
        self._tables.change(update(people).where(*lacks).values(number=number))
        return self.one(person)

    def erase(self, person: int) -> None:
        """Forget who a person is, their training and all their secrets; their number stays."""
        gone = dict.fromkeys(
            ("name", "login", "password", "platform_id", "platform_details", "seen_at")
        )
        self._tables.change(
            delete(secrets).where(secrets.c.person == person),
            delete(training).where(training.c.person == person),
            update(people).where(people.c.id == person).values(**gone, erased=True),
        )

    def details(self, person: int) -> str | None:
        """Return what a crowd platform said of a person, as JSON."""
        row = self._tables.first(select(people.c.platform_details).where(people.c.id == person))
        return None if row is None else row[0]

    def see(self, seen: Mapping[int, float]) -> None:
        """Note when people were last heard of; an older time changes nothing."""
        if not seen:
            return
        # In one order, so that two processes never wait for each other.
        self._tables.change(*(_seen(person, at) for person, at in sorted(seen.items())))

    def present(self, campaign: str, since: float) -> frozenset[int]:
        """Return the numbers of the workers of a campaign who were heard of since a time."""
        query = select(people.c.number).where(
            *_workers_of(campaign), people.c.seen_at >= since, people.c.number.is_not(None)
        )
        return frozenset(row[0] for row in self._tables.all(query))


def _select(**known: Any) -> Select[Any]:
    return select(*_PERSON).where(*(people.c[name] == value for name, value in known.items()))


def _workers_of(campaign: str) -> tuple[Any, Any]:
    return people.c.campaign == campaign, people.c.role == "worker"


def _next_expert(campaign: str | None) -> Select[Any]:
    """Return the query for the number of the next expert, from 0 up."""
    theirs = people.c.campaign == campaign, people.c.role == "expert"
    return select(func.coalesce(func.max(people.c.number) + 1, 0)).where(*theirs)


def _seen(person: int, at: float) -> Any:
    is_newer = or_(people.c.seen_at.is_(None), people.c.seen_at < at)
    known = people.c.id == person, people.c.erased.is_(False)
    return update(people).where(*known, is_newer).values(seen_at=at)


def digest_of(secret: str) -> str:
    """Return what is kept of a secret; 256 random bits need no slow hash."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


class Secrets:
    """Secrets by their digest; a reader of the database cannot use them."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._tables = Statements(engine)

    def issue(
        self,
        kind: SecretKind,
        person: int,
        now: float,
        *,
        lasts: float | None = None,
        name: str | None = None,
        once: bool = False,
    ) -> tuple[int, str]:
        """Return the id of a new secret and the secret itself, which is shown only now."""
        secret = random.token_urlsafe(32)
        row = {
            "digest": digest_of(secret),
            "kind": kind,
            "person": person,
            "name": name,
            "created_at": now,
            "expires_at": None if lasts is None else now + lasts,
            "once": once,
        }
        return self._tables.add(secrets, row), secret

    def find(self, kind: SecretKind, secret: str, now: float) -> Credential | None:
        """Return whose secret this is; None if it is nobody's, or its time is over."""
        query = (
            select(secrets.c.id, secrets.c.name, secrets.c.created_at, secrets.c.expires_at)
            .add_columns(*_PERSON)
            .join(people, people.c.id == secrets.c.person)
            .where(secrets.c.digest == digest_of(secret), secrets.c.kind == kind)
        )
        row = self._tables.first(query)
        if row is None or (row[3] is not None and row[3] <= now):
            return None
        id_, name, created_at, expires_at, *person = row
        return Credential(id_, kind, PersonRow(*person), name, created_at, expires_at)

    def redeem(self, secret: str, now: float) -> Credential | None:
        """Return whose link this is, and use it up if it may be used only once."""
        found = self.find("link", secret, now)
        if found is None:
            return None
        this = secrets.c.digest == digest_of(secret)
        used = delete(secrets).where(this, secrets.c.once.is_(True))
        with writing(self._engine) as connection:
            once = connection.execute(select(secrets.c.once).where(this)).scalar()
            gone = connection.execute(used).rowcount
        # Of two who come at the same moment with the same link, the second finds it gone.
        return None if once is None or (once and gone != 1) else found

    def of_person(self, person: int, kind: SecretKind) -> list[tuple[int, str | None, float]]:
        """Return id, name and time of the secrets of a person."""
        query = (
            select(secrets.c.id, secrets.c.name, secrets.c.created_at)
            .where(secrets.c.person == person, secrets.c.kind == kind)
            .order_by(secrets.c.id)
        )
        return [(row[0], row[1], row[2]) for row in self._tables.all(query)]

    def revoke(self, id_: int, person: int) -> bool:
        """Make a secret of a person worthless; tell whether it was there."""
        gone = delete(secrets).where(secrets.c.id == id_, secrets.c.person == person)
        return self._tables.change(gone) > 0

    def revoke_all(self, person: int, kind: SecretKind, *, but: int | None = None) -> None:
        """Make all secrets of a kind of a person worthless, but one."""
        gone = delete(secrets).where(secrets.c.person == person, secrets.c.kind == kind)
        if but is not None:
            gone = gone.where(secrets.c.id != but)
        self._tables.change(gone)

    def sweep(self, now: float) -> None:
        """Forget the secrets whose time is over."""
        self._tables.change(delete(secrets).where(secrets.c.expires_at <= now))


_AT_ONCE = 2
"""Hashes that are computed at a time; each takes 64 MB, which strangers could ask for."""


class Passwords:
    """Hashes and checks passwords off the event loop."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher()
        self._nobody: str | None = None
        self._turns = Semaphore(_AT_ONCE)

    async def hashed(self, password: str) -> str:
        """Return what is kept of a password."""
        async with self._turns:
            return await to_thread.run_sync(self._hasher.hash, password)

    async def fits(self, known: str | None, password: str) -> bool:
        """Tell whether a password is the one whose hash is known; without one, none fits."""
        async with self._turns:
            return await to_thread.run_sync(self._fits, known, password)

    def _fits(self, known: str | None, password: str) -> bool:
        if known is None:
            self._nobody = self._nobody or self._hasher.hash("nobody has this password")
        try:
            return self._hasher.verify(known or self._nobody or "", password) and known is not None
        except (VerificationError, InvalidHashError):
            return False
