"""Secrets by which people are known: only digests and hashes are kept."""

import hashlib
import secrets as random
from asyncio import Semaphore
from collections.abc import Iterator
from typing import Any

from anyio import to_thread
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import Engine, Select, delete, insert, or_, select, update

from spancrew.server.people.schema import (
    REVOKED,
    Statements,
    attempts,
    people,
    revocations,
    secrets,
)
from spancrew.server.people.values import Credential, PersonRow, SecretKind
from spancrew.stores import database_of, writing


def digest_of(secret: str) -> str:
    """Return what is kept of a secret; 256 random bits need no slow hash."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


_SECRET = tuple(secrets.c[name] for name in Credential.__slots__[:-1])
_PERSON = tuple(people.c[name] for name in PersonRow.__slots__)


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
        once: bool = False,
        **known: Any,
    ) -> tuple[int, str]:
        """Return the id of a new secret and the secret itself, which is shown only now.

        ``known`` are name, scope and campaign of a token.
        """
        secret = random.token_urlsafe(32)
        row = {
            "digest": digest_of(secret),
            "kind": kind,
            "person": person,
            "created_at": now,
            "expires_at": None if lasts is None else now + lasts,
            "once": once,
            **known,
        }
        return self._tables.add(secrets, row), secret

    def find(self, kind: SecretKind, secret: str, now: float) -> Credential | None:
        """Return whose secret this is; None if it is nobody's, or its time is over."""
        query = _select(secrets.c.digest == digest_of(secret), secrets.c.kind == kind)
        found = next(self._credentials(query), None)
        if found is None or (found.expires_at is not None and found.expires_at <= now):
            return None
        return found

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

    def all(self, kind: SecretKind, *, person: int | None = None) -> list[Credential]:
        """Return the secrets of a kind, those of one person or everybody's, the oldest first."""
        mine = [] if person is None else [secrets.c.person == person]
        query = _select(secrets.c.kind == kind, *mine).order_by(secrets.c.id)
        return list(self._credentials(query))

    def note_use(self, id_: int, now: float) -> None:
        """Note when a token was last used."""
        self._tables.change(update(secrets).where(secrets.c.id == id_).values(used_at=now))

    def revoke(self, id_: int, person: int) -> bool:
        """Make a secret of a person worthless; tell whether it was there."""
        gone = delete(secrets).where(secrets.c.id == id_, secrets.c.person == person)
        return self._tables.change(REVOKED, gone) > 0

    def end_derived(self, person: int, *, but: int) -> None:
        """End what a person made before now: sessions but one, tokens, one-time links.

        A link that lasts stays: it is the admin's to renew.
        """
        derived = or_(secrets.c.kind != "link", secrets.c.once.is_(True))
        gone = delete(secrets).where(secrets.c.person == person, secrets.c.id != but, derived)
        self._tables.change(REVOKED, gone)

    def revocations(self) -> int:
        """Return how often somebody's access has ended, in any process."""
        return int(self._tables.first(select(revocations.c.count))[0])

    def sweep(self, now: float) -> None:
        """Forget the secrets whose time is over."""
        self._tables.change(delete(secrets).where(secrets.c.expires_at <= now))

    def _credentials(self, query: Select[Any]) -> Iterator[Credential]:
        count = len(_SECRET)
        for row in self._tables.all(query):
            yield Credential(*[*row[:count], PersonRow(*row[count:])])


def _select(*conditions: Any) -> Select[Any]:
    joined = secrets.join(people, people.c.id == secrets.c.person)
    return select(*_SECRET, *_PERSON).select_from(joined).where(*conditions)


_FREE, _LONGEST, _FORGIVEN = 4, 900.0, 86400.0
"""Tries without a wait, the longest wait, and the seconds after which all are forgotten."""


class Attempts:
    """Attempts to sign in to each account, from wherever they come; shared by all processes."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def begin(self, login: str, now: float) -> float:
        """Return 0 if an attempt may go on, else in how many seconds it may.

        It counts as failed until :meth:`succeed` is called, so that many at once are no way out.
        """
        account = digest_of(login)
        mine = attempts.c.account == account
        with writing(self._engine) as connection:
            database_of(self._engine).lock(connection, f"attempts {account}")
            row = connection.execute(
                select(attempts.c.failures, attempts.c.at).where(mine)
            ).first()
            failures, at = (0, now) if row is None or now - row[1] > _FORGIVEN else row
            if at > now:
                # The clock was set back; nobody has to wait for as long as it was wrong.
                at = now
                connection.execute(update(attempts).where(mine).values(at=now))
            if (wait := at + _delay(failures) - now) > 0:
                return float(wait)
            connection.execute(delete(attempts).where(mine))
            connection.execute(insert(attempts).values((account, failures + 1, now)))
        return 0.0

    def succeed(self, login: str) -> None:
        """Forget the failures of an account."""
        with writing(self._engine) as connection:
            connection.execute(delete(attempts).where(attempts.c.account == digest_of(login)))

    def sweep(self, now: float) -> None:
        """Forget what is forgiven."""
        with writing(self._engine) as connection:
            connection.execute(delete(attempts).where(attempts.c.at < now - _FORGIVEN))


def _delay(failures: int) -> float:
    """Return the seconds to wait after so many failures: none at first, then twice as many each.

    >>> [_delay(n) for n in (0, 4, 5, 6, 7, 100)]
    [0.0, 0.0, 1.0, 2.0, 4.0, 900.0]
    """
    return 0.0 if failures <= _FREE else min(2.0 ** min(failures - _FREE - 1, 20), _LONGEST)


_AT_ONCE = 2
"""Hashes that are computed at a time; each takes 64 MB, which strangers could ask for."""


class Passwords:
    """Hashes and checks passwords off the event loop."""

    def __init__(self, kibibytes: int) -> None:
        self._hasher = PasswordHasher(memory_cost=kibibytes)
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
