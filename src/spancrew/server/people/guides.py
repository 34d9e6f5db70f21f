"""The guides of campaigns, and who has been through which sentence of a training."""

import json
from typing import Any

from sqlalchemy import Engine, delete, insert, literal, select
from sqlalchemy.exc import IntegrityError

from spancrew.server.people.values import Guide, Solved
from spancrew.stores._directory_schema import guides, people, training
from spancrew.stores._work import database_of, reading, writing

_NONE = Guide()


class Guides:
    """What workers read and practise before they work, by campaign."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def of(self, campaign: str) -> Guide:
        """Return the guide of a campaign; an empty one where nobody has written any."""
        columns = guides.c.instructions, guides.c.examples, guides.c.practice
        with reading(self._engine) as connection:
            row = connection.execute(select(*columns).where(guides.c.campaign == campaign)).first()
        return _NONE if row is None else Guide(row[0], _solved(row[1]), _solved(row[2]))

    def put(self, campaign: str, guide: Guide, now: float) -> None:
        """Let a campaign have this guide and no other."""
        row = {
            "campaign": campaign,
            "instructions": guide.instructions,
            "examples": _text(guide.examples),
            "practice": _text(guide.practice),
            "changed_at": now,
        }
        with writing(self._engine) as connection:
            database_of(self._engine).lock(connection, f"{campaign} guide")
            connection.execute(delete(guides).where(guides.c.campaign == campaign))
            connection.execute(insert(guides).values(row))

    def practised(self, person: int) -> dict[str, float]:
        """Return when a worker first answered which sentences of the training, by their keys."""
        query = select(training.c.sentence, training.c.at).where(training.c.person == person)
        with reading(self._engine) as connection:
            return {row[0]: row[1] for row in connection.execute(query.order_by(training.c.at))}

    def practise(self, person: int, key: str, now: float) -> None:
        """Note that a worker answered a sentence of the training; only the first time counts.

        Of somebody who was erased, nothing is noted.
        """
        there = people.c.id == person, people.c.erased.is_(False)
        row = select(people.c.id, literal(key), literal(now)).where(*there)
        try:
            with writing(self._engine) as connection:
                connection.execute(insert(training).from_select(["person", "sentence", "at"], row))
        except IntegrityError:
            pass  # it was noted before


def _text(solved: tuple[Solved, ...]) -> str:
    return json.dumps([[each.text, each.bounds, each.spans, each.note] for each in solved])


def _solved(text: str) -> tuple[Solved, ...]:
    return tuple(_one_solved(*each) for each in json.loads(text))


def _one_solved(text: str, bounds: list[Any], spans: list[Any], note: str) -> Solved:
    borders = tuple((start, end) for start, end in bounds)
    return Solved(text, borders, tuple((start, end, of) for start, end, of in spans), note)
