"""Who takes part: admins, experts and workers."""

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import Engine, Row, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from spancrew.errors import ConflictError
from spancrew.server.people.schema import people, secrets, training
from spancrew.server.people.values import Person, Role
from spancrew.stores import reading, writing

_SHOWN = (
    people.c.id,
    people.c.role,
    people.c.campaign,
    people.c.number,
    people.c.name,
    people.c.login,
    people.c.platform,
    people.c.platform_id,
    people.c.created_at,
    people.c.seen_at,
    people.c.erased,
)


def person_of(row: Row[Any], *, start: int = 0) -> Person:
    """Return the person whose columns begin at a place in a row."""
    return Person(*row[start : start + len(_SHOWN)])


class People:
    """The people of all campaigns; the one table that has their names."""

    columns = _SHOWN

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add(self, role: Role, now: float, *, campaign: str | None = None, **known: Any) -> Person:
        """Add a person; ``known`` are number, name, login, password and platform."""
        values = {"role": role, "campaign": campaign, "created_at": now, "erased": False, **known}
        try:
            with writing(self._engine) as connection:
                if role == "expert":
                    values["number"] = self._next_number(connection, campaign)
                key = connection.execute(insert(people).values(values)).inserted_primary_key
        except IntegrityError as error:
            raise ConflictError(
                f"somebody is called {known.get('login')!r} already, or came at the same moment; "
                "choose another name, or try again"
            ) from error
        assert key is not None  # noqa: S101  a single row was inserted
        return self.one(int(key[0]))

    def one(self, id_: int) -> Person:
        """Return a person who is there."""
        with reading(self._engine) as connection:
            return person_of(connection.execute(_select(id=id_)).one())

    def find(self, **known: Any) -> Person | None:
        """Return the first person with these values; None if there is none."""
        with reading(self._engine) as connection:
            row = connection.execute(_select(**known).limit(1)).first()
        return None if row is None else person_of(row)

    def of_campaign(self, campaign: str, role: Role) -> list[Person]:
        """Return the people of a campaign with a role, the first to come first."""
        query = _select(campaign=campaign, role=role).order_by(people.c.number, people.c.id)
        with reading(self._engine) as connection:
            return [person_of(row) for row in connection.execute(query)]

    def names(self, campaign: str, workers: Collection[int]) -> dict[int, str | None]:
        """Return the names of some workers by their numbers; None where one has no name."""
        query = select(people.c.number, people.c.name).where(
            people.c.campaign == campaign, people.c.role == "worker", people.c.number.in_(workers)
        )
        with reading(self._engine) as connection:
            return {int(number): name for number, name in connection.execute(query)}

    def password(self, login: str) -> tuple[int, str | None] | None:
        """Return who has a login and the hash of the password; None if nobody has."""
        query = select(people.c.id, people.c.password).where(
            people.c.login == login, people.c.erased.is_(False)
        )
        with reading(self._engine) as connection:
            row = connection.execute(query).first()
        return None if row is None else (row[0], row[1])

    def set_password(self, person: int, login: str, password: str) -> None:
        """Let a person sign in by name and password, whose hash is given."""
        try:
            self._set(person, {"login": login, "password": password})
        except IntegrityError as error:
            raise ConflictError(
                f"the name {login!r} is somebody else's; choose another"
            ) from error

    def set_number(self, person: int, number: int) -> Person:
        """Give a worker who joined a campaign their number, unless they have one already."""
        with writing(self._engine) as connection:
            connection.execute(
                update(people)
                .where(people.c.id == person, people.c.number.is_(None))
                .values(number=number)
            )
        return self.one(person)

    def erase(self, person: int) -> None:
        """Forget who a person is, their training and all their secrets; their number stays."""
        gone = dict.fromkeys(
            ("name", "login", "password", "platform_id", "platform_details", "seen_at")
        )
        with writing(self._engine) as connection:
            connection.execute(delete(secrets).where(secrets.c.person == person))
            connection.execute(delete(training).where(training.c.person == person))
            connection.execute(
                update(people).where(people.c.id == person).values(**gone, erased=True)
            )

    def details(self, person: int) -> str | None:
        """Return what a crowd platform said of a person, as JSON."""
        query = select(people.c.platform_details).where(people.c.id == person)
        with reading(self._engine) as connection:
            found: str | None = connection.execute(query).scalar_one()
        return found

    def see(self, seen: Mapping[int, float]) -> None:
        """Note when people were last heard of; an older time changes nothing."""
        if not seen:
            return
        with writing(self._engine) as connection:
            # In one order, so that two processes never wait for each other.
            for person, at in sorted(seen.items()):
                is_newer = or_(people.c.seen_at.is_(None), people.c.seen_at < at)
                connection.execute(
                    update(people)
                    .where(people.c.id == person, people.c.erased.is_(False), is_newer)
                    .values(seen_at=at)
                )

    def present(self, campaign: str, since: float) -> frozenset[int]:
        """Return the numbers of the workers of a campaign who were heard of since a time."""
        query = select(people.c.number).where(
            people.c.campaign == campaign,
            people.c.role == "worker",
            people.c.seen_at >= since,
            people.c.number.is_not(None),
        )
        with reading(self._engine) as connection:
            return frozenset(connection.execute(query).scalars())

    def _set(self, person: int, values: Mapping[str, Any]) -> None:
        with writing(self._engine) as connection:
            connection.execute(update(people).where(people.c.id == person).values(**values))

    @staticmethod
    def _next_number(connection: Any, campaign: str | None) -> int:
        query = select(func.max(people.c.number)).where(
            people.c.campaign == campaign, people.c.role == "expert"
        )
        last: int | None = connection.execute(query).scalar()
        return 0 if last is None else last + 1


def _select(**known: Any) -> Any:
    return select(*_SHOWN).where(*(people.c[name] == value for name, value in known.items()))
