"""A store in a database: one row for every entry, numbered by the one who is alone with it."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, Select, bindparam, delete, func, insert, select
from sqlalchemy.exc import IntegrityError

from spancrew.campaign import Entry
from spancrew.errors import UnknownSentenceError, VersionError
from spancrew.stores import _schema as tables
from spancrew.stores._base import Derived, JournalSummary, Recorded, SentenceRow
from spancrew.stores._databases import Database, database_of, reading, writing
from spancrew.stores._rows import (
    CHUNK,
    appended,
    checked_name,
    chunks,
    entry_row,
    packed,
    recorded,
    sentence_of,
    sentence_row,
    superseded,
    unpacked,
)
from spancrew.stores._schema import migrate
from spancrew.stores._sentence_index import forget_sentences
from spancrew.stores._summaries import due_summaries, fresh_summaries, put_summary

# Made once: to make them takes longer than to run them.
_LAST_VERSION = select(func.max(tables.journal.c.version)).where(
    tables.journal.c.campaign == bindparam("campaign")
)
# Versions have no gaps; with both ends given, every database takes the way by the key.
_ENTRIES = (
    select(*list(tables.journal.c)[1:])
    .where(
        tables.journal.c.campaign == bindparam("campaign"),
        tables.journal.c.version > bindparam("after"),
        tables.journal.c.version <= bindparam("until"),
    )
    .order_by(tables.journal.c.version)
)
_SENTENCES = select(*list(tables.sentences.c)[1:]).where(
    tables.sentences.c.campaign == bindparam("campaign"),
    tables.sentences.c.number.in_(bindparam("numbers", expanding=True)),
)
_POSSIBLE = 2**62
"""Databases know numbers up to twice this; no sentence and no version has one as great."""


class SqlTurn:
    """The only writer of a journal, until the transaction is over."""

    def __init__(self, database: Database, connection: Connection, campaign: str) -> None:
        self._database = database
        self._connection = connection
        self._campaign = campaign
        found = connection.execute(_LAST_VERSION, {"campaign": campaign}).scalar()
        self._version = int(found or 0)

    @property
    def version(self) -> int:
        """Return the version of the last entry, those appended in this turn included."""
        return self._version

    def read(self, *, after: int = 0) -> Iterator[Recorded]:
        """Yield the entries after a version."""
        while after < self._version:
            rows = self._connection.execute(_ENTRIES, _after(self._campaign, after)).all()
            for row in rows:
                yield recorded(row)
            after = rows[-1][0]

    def append(self, entries: Sequence[Entry]) -> int:
        """Add entries, which are safe once the turn is over; return the new version.

        The key of the table refuses a version that somebody else has written already.
        """
        numbered = enumerate(entries, self._version + 1)
        rows = (entry_row(self._campaign, version, entry) for version, entry in numbered)
        try:
            for chunk in chunks(rows):
                self._database.insert_rows(self._connection, tables.journal.name, chunk)
            self._database.announce(self._connection, self._campaign)
        except IntegrityError:
            raise VersionError(
                f"somebody else wrote to the journal of campaign {self._campaign!r}: read on, "
                "and try again"
            ) from None
        self._version += len(entries)
        return self._version

    def add_sentences(self, first: int, rows: Sequence[SentenceRow]) -> None:
        """Add sentences to those that are there, numbered from ``first``, with the entries."""
        numbered = (sentence_row(self._campaign, n, row) for n, row in enumerate(rows, first))
        for chunk in chunks(numbered):
            self._database.insert_rows(self._connection, tables.sentences.name, chunk)

    def summarise(self, due: float | None, body: str) -> None:
        """Replace the summary of the campaign by one as of the version now."""
        put_summary(self._connection, self._campaign, JournalSummary(self._version, due, body))


class SqlStore:
    """Journals in SQLite or PostgreSQL; made by :func:`open_store`.

    ``engine`` serves the directory of people, which is in the same database.
    """

    def __init__(self, engine: Engine, *, upgrade: bool = True) -> None:
        self._engine = engine
        self._database = database_of(engine)
        try:
            migrate(engine, tables.STEPS if upgrade else ())
        except BaseException:
            engine.dispose()
            raise

    @property
    def engine(self) -> Engine:
        """Return the engine of the database."""
        return self._engine

    @property
    def place(self) -> str:
        """Return the file or the address of the database, without secrets."""
        return self._database.place

    def append(self, campaign: str, entries: Sequence[Entry], *, expected_version: int) -> int:
        """Add entries, all or none, if the journal is still at ``expected_version``."""
        with self.turn(campaign) as turn:
            return appended(turn, campaign, entries, expected_version)

    @contextmanager
    def turn(self, campaign: str) -> Iterator[SqlTurn]:
        """Wait until nobody else writes to this journal, then be the only one."""
        with writing(self._engine) as connection:
            self._database.lock(connection, checked_name(campaign))
            yield SqlTurn(self._database, connection, campaign)

    def read(self, campaign: str, *, after: int = 0) -> Iterator[Recorded]:
        """Yield the entries after a version, in order; no connection is held in between."""
        rows: Sequence[Any] = range(CHUNK)
        while len(rows) == CHUNK:
            rows = self._all(_ENTRIES, _after(checked_name(campaign), after))
            for row in rows:
                yield recorded(row)
            after = rows[-1][0] if rows else after

    def version(self, campaign: str) -> int:
        """Return the version of the last entry; 0 for a journal without any."""
        found = self._all(_LAST_VERSION, {"campaign": checked_name(campaign)})
        return int(found[0][0] or 0)

    def campaigns(self) -> list[str]:
        """Return the names of the campaigns that have a journal, in order."""
        names: list[str] = []
        first = query = select(func.min(tables.journal.c.campaign))
        # From name to name in the key: quick, however long the journals are.
        while (name := self._all(query)[0][0]) is not None:
            names.append(name)
            query = first.where(tables.journal.c.campaign > name)
        return sorted(names)

    def summaries(self, campaigns: Collection[str] | None = None) -> dict[str, JournalSummary]:
        """Return the summaries of all campaigns or of some, if they are as new as the journal."""
        return {row[0]: JournalSummary(*row[1:]) for row in self._all(fresh_summaries(campaigns))}

    def due(self, now: float) -> list[str]:
        """Return the campaigns whose summaries say that time has something to change by now."""
        return [row[0] for row in self._all(due_summaries(now))]

    def keep(self, campaign: str, kind: str, kept: Derived) -> None:
        """Keep something of a kind; of snapshots and models only the last two."""
        with writing(self._engine) as connection:
            self._database.lock(connection, f"{campaign} {kind}")
            old = _of_kind(campaign, kind)
            known = connection.execute(select(tables.kept.c.version).where(*old)).scalars().all()
            gone = superseded(kind, known, kept.version)
            replaced = tables.kept.c.version.in_({*gone, kept.version})
            connection.execute(delete(tables.kept).where(*old, replaced))
            if kept.version not in gone:
                row = (campaign, kind, kept.version, packed(kind, kept.data))
                connection.execute(insert(tables.kept).values(row))

    def kept(self, campaign: str, kind: str, *, at: int | None = None) -> Derived | None:
        """Return the latest of a kind, or the one at a version; None if there is none."""
        query = select(tables.kept.c.version, tables.kept.c.data).where(*_of_kind(campaign, kind))
        if at is not None:
            query = query.where(tables.kept.c.version == at)
        found = self._all(query.order_by(tables.kept.c.version.desc()).limit(1))
        return Derived(found[0][0], unpacked(kind, bytes(found[0][1]))) if found else None

    def add_sentences(self, campaign: str, rows: Iterable[SentenceRow]) -> int:
        """Add the sentences of a new campaign, numbered from 0; return how many there are.

        Whatever was left there by a start that was cut short is removed first. Others can write
        between one chunk and the next.
        """
        self._remove_sentences(checked_name(campaign))
        numbered = (sentence_row(campaign, number, row) for number, row in enumerate(rows))
        total = 0
        try:
            for chunk in chunks(numbered):
                with writing(self._engine) as connection:
                    self._database.insert_rows(connection, tables.sentences.name, chunk)
                total += len(chunk)
        except BaseException:
            self._remove_sentences(campaign)
            raise
        return total

    def sentence(self, campaign: str, number: int) -> SentenceRow:
        """Return one sentence, as quickly as if it were the only one."""
        found = self.sentences_at(campaign, [number])
        if not found:
            raise UnknownSentenceError(f"campaign {campaign!r} has no sentence {number}")
        return found[number]

    def sentences_at(self, campaign: str, numbers: Collection[int]) -> dict[int, SentenceRow]:
        """Return some sentences in one look; those that are not there are left out."""
        possible = [number for number in numbers if abs(number) < _POSSIBLE]
        given = {"campaign": checked_name(campaign), "numbers": possible}
        return {row[0]: sentence_of(row[1:]) for row in self._all(_SENTENCES, given)}

    def sentences(self, campaign: str, *, first: int = 0) -> Iterator[SentenceRow]:
        """Yield sentences of a campaign in order; no connection is held in between."""
        number = tables.sentences.c.number
        query = _sentences(checked_name(campaign)).order_by(number)
        while rows := self._all(query.where(number >= first, number < first + CHUNK)):
            for row in rows:
                yield sentence_of(row[1:])
            first += CHUNK

    def delete(self, campaign: str) -> None:
        """Remove a campaign with all that belongs to it; its journal goes last."""
        self._remove_sentences(checked_name(campaign))
        with writing(self._engine) as connection:
            self._database.lock(connection, campaign)
            connection.execute(delete(tables.kept).where(tables.kept.c.campaign == campaign))
            connection.execute(
                delete(tables.summaries).where(tables.summaries.c.campaign == campaign)
            )
            forget_sentences(connection, campaign)
            connection.execute(delete(tables.journal).where(tables.journal.c.campaign == campaign))
            self._database.announce(connection, campaign)

    def close(self) -> None:
        """Let go of files and connections; of SQLite, everything is in the one file then."""
        self._engine.dispose()
        self._database.empty_log()

    def _all(self, query: Select[Any], given: dict[str, Any] | None = None) -> Sequence[Any]:
        with reading(self._engine) as connection:
            return connection.execute(query, given).all()

    def _remove_sentences(self, campaign: str) -> None:
        """Remove the sentences of a campaign, some at a time, so that others can write."""
        mine = tables.sentences.c.campaign == campaign
        some = select(tables.sentences.c.number).where(mine).limit(4 * CHUNK).scalar_subquery()
        removed = 1
        while removed:
            with writing(self._engine) as connection:
                gone = delete(tables.sentences).where(mine, tables.sentences.c.number.in_(some))
                removed = connection.execute(gone).rowcount


def _after(campaign: str, version: int) -> dict[str, Any]:
    """Return what the query for the next entries after a version is to be given."""
    known = min(version, _POSSIBLE)
    return {"campaign": campaign, "after": known, "until": known + CHUNK}


def _of_kind(campaign: str, kind: str) -> tuple[Any, ...]:
    return tables.kept.c.campaign == checked_name(campaign), tables.kept.c.kind == kind


def _sentences(campaign: str) -> Select[Any]:
    _, *columns = tables.sentences.c
    return select(*columns).where(tables.sentences.c.campaign == campaign)
