"""A store in a database: one row for every entry, numbered by the one who is alone with it."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, Select, delete, func, insert, select

from spancrew.campaign import Entry
from spancrew.errors import UnknownSentenceError, VersionError
from spancrew.stores import _schema as tables
from spancrew.stores._base import Kept, Recorded, SentenceRow
from spancrew.stores._rows import (
    CHUNK,
    checked_name,
    chunks,
    recorded,
    sentence_of,
    sentence_row,
    superseded,
)
from spancrew.stores._schema import migrate
from spancrew.stores._transactions import database_of, reading, writing
from spancrew.stores._turn import SqlTurn, entries_after, last_version


class SqlStore:
    """Journals in SQLite or PostgreSQL; made by :func:`open_store`.

    ``engine`` serves the directory of people, which is in the same database.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._database = database_of(engine)
        try:
            migrate(engine)
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
            if turn.version != expected_version:
                raise VersionError(
                    f"the journal of campaign {campaign!r} is at version {turn.version}, not "
                    f"{expected_version}: read on, and try again"
                )
            return turn.append(entries)

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
            rows = self._all(entries_after(checked_name(campaign), after))
            for row in rows:
                yield recorded(row)
            after = rows[-1][0] if rows else after

    def version(self, campaign: str) -> int:
        """Return the version of the last entry; 0 for a journal without any."""
        found = self._all(last_version(checked_name(campaign)))
        return int(found[0][0] or 0)

    def campaigns(self) -> list[str]:
        """Return the names of the campaigns that have a journal, in order."""
        names: list[str] = []
        query = select(func.min(tables.journal.c.campaign))
        while (name := self._all(query)[0][0]) is not None:
            names.append(name)
            # From name to name in the key: quick, however long the journals are.
            query = select(func.min(tables.journal.c.campaign)).where(
                tables.journal.c.campaign > name
            )
        return sorted(names)

    def keep(self, campaign: str, kind: str, kept: Kept) -> None:
        """Keep something of a kind; of snapshots and models only the last two."""
        values = {"campaign": checked_name(campaign), "kind": kind}
        with writing(self._engine) as connection:
            self._database.lock(connection, f"{campaign} {kind}")
            old = _of_kind(campaign, kind)
            known = connection.execute(select(tables.kept.c.version).where(*old)).scalars().all()
            gone = superseded(kind, known, kept.version)
            replaced = tables.kept.c.version.in_({*gone, kept.version})
            connection.execute(delete(tables.kept).where(*old, replaced))
            if kept.version not in gone:
                new = values | {"version": kept.version, "data": kept.data}
                connection.execute(insert(tables.kept).values(new))

    def kept(self, campaign: str, kind: str, *, at: int | None = None) -> Kept | None:
        """Return the latest of a kind, or the one at a version; None if there is none."""
        query = select(tables.kept.c.version, tables.kept.c.data).where(*_of_kind(campaign, kind))
        if at is not None:
            query = query.where(tables.kept.c.version == at)
        found = self._all(query.order_by(tables.kept.c.version.desc()).limit(1))
        return Kept(found[0][0], bytes(found[0][1])) if found else None

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
        query = _sentences(checked_name(campaign)).where(tables.sentences.c.number == number)
        found = self._all(query) if abs(number) < 2**62 else []
        if not found:
            raise UnknownSentenceError(f"campaign {campaign!r} has no sentence {number}")
        return sentence_of(found[0][1:])

    def sentences(self, campaign: str) -> Iterator[SentenceRow]:
        """Yield all sentences of a campaign in order; no connection is held in between."""
        number = tables.sentences.c.number
        query = _sentences(checked_name(campaign)).order_by(number)
        first = 0
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
            connection.execute(delete(tables.journal).where(tables.journal.c.campaign == campaign))
            self._database.announce(connection, campaign)

    def backup(self, path: Path) -> None:
        """Write a copy of everything to a new file while others go on writing (SQLite)."""
        self._database.backup(self._engine, path)

    def close(self) -> None:
        """Let go of files and connections."""
        self._engine.dispose()

    def _all(self, query: Select[Any]) -> Sequence[Any]:
        with reading(self._engine) as connection:
            return connection.execute(query).all()

    def _remove_sentences(self, campaign: str) -> None:
        """Remove the sentences of a campaign, some at a time, so that others can write."""
        mine = tables.sentences.c.campaign == campaign
        some = select(tables.sentences.c.number).where(mine).limit(4 * CHUNK).scalar_subquery()
        removed = 1
        while removed:
            with writing(self._engine) as connection:
                gone = delete(tables.sentences).where(mine, tables.sentences.c.number.in_(some))
                removed = connection.execute(gone).rowcount


def _of_kind(campaign: str, kind: str) -> tuple[Any, ...]:
    return tables.kept.c.campaign == checked_name(campaign), tables.kept.c.kind == kind


def _sentences(campaign: str) -> Select[Any]:
    columns = (
        tables.sentences.c.number,
        tables.sentences.c.id,
        tables.sentences.c.text,
        tables.sentences.c.bounds,
    )
    query: Select[Any] = select(*columns, tables.sentences.c.gold, tables.sentences.c.meta)
    return query.where(tables.sentences.c.campaign == campaign)
