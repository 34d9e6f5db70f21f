"""The turn of a writer: a transaction that nobody else has on this journal."""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Select, func, select
from sqlalchemy.exc import IntegrityError

from spancrew.campaign import Entry
from spancrew.errors import VersionError
from spancrew.stores._base import Recorded
from spancrew.stores._rows import CHUNK, chunks, entry_row, recorded
from spancrew.stores._schema import journal
from spancrew.stores._transactions import Database


class SqlTurn:
    """The only writer of a journal, until the transaction is over."""

    def __init__(self, database: Database, connection: Connection, campaign: str) -> None:
        self._database = database
        self._connection = connection
        self._campaign = campaign
        self._version = int(connection.execute(last_version(campaign)).scalar() or 0)

    @property
    def version(self) -> int:
        """Return the version of the last entry, those appended in this turn included."""
        return self._version

    def read(self, *, after: int = 0) -> Iterator[Recorded]:
        """Yield the entries after a version."""
        while after < self._version:
            rows = self._connection.execute(entries_after(self._campaign, after)).all()
            for row in rows:
                yield recorded(row)
            after = rows[-1][0]

    def append(self, entries: Sequence[Entry]) -> int:
        """Add entries, which are safe once the turn is over; return the new version.

        The key of the table refuses a version that is there already, whoever wrote it.
        """
        numbered = enumerate(entries, self._version + 1)
        rows = (entry_row(self._campaign, version, entry) for version, entry in numbered)
        try:
            for chunk in chunks(rows):
                self._database.insert_rows(self._connection, journal.name, chunk)
            self._database.announce(self._connection, self._campaign)
        except IntegrityError:
            raise VersionError(
                f"somebody else wrote to the journal of campaign {self._campaign!r}: read on, "
                "and try again"
            ) from None
        self._version += len(entries)
        return self._version


def last_version(campaign: str) -> Select[Any]:
    """Return the query for the last version of a journal."""
    return select(func.max(journal.c.version)).where(journal.c.campaign == campaign)


def entries_after(campaign: str, after: int) -> Select[Any]:
    """Return the query for the next entries after a version: version, time, kind and body.

    Versions have no gaps; with both ends given, every database takes the way by the key.
    """
    return (
        select(journal.c.version, journal.c.at, journal.c.kind, journal.c.body)
        .where(
            journal.c.campaign == campaign,
            journal.c.version > after,
            journal.c.version <= after + CHUNK,
        )
        .order_by(journal.c.version)
    )
