"""Pilots: campaigns on the first sentences of some data, and the sentences that wait for them."""

import json
import zlib
from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Engine,
    LargeBinary,
    MetaData,
    String,
    Table,
    insert,
    select,
)

from spancrew.stores import SentenceRow, reading, writing

_tables = MetaData()

pilots = Table(
    "directory_pilots",
    _tables,
    Column("campaign", String(40), primary_key=True),
    Column("waiting", BigInteger, nullable=False),
    Column("sentences", LargeBinary, nullable=False),
)


def create_pilots(connection: Connection) -> None:
    """Create the table of pilots."""
    _tables.create_all(connection)


class Pilots:
    """Which campaigns are pilots, and what is left of the data that they were made from."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def put(self, campaign: str, rest: Sequence[SentenceRow]) -> None:
        """Note that a campaign is a pilot, and keep the sentences that are not in it."""
        row = {"campaign": campaign, "waiting": len(rest), "sentences": _packed(rest)}
        with writing(self._engine) as connection:
            connection.execute(insert(pilots).values(row))

    def all(self) -> dict[str, int]:
        """Return how many sentences wait, by pilot."""
        with reading(self._engine) as connection:
            rows = connection.execute(select(pilots.c.campaign, pilots.c.waiting)).all()
        return {row[0]: row[1] for row in rows}

    def has(self, campaign: str) -> bool:
        """Tell whether a campaign is a pilot."""
        query = select(pilots.c.waiting).where(pilots.c.campaign == campaign)
        with reading(self._engine) as connection:
            return connection.execute(query).first() is not None

    def rest(self, campaign: str) -> list[SentenceRow] | None:
        """Return the sentences that wait for a pilot; None if the campaign is none."""
        query = select(pilots.c.sentences).where(pilots.c.campaign == campaign)
        with reading(self._engine) as connection:
            found = connection.execute(query).scalar()
        return None if found is None else _unpacked(found)


def _packed(rows: Sequence[SentenceRow]) -> bytes:
    return zlib.compress(json.dumps([tuple(row) for row in rows]).encode())


def _unpacked(data: bytes) -> list[SentenceRow]:
    return [_row(*each) for each in json.loads(zlib.decompress(data))]


def _row(id_: str, text: str, bounds: list[Any], gold: None, meta: str) -> SentenceRow:
    return SentenceRow(id_, text, tuple((start, end) for start, end in bounds), gold, meta)
