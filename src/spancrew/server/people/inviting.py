"""Many workers who are invited at once: all of them, each with a link, or none."""

import secrets as random
from collections.abc import Mapping

from sqlalchemy import Engine, insert, select

from spancrew.server.people.credentials import digest_of
from spancrew.server.people.schema import people, secrets
from spancrew.server.people.values import PersonRow
from spancrew.stores import reading, writing

_PERSON = tuple(people.c[name] for name in PersonRow.__slots__)


def invite_workers(
    engine: Engine, campaign: str, names: Mapping[int, str | None], now: float
) -> list[tuple[PersonRow, str]]:
    """Add workers by their numbers, and return each with the secret of their link."""
    known = {"role": "worker", "campaign": campaign, "created_at": now, "erased": False}
    added = [known | {"number": number, "name": name} for number, name in names.items()]
    mine = people.c.campaign == campaign, people.c.role == "worker"
    between = people.c.number.between(min(names), max(names))
    query = select(*_PERSON).where(*mine, between).order_by(people.c.number)
    with writing(engine) as connection:
        connection.execute(insert(people), added)
        rows = [PersonRow(*row) for row in connection.execute(query)]
        made = [(row, random.token_urlsafe(32)) for row in rows if row.number in names]
        links = [
            {
                "digest": digest_of(secret),
                "kind": "link",
                "person": person.id,
                "created_at": now,
                "once": False,
            }
            for person, secret in made
        ]
        connection.execute(insert(secrets), links)
    return made


def invited_names(engine: Engine, campaign: str) -> frozenset[str]:
    """Return the names of the workers of a campaign."""
    mine = people.c.campaign == campaign, people.c.role == "worker", people.c.name.is_not(None)
    with reading(engine) as connection:
        return frozenset(connection.scalars(select(people.c.name).where(*mine)))
