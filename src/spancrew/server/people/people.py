"""Who takes part in which campaign, and who runs it."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import Engine, Select, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from spancrew.errors import ConflictError
from spancrew.server.people.schema import (
    REVOKED,
    Statements,
    added,
    people,
    rights,
    secrets,
    training,
)
from spancrew.server.people.values import PersonRow, Role
from spancrew.stores import empty_log, writing

_AHEAD = 60.0
"""Seconds by which somebody is never seen too early, unless the clock was wrong."""
_PERSON = tuple(people.c[name] for name in PersonRow.__slots__)


class SignInRow(NamedTuple):
    """What a sign-in is checked against: a hash, and the second factor with its last step."""

    person: int
    password: str | None
    totp: str | None


class PeopleTable:
    """The people of all campaigns; the one table that has their names."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._tables = Statements(engine)

    def add(
        self, role: Role, now: float, *, campaign: str | None = None, **known: Any
    ) -> PersonRow:
        """Add a person; ``known`` are number, name, e-mail, login, password and platform."""
        values = {"role": role, "campaign": campaign, "created_at": now, "erased": False, **known}
        values["email"] = (known.get("email") or "").lower() or None
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

    def sign_in(self, login: str) -> SignInRow | None:
        """Return what somebody signs in with; None if nobody has this login."""
        mine = people.c.login == login, people.c.erased.is_(False)
        columns = people.c.id, people.c.password, people.c.totp
        row = self._tables.first(select(*columns).where(*mine))
        return None if row is None else SignInRow(*row)

    def set_password(self, person: int, login: str, password: str) -> None:
        """Let a person sign in by name and password, whose hash is given."""
        values = {"login": login, "password": password}
        try:
            self._tables.change(
                REVOKED, update(people).where(people.c.id == person).values(values)
            )
        except IntegrityError as error:
            raise ConflictError(
                f"the name {login!r} is somebody else's; choose another"
            ) from error

    def set_totp(self, person: int, secret: str | None) -> None:
        """Ask a person for a second factor when they sign in; None asks no longer."""
        values = {"totp": secret, "totp_step": None}
        self._tables.change(update(people).where(people.c.id == person).values(values))

    def use_totp(self, person: int, step: int) -> bool:
        """Use up the code of a step of time; tell whether nobody has used it, nor a later one."""
        unused = or_(people.c.totp_step.is_(None), people.c.totp_step < step)
        mine = update(people).where(people.c.id == person, unused)
        return self._tables.change(mine.values(totp_step=step)) == 1

    def by_identity(self, subject: str, email: str | None) -> PersonRow | None:
        """Return whom an identity provider calls so, first of all whoever has the e-mail."""
        if email is not None:
            mine = people.c.email == email.lower(), people.c.erased.is_(False)
            invited = update(people).where(*mine, people.c.subject.is_(None))
            self._tables.change(invited.values(subject=subject))
        # Who is in several campaigns comes in as an admin, else where they were invited last.
        known = _select(subject=subject, erased=False)
        row = self._tables.first(known.order_by(people.c.role, people.c.id.desc()))
        return None if row is None else PersonRow(*row)

    def end_access(self, person: int) -> None:
        """End all by which a person could come in: links, sessions, tokens, password, factors."""
        none = dict.fromkeys(("login", "password", "subject", "totp", "totp_step"))
        self._tables.change(
            REVOKED,
            delete(secrets).where(secrets.c.person == person),
            update(people).where(people.c.id == person).values(none),
        )

    def admins(self) -> list[PersonRow]:
        """Return all admins, the first to come first."""
        query = _select(role="admin", erased=False).order_by(people.c.id)
        return [PersonRow(*row) for row in self._tables.all(query)]

    def rights(self, person: int) -> frozenset[str]:
        """Return the campaigns of an admin who is no owner."""
        query = select(rights.c.campaign).where(rights.c.person == person)
        return frozenset(row[0] for row in self._tables.all(query))

    def grant(self, person: int, campaign: str) -> None:
        """Let an admin have one campaign more."""
        self._tables.change(REVOKED, insert(rights).values(person=person, campaign=campaign))

    def set_rights(self, person: int, campaigns: Iterable[str] | None) -> None:
        """Let an admin have these campaigns and no others; None makes them an owner."""
        rows = [insert(rights).values(person=person, campaign=c) for c in set(campaigns or ())]
        is_owner = campaigns is None
        self._tables.change(
            REVOKED,
            delete(rights).where(rights.c.person == person),
            *rows,
            update(people).where(people.c.id == person).values(is_owner=is_owner),
        )

    def set_number(self, person: int, number: int) -> PersonRow:
        """Give a worker who joined a campaign their number, unless they have one already."""
        lacks = people.c.id == person, people.c.number.is_(None)
        self._tables.change(update(people).where(*lacks).values(number=number))
        return self.one(person)

    def erase(self, person: int) -> None:
        """Forget who a person is, their training and all their secrets; their number stays."""
        gone = dict.fromkeys(
            (
                *("name", "login", "password", "email", "subject", "totp", "totp_step"),
                *("platform_id", "platform_details", "seen_at"),
            )
        )
        self._tables.change(
            REVOKED,
            delete(rights).where(rights.c.person == person),
            delete(secrets).where(secrets.c.person == person),
            delete(training).where(training.c.person == person),
            update(people)
            .where(people.c.id == person)
            .values(**gone, erased=True, is_owner=False),
        )
        empty_log(self._engine)

    def details(self, person: int) -> str | None:
        """Return what a crowd platform said of a person, as JSON."""
        row = self._tables.first(select(people.c.platform_details).where(people.c.id == person))
        return None if row is None else row[0]

    def see(self, seen: Mapping[int, float]) -> None:
        """Note when people were last heard of; a time that is a little older changes nothing."""
        if not seen:
            return
        # In one order, so that two processes never wait for each other.
        self._tables.change(*(_seen(person, at) for person, at in sorted(seen.items())))

    def present(self, campaign: str, now: float, window: float) -> frozenset[int]:
        """Return the numbers of the workers of a campaign who were heard of lately."""
        # Not those of a future that was none: the clock was set back since.
        lately = people.c.seen_at.between(now - window, now + window)
        query = select(people.c.number).where(
            *_workers_of(campaign), lately, people.c.number.is_not(None)
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
    ahead = people.c.seen_at > at + _AHEAD
    is_newer = or_(people.c.seen_at.is_(None), people.c.seen_at < at, ahead)
    known = people.c.id == person, people.c.erased.is_(False)
    return update(people).where(*known, is_newer).values(seen_at=at)
