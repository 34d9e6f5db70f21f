"""Sessions, API tokens, links and passwords: only digests and hashes are kept."""

import hashlib
import secrets as random
from asyncio import Semaphore

from anyio import to_thread
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import Engine, delete, insert, select

from spancrew.server.people.people import People, person_of
from spancrew.server.people.schema import people, secrets
from spancrew.server.people.values import Credential, SecretKind
from spancrew.stores import reading, writing


def digest_of(secret: str) -> str:
    """Return what is kept of a secret; 256 random bits need no slow hash."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


class Secrets:
    """Secrets by their digest; a reader of the database cannot use them."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

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
        with writing(self._engine) as connection:
            key = connection.execute(insert(secrets).values(row)).inserted_primary_key
        assert key is not None  # noqa: S101  a single row was inserted
        return int(key[0]), secret

    def find(self, kind: SecretKind, secret: str, now: float) -> Credential | None:
        """Return whose secret this is; None if it is nobody's, or its time is over."""
        query = (
            select(secrets.c.id, secrets.c.name, secrets.c.created_at, secrets.c.expires_at)
            .add_columns(*People.columns)
            .join(people, people.c.id == secrets.c.person)
            .where(secrets.c.digest == digest_of(secret), secrets.c.kind == kind)
        )
        with reading(self._engine) as connection:
            row = connection.execute(query).first()
        if row is None or (row[3] is not None and row[3] <= now):
            return None
        id_, name, created_at, expires_at, *_ = row
        return Credential(id_, kind, person_of(row, start=4), name, created_at, expires_at)

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
        with reading(self._engine) as connection:
            return [(row[0], row[1], row[2]) for row in connection.execute(query)]

    def revoke(self, id_: int, person: int) -> bool:
        """Make a secret of a person worthless; tell whether it was there."""
        gone = delete(secrets).where(secrets.c.id == id_, secrets.c.person == person)
        with writing(self._engine) as connection:
            return connection.execute(gone).rowcount > 0

    def revoke_all(self, person: int, kind: SecretKind, *, but: int | None = None) -> None:
        """Make all secrets of a kind of a person worthless, but one."""
        gone = delete(secrets).where(secrets.c.person == person, secrets.c.kind == kind)
        if but is not None:
            gone = gone.where(secrets.c.id != but)
        with writing(self._engine) as connection:
            connection.execute(gone)

    def sweep(self, now: float) -> None:
        """Forget the secrets whose time is over."""
        with writing(self._engine) as connection:
            connection.execute(delete(secrets).where(secrets.c.expires_at <= now))


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
